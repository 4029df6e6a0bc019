/** Dependencies of all chat calls. */
import { randomUUID } from "node:crypto"
import type { Notifications } from "../db/connection/notifications.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { Effects } from "../effects/perform.ts"
import type { Snapshots } from "../effects/snapshots.ts"
import type { WorkspaceVariableMemory } from "../effects/variables/workspaceVariables.ts"
import type { Turn } from "../engine/turn/run.ts"
import { type FairQueue, openFairQueue } from "../lib/fairQueue.ts"
import type { PlanLimits } from "../lib/plans.ts"
import type { Log } from "../telemetry/log.ts"
import type { Bursts } from "./conversations/burst.ts"
import type { WatchedChats } from "./conversations/watchedChats.ts"
import type { Subscriptions } from "./events/subscriptions.ts"
import type { CountKilobytes } from "./sessions/unanswered.ts"
import { openTurnQueue, type TurnQueue } from "./turnQueue.ts"

/** The services of chats in this process. */
export type Chat = {
  db: Db
  log: Log
  snapshots: Snapshots
  effects: Effects
  queue: TurnQueue
  /** One long run of the engine at a time: owners take turns. */
  longRuns: FairQueue
  /** Names this process in claims. */
  processId: string
  /** Makes the ids of previews that callers name; the same in every process. */
  namingKey: Buffer
  /** Max duration of a turn, including its wait in the queue. */
  turnTimeoutMs: number
  /** Origins of our own viewer, which may embed bots for the pages it is embedded in. */
  viewerOrigins: readonly string[]
  /** Host name of our public address, under which uploads live. */
  ownHost: string
  /** Time that a chat of a caller without a token has for its first answer. */
  unansweredMs: number
  /** Counts the storage of such chats; absent: unlimited. */
  countUnanswered?: CountKilobytes | undefined
  planLimits: PlanLimits
  /** Which events of chats endpoints have subscribed to. */
  subscriptions: Subscriptions
  /** The variables of workspaces, in memory. */
  variables: WorkspaceVariableMemory
  /** Waits for messages that are joined. */
  bursts: Pick<Bursts, "admit" | "ended" | "end">
  /** Chats whose turns are announced. */
  watched: WatchedChats["ids"]
  /** Notifies other processes of news for a waiting chat; without it they poll. */
  notify: Notifications["notify"]
  /** Where one call's time goes; absent: it is not measured. */
  measure?: Measure | undefined
}

/** Duration of a chat call by part, in milliseconds; parts that wait for each other are counted once. */
export type Measure = {
  engineMs: number
  databaseMs: number
  outsideMs: number
  /** The turn; absent: none, or a stored answer. */
  turn?: Turn
}

export function createChat(parts: Omit<Chat, "queue" | "longRuns" | "processId">): Chat {
  return {
    ...parts,
    queue: openTurnQueue(),
    longRuns: openFairQueue("longRuns"),
    processId: randomUUID(),
  }
}
