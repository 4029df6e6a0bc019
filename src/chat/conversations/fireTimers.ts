/** Looks for silence: fires the timers of chats that are due, within seconds. */
import { setTimeout as sleep } from "node:timers/promises"
import { type ListedTimer, listDueTimers, postponeTimer } from "../../db/chats/timers.ts"
import { failureOf } from "../../db/connection/databaseFailures.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { createCap } from "../../lib/caps.ts"
import type { Log } from "../../telemetry/log.ts"
import type { Chat } from "../chat.ts"
import { type Fired, fireTimer } from "./fireTimer.ts"

/** Dependencies of the timer loop. */
type Firing = {
  /** Connections that chats do not wait for. */
  db: Db
  log: Log
  /** How long to keep looking, a minute by default. */
  forMs?: number
  /** Time between two looks, a second by default. */
  everyMs?: number
}

const listedAtOnce = 1_000
/** Max queries per look, each without the bots and creators that are at their limit. */
const maxLists = 20
/** Time to the next look while more are due than may be fired at a time. */
const soonMs = 100
/** Time between two timers of one look, so that chats come in between. */
const paceMs = 2
/** A flow that fails is not tried at every look. */
const failedSeconds = 60

/** Fires due timers, look by look, until the time is over or `signal` aborts. Returns counts by result. */
export async function fireTimers(
  chat: Chat,
  { forMs = 60_000, everyMs = 1_000, ...deps }: Firing,
  signal: AbortSignal,
): Promise<Record<Fired, number>> {
  const endAt = performance.now() + forMs
  const firing = openFiring(chat, deps)
  while (!signal.aborted) {
    const isMore = await firing.look()
    if (performance.now() >= endAt) break
    await sleep(isMore ? soonMs : everyMs, undefined, { signal }).catch(() => {})
  }
  await firing.end()
  return firing.counts
}

/** Timers being fired, each once at a time. */
function openFiring(chat: Chat, { db, log }: Firing) {
  const admit = createCap("timers")
  const running = new Map<string, Promise<void>>()
  const counts: Record<Fired, number> = {
    idle: 0,
    resumed: 0,
    expired: 0,
    postponed: 0,
    gone: 0,
    busy: 0,
  }
  /** Takes a slot; undefined: the bot or its creator has none left, and is skipped from now on. */
  const enter = ({ botId, creatorId }: ListedTimer, without: LeftOut) => {
    try {
      return admit({ bot: botId ?? "", creator: creatorId ?? "" }, (full) => {
        if (full === "bot") without.botIds.add(botId ?? "")
        else without.creatorIds.add(creatorId ?? "")
        return new Error("No place is free")
      })
    } catch {
      return undefined
    }
  }

  const fire = async (due: ListedTimer, leave: () => void) => {
    try {
      counts[await fireTimer(chat, due)] += 1
    } catch (err) {
      const { resultId } = due
      log.warn({ err, resultId }, "A timer could not be fired")
      // When the database failed, the timer stays due for when it is back.
      if (failureOf(err) === undefined) {
        await postponeTimer(db, due, failedSeconds).catch(() => {})
      }
    } finally {
      running.delete(due.sessionId)
      leave()
    }
  }
  return {
    counts,
    /** Fires due timers; resolves to whether more are due and slots are being freed. */
    async look(): Promise<boolean> {
      const without: LeftOut = { botIds: new Set(), creatorIds: new Set() }
      let isNew = false
      let isMore = false
      for (let list = 0; list < maxLists; list++) {
        const found = await listDueTimers(db, {
          limit: listedAtOnce,
          without: { botIds: [...without.botIds], creatorIds: [...without.creatorIds] },
        })
        const leftOut = sizeOf(without)
        for (const due of found) {
          if (running.has(due.sessionId)) continue
          const leave = enter(due, without)
          if (!leave) {
            isMore = true
            continue
          }
          running.set(due.sessionId, fire(due, leave))
          isNew = true
          await sleep(paceMs)
        }
        // Bots and creators at their limit must not hide the timers of others.
        if (found.length < listedAtOnce || sizeOf(without) === leftOut) break
      }
      return isNew && isMore
    },
    async end() {
      await Promise.all(running.values())
    },
  }
}

/** Bots and creators of workspaces skipped by a look. */
type LeftOut = { botIds: Set<string>; creatorIds: Set<string> }

function sizeOf({ botIds, creatorIds }: LeftOut): number {
  return botIds.size + creatorIds.size
}
