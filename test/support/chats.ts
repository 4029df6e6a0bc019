/** The services of chats in a process of a test, which has the usual bounds and no endpoints. */
import { type Chat, createChat } from "../../src/chat/chat.ts"
import { openBursts } from "../../src/chat/conversations/burst.ts"
import type { Subscriptions } from "../../src/chat/events/subscriptions.ts"
import type { WorkspaceVariableMemory } from "../../src/effects/variables/workspaceVariables.ts"
import { usualPlanLimits } from "../../src/lib/plans.ts"

/** What services without endpoints subscribe to. */
export const noSubscriptions: Subscriptions = {
  wants: () => false,
  concern: () => false,
  isEmpty: () => true,
  changed: async () => {},
  close: () => {},
}

/** The variables of workspaces that have none. */
export const noVariables: WorkspaceVariableMemory = {
  of: () => new Map(),
  changed: async () => {},
  close: () => {},
}

/** Time that a chat of a caller without a token has for its first answer. */
export const usualUnansweredMs = 2 * 3_600_000

/** Opens them. */
export function openTestChat(
  parts: Pick<Chat, "db" | "log" | "snapshots" | "effects"> & Partial<Chat>,
): Chat {
  return createChat({
    namingKey: Buffer.alloc(32),
    turnTimeoutMs: 150_000,
    viewerOrigins: [],
    ownHost: "localhost",
    unansweredMs: usualUnansweredMs,
    planLimits: usualPlanLimits,
    subscriptions: noSubscriptions,
    variables: noVariables,
    watched: { has: () => false },
    bursts: openBursts({ on: () => () => {}, notify: async () => {} }),
    notify: async () => {},
    ...parts,
  })
}
