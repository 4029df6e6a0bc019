/** Looks for silence: fires the timers of chats that are due, within seconds. */
import { setTimeout as sleep } from "node:timers/promises"
import { type ListedTimer, listDueTimers, postponeTimer } from "../../db/chats/timers.ts"
import { failureOf } from "../../db/connection/failures.ts"
import type { Db } from "../../db/connection/open.ts"
import type { Log } from "../../telemetry/log.ts"
import type { Chat } from "../chat.ts"
import { type Fired, fireTimer } from "./fireTimer.ts"

/** What timers are looked for with. */
type Firing = {
  /** Connections that chats do not wait for. */
  db: Db
  log: Log
  /** How long to go on looking, a minute by default. */
  forMs?: number
  /** Time between two looks, a second by default. */
  everyMs?: number
}

/** Most timers that are fired at a time: their paths may wait for other systems. */
const atOnce = 200
/** Most of one bot, whose systems may hang. */
const atOncePerBot = 50
const listedAtOnce = 1_000
/** Time to the next look while more are due than may be fired at a time. */
const soonMs = 100
/** Time between two timers of one look, so that chats come in between. */
const paceMs = 2
/** A flow that fails is not tried at every look. */
const failedSeconds = 60

/** Fires what is due, look by look, until the time is over or `signal` aborts; counts what came of it. */
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

/** What is being fired, each timer once at a time. */
function openFiring(chat: Chat, { db, log }: Firing) {
  const running = new Map<string, { botId: string | null; done: Promise<void> }>()
  const counts: Record<Fired, number> = { idle: 0, expired: 0, postponed: 0, gone: 0, busy: 0 }
  const ofBot = (botId: string | null) =>
    [...running.values()].filter((each) => each.botId === botId).length
  /** Bots that have enough under way: their timers must not hide those of others. */
  const busyBots = () => {
    const botIds = new Set([...running.values()].map(({ botId }) => botId))
    return [...botIds].flatMap((id) => (id !== null && ofBot(id) >= atOncePerBot ? [id] : []))
  }

  const fire = async (due: ListedTimer) => {
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
    }
  }
  return {
    counts,
    /** Fires what is due; resolves to whether there is more, and room is being made. */
    async look(): Promise<boolean> {
      if (running.size >= atOnce) return false
      const without = busyBots()
      const found = await listDueTimers(db, { limit: listedAtOnce, without })
      let isNew = false
      let isMore = without.length > 0
      for (const due of found) {
        if (running.has(due.sessionId)) continue
        if (running.size >= atOnce || ofBot(due.botId) >= atOncePerBot) {
          isMore = true
          continue
        }
        const entry = { botId: due.botId, done: Promise.resolve() }
        running.set(due.sessionId, entry)
        entry.done = fire(due)
        isNew = true
        await sleep(paceMs)
      }
      return isNew && isMore
    },
    async end() {
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}
