/** Counts the results of past days ahead of requests, so that analytics answer quickly. */
import type { Db } from "../db/connection/openDatabase.ts"
import { countByBot, quarterMs } from "../db/results/analytics.ts"
import {
  addVoidDays,
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
import { groupBy } from "../lib/groupBy.ts"
import { firstUuidAt, newUuid, timeOfUuid } from "../lib/ids.ts"
import { countResults, pageSize } from "./countResults.ts"
import { createSums } from "./createSums.ts"

type Deps = { db: Db; now(): number }

const dayMs = 86_400_000
// Most chats that were going on at midnight are over by then.
const settleMs = 3_600_000
/** Results after which a count is saved, so that a process that ends loses no more. */
const sliceSize = 10_000
/** Results of a bot after which the others have their turn. */
const turnSize = 40_000

/**
 * Counts days that are over, the newest first, and days of single bots that are void. A day that was never
 * counted is void for its bots first: each has its counts when they are done, and a run that is cut short is
 * continued by the next.
 */
export async function countDays(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ days: number; voids: number }> {
  const { db, now } = deps
  const due = new Map((await listDue(db, now())).map((each) => [each.day, each]))
  const voids = (await listVoidDays(db)).filter(({ day }) => !due.has(day))
  const voidBots = groupBy(voids, ({ day }) => day)
  const turns = createTurns(deps, signal)
  for (const day of [...new Set([...due.keys(), ...voidBots.keys()])].sort().reverse()) {
    const known = due.get(day)
    if (known) await countDay(db, turns, known)
    else for (const { botId } of voidBots.get(day) ?? []) await turns.count([botId], day)
  }
  while (turns.begin()) {
    for (const { botId, day } of await listVoidDays(db)) await turns.count([botId], day)
  }
  return { days: due.size, voids: voids.length }
}

type DueDay = { day: string; isFirst: boolean }

async function countDay(db: Db, turns: Turns, { day, isFirst }: DueDay): Promise<void> {
  const counted = { day, countId: newUuid() }
  await beginDay(db, counted)
  const bots = await countByBot(db, rangeOf(day))
  const batches = batchesOf(bots)
  if (isFirst) {
    for (const botIds of batches) await addVoidDays(db, botIds, day)
    await finishDay(db, counted)
  }
  // A count of before holds until the next is begun, which does not wait for other bots then.
  for (const botIds of batches) await turns.count(botIds, day, { isWhole: !isFirst })
  if (!isFirst) await finishDay(db, counted)
}

/**
 * Batches of bots that have at most a page of results together, or of a single bot with more. Those with the
 * fewest come first, and do not wait for the others.
 */
function batchesOf(bots: readonly { botId: string; results: number }[]): string[][] {
  const batches: string[][] = []
  let room = 0
  for (const { botId, results } of [...bots].sort((one, other) => one.results - other.results)) {
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

type Turns = ReturnType<typeof createTurns>

function createTurns(deps: Deps, signal: AbortSignal) {
  const spent = new Map<string, number>()
  let hasMore = false
  return {
    /** Counts a day of bots as far as their turn goes; `isWhole`: to its end. */
    async count(botIds: readonly string[], day: string, { isWhole } = { isWhole: false }) {
      const [first = ""] = botIds
      const room = () => (isWhole ? Infinity : turnSize - (spent.get(first) ?? 0))
      const botsDay = { botIds, day, countId: newUuid() }
      const { startMs, endMs } = { startMs: Date.parse(day), endMs: Date.parse(day) + dayMs }
      if (room() <= 0) {
        hasMore = true
        return
      }
      signal.throwIfAborted()
      const quarter = await beginBotsDay(deps.db, botsDay)
      let beforeMs = quarter === undefined ? endMs : quarter * quarterMs
      while (beforeMs > startMs && room() > 0) {
        const slice = await countSlice(deps, signal, { ...botsDay, startMs, beforeMs })
        if (!slice) return
        beforeMs = slice.fromMs
        // Bots of a batch have few results together.
        if (botIds.length === 1) spent.set(first, (spent.get(first) ?? 0) + slice.count)
      }
      hasMore ||= beforeMs > startMs
    },
    /** Begins the next turn of each bot, if one had more to count. */
    begin() {
      spent.clear()
      const had = hasMore
      hasMore = false
      return had
    },
  }
}

type Slice = BotsDay & { startMs: number; beforeMs: number }

/** Counts and saves the latest results of a part of a day. Absent: another count has begun. */
async function countSlice(
  { db, now }: Deps,
  signal: AbortSignal,
  { startMs, beforeMs, ...botsDay }: Slice,
): Promise<{ count: number; fromMs: number } | undefined> {
  const sums = createSums()
  const count = async (range: ResultRange, limit?: number) => {
    const request = { ...range, botIds: botsDay.botIds, nowMs: now(), limit }
    return await countResults(db, sums, { ...request, hasLeft: () => signal.aborted })
  }
  const fromId = firstUuidAt(startMs)
  const latest = await count({ fromId, beforeId: firstUuidAt(beforeMs) }, sliceSize)
  let [total, fromMs] = [latest.count, startMs]
  if (latest.leftBeforeId !== undefined) {
    // Parts are stored by quarter: the rest of this one belongs to it.
    fromMs = Math.floor(timeOfUuid(latest.leftBeforeId) / quarterMs) * quarterMs
    const rest = await count({ fromId: firstUuidAt(fromMs), beforeId: latest.leftBeforeId })
    total += rest.count
  }
  const part = { from: fromMs / quarterMs, all: sums.all() }
  return (await saveBotsDay(db, botsDay, part)) ? { count: total, fromMs } : undefined
}

function rangeOf(day: string): ResultRange {
  const startMs = Date.parse(day)
  return { fromId: firstUuidAt(startMs), beforeId: firstUuidAt(startMs + dayMs) }
}

/** The days that are to be counted, newest first. */
async function listDue(db: Db, nowMs: number): Promise<DueDay[]> {
  const oldest = await findFirstResultFrom(db, firstUuidAt(0))
  if (oldest === undefined) return []
  const known = new Map((await listDays(db)).map((each) => [each.day, each]))
  const due: DueDay[] = []
  const last = Math.floor((nowMs - settleMs) / dayMs) * dayMs - dayMs
  for (let startMs = last; startMs + dayMs > timeOfUuid(oldest); startMs -= dayMs) {
    const day = new Date(startMs).toISOString().slice(0, 10)
    const before = known.get(day)
    if (isDue(before, { endMs: startMs + dayMs, nowMs })) {
      due.push({ day, isFirst: !before?.countedAt })
    }
  }
  return due
}

/** Chats may still continue, and returning visitors continue old results, but ever more rarely. */
function isDue(known: CountedDay | undefined, { endMs, nowMs }: { endMs: number; nowMs: number }) {
  if (!known?.countedAt) return true
  return nowMs - endMs >= 2 * (known.countedAt.getTime() - endMs)
}
