/** Counts the results of past days ahead of requests, so that analytics answer quickly. */
import type { Db } from "../db/connection/openDatabase.ts"
import { countByBot } from "../db/results/analytics.ts"
import {
  type BotsDay,
  beginBotsDay,
  beginDay,
  type CountedDay,
  finishDay,
  listDays,
  listVoidDays,
  saveBotsDay,
} from "../db/results/countedDays.ts"
import { findFirstResultFrom } from "../db/results/purge.ts"
import type { ResultRange } from "../db/results/resultAddress.ts"
import { firstUuidAt, newUuid, timeOfUuid } from "../lib/ids.ts"
import { countResults, pageSize } from "./countResults.ts"
import { createSums } from "./createSums.ts"

type Deps = { db: Db; now(): number }

const dayMs = 86_400_000
// Most chats that were going on at midnight are over by then.
const settleMs = 3_600_000

/** Counts days that are over, the newest first, and days of single bots that are void. */
export async function countDays(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ days: number; voids: number }> {
  const { db, now } = deps
  const count = (botIds: readonly string[], day: string) => {
    signal.throwIfAborted()
    return countBotsDay(deps, { botIds, day, countId: newUuid() })
  }
  const due = await listDue(db, now())
  for (const day of due) {
    const counted = { day, countId: newUuid() }
    await beginDay(db, counted)
    const bots = await countByBot(db, rangeOf(day))
    for (const botIds of batchesOf(bots)) await count(botIds, day)
    await finishDay(db, counted)
  }
  const voids = await listVoidDays(db)
  for (const { botId, day } of voids) await count([botId], day)
  return { days: due.length, voids: voids.length }
}

/** Batches of bots that have at most a page of results together, or of a single bot with more. */
function batchesOf(bots: readonly { botId: string; results: number }[]): string[][] {
  const batches: string[][] = []
  let room = 0
  for (const { botId, results } of bots) {
    const batch = batches.at(-1)
    if (batch && results <= room) batch.push(botId)
    else {
      batches.push([botId])
      room = pageSize
    }
    room -= results
  }
  return batches
}

async function countBotsDay({ db, now }: Deps, count: BotsDay): Promise<void> {
  await beginBotsDay(db, count)
  const sums = createSums()
  await countResults(db, sums, { ...count, ...rangeOf(count.day), nowMs: now() })
  await saveBotsDay(db, count, sums.all())
}

function rangeOf(day: string): ResultRange {
  const startMs = Date.parse(day)
  return { fromId: firstUuidAt(startMs), beforeId: firstUuidAt(startMs + dayMs) }
}

/** The days that are to be counted, newest first. */
async function listDue(db: Db, nowMs: number): Promise<string[]> {
  const oldest = await findFirstResultFrom(db, firstUuidAt(0))
  if (oldest === undefined) return []
  const known = new Map((await listDays(db)).map((each) => [each.day, each]))
  const due: string[] = []
  const last = Math.floor((nowMs - settleMs) / dayMs) * dayMs - dayMs
  for (let startMs = last; startMs + dayMs > timeOfUuid(oldest); startMs -= dayMs) {
    const day = new Date(startMs).toISOString().slice(0, 10)
    if (isDue(known.get(day), { endMs: startMs + dayMs, nowMs })) due.push(day)
  }
  return due
}

/** Chats may still continue, and returning visitors continue old results, but ever more rarely. */
function isDue(known: CountedDay | undefined, { endMs, nowMs }: { endMs: number; nowMs: number }) {
  if (!known?.countedAt) return true
  return nowMs - endMs >= 2 * (known.countedAt.getTime() - endMs)
}
