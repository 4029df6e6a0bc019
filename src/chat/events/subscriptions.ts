/**
 * The subscriptions of endpoints, kept in memory because a turn must not query for them.
 * Processes notify each other of changes, and poll so that none is more than five seconds behind.
 */
import type { Notifications } from "../../db/connection/notifications.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import {
  listSubscriptions,
  type Subscription,
  subscriptionsVersion,
} from "../../db/events/endpoints.ts"
import { groupBy } from "../../lib/groupBy.ts"
import type { Log } from "../../telemetry/log.ts"
import type { EventType } from "./eventSchemas.ts"

type EventFacts = { workspaceId: string; botId: string; type: EventType }

export type Subscriptions = {
  /** Whether an enabled endpoint wants events of this type and bot. */
  wants(event: EventFacts): boolean
  /** Whether any event of a bot is subscribed; cheaper than building the events. */
  concern(bot: Omit<EventFacts, "type">): boolean
  /** Whether there is no enabled endpoint. */
  isEmpty(): boolean
  /** Reads a change that was just made here, and has the other processes read it. */
  changed(): Promise<void>
  close(): void
}

type SubscriptionDeps = {
  /** Connections that chats do not wait for. */
  db: Db
  notifications: Pick<Notifications, "on" | "notify">
  log: Log
}

/** Polling interval. */
const everyMs = 4_000

/** Reads the subscriptions and keeps them up to date. */
export async function openSubscriptions(deps: SubscriptionDeps): Promise<Subscriptions> {
  const { db, notifications, log } = deps
  let known = new Map<string, Subscription[]>()
  let version: string | undefined
  let reading: Promise<void> | undefined

  const read = async () => {
    const present = await subscriptionsVersion(db)
    if (present === version) return
    known = groupBy(await listSubscriptions(db), ({ workspaceId }) => workspaceId)
    // Taken before the list is read, so that the next poll sees a change in between.
    version = present
  }
  /** Reads again after the current poll, which may have missed the latest change. */
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
