/**
 * Who wants which events, in memory: a turn must not ask the database. Processes tell each other of
 * changes, and look for themselves often enough that none knows less than what was true five seconds
 * ago.
 */
import type { Notifications } from "../../db/connection/notifications.ts"
import type { Db } from "../../db/connection/open.ts"
import {
  listSubscriptions,
  type Subscription,
  subscriptionsVersion,
} from "../../db/events/endpoints.ts"
import { groupBy } from "../../engine/groupBy.ts"
import type { Log } from "../../telemetry/log.ts"
import type { EventType } from "./schema.ts"

/** What somebody may want to know. */
type EventFacts = { workspaceId: string; botId: string; type: EventType }

export type Subscriptions = {
  /** Whether an enabled endpoint wants events of this type and bot. */
  wants(event: EventFacts): boolean
  /** Whether there is any of that bot; cheaper than to find out what has happened. */
  concern(bot: Omit<EventFacts, "type">): boolean
  /** Whether there is no enabled endpoint. */
  isEmpty(): boolean
  /** Learns of a change that was just made here, and has the other processes learn of it. */
  changed(): Promise<void>
  close(): void
}

/** For services without endpoints, and for tests. */
export const noSubscriptions: Subscriptions = {
  wants: () => false,
  concern: () => false,
  isEmpty: () => true,
  changed: async () => {},
  close: () => {},
}

/** What subscriptions are read with. */
type SubscriptionDeps = {
  /** Connections that chats do not wait for. */
  db: Db
  notifications: Pick<Notifications, "on" | "notify">
  log: Log
  /** Time between looks, four seconds by default. */
  everyMs?: number
}

/** Reads the subscriptions, and goes on reading whatever changes of them. */
export async function openSubscriptions(deps: SubscriptionDeps): Promise<Subscriptions> {
  const { db, notifications, log, everyMs = 4_000 } = deps
  let known = new Map<string, Subscription[]>()
  let version: string | undefined
  let reading: Promise<void> | undefined

  const read = async () => {
    const present = await subscriptionsVersion(db)
    if (present === version) return
    known = groupBy(await listSubscriptions(db), ({ workspaceId }) => workspaceId)
    // Of before the list was read: a change in between is seen by the next look.
    version = present
  }
  /** After a look that is under way, which may have missed what this one is about. */
  const look = () => {
    reading = (reading ?? Promise.resolve()).then(read, read)
    return reading
  }
  const tryLook = () => {
    look().catch((error) => log.warn({ err: error }, "Webhook endpoints could not be read"))
  }
  await look()
  const timer = setInterval(tryLook, everyMs).unref()
  const forget = notifications.on("endpoints_changed", tryLook)

  const has = (workspaceId: string, fits: (each: Subscription) => boolean) =>
    known.get(workspaceId)?.some(fits) ?? false
  return {
    wants: ({ workspaceId, botId, type }) =>
      has(workspaceId, (each) => each.types.includes(type) && isFor(each, botId)),
    concern: ({ workspaceId, botId }) => has(workspaceId, (each) => isFor(each, botId)),
    isEmpty: () => known.size === 0,
    async changed() {
      await look()
      await notifications.notify("endpoints_changed", "")
    },
    close() {
      clearInterval(timer)
      forget()
    },
  }
}

/** Whether a subscription is for a bot; without a list it is for all of its workspace. */
function isFor({ botIds }: Pick<Subscription, "botIds">, botId: string): boolean {
  return botIds === null || botIds.includes(botId)
}
