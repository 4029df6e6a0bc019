/** Adds up what was counted of a bot. */
import { quarterMs } from "../db/results/analytics.ts"
import type { VersionCounts } from "../db/results/counts.ts"
import { countChoices } from "../engine/analytics/choices.ts"
import { countFlow, type FlowCounts } from "../engine/analytics/flowCounts.ts"
import { recordedByFlow } from "../engine/analytics/recorded.ts"
import { blockAt } from "../engine/bot.ts"
import { groupBy } from "../engine/groupBy.ts"
import type { RunVersion } from "./versionsRun.ts"

/** What to add up, and how. */
type AnalyticsParts = {
  botId: string
  counts: readonly VersionCounts[]
  /** By id; those that are gone are missing. */
  versions: ReadonlyMap<string, RunVersion>
  /** Only chats of this version; absent: all. */
  versionId?: string | undefined
  /** The day of an instant in the zone that was asked for, `YYYY-MM-DD`. */
  dayAt(timeMs: number): string
}

/** The numbers of a bot. */
export function presentAnalytics(parts: AnalyticsParts) {
  const { botId, counts, versionId, dayAt } = parts
  const own = counts.filter((each) => versionId === undefined || each.versionId === versionId)
  const seconds = sumOf(own.map((each) => each.counts.seconds))
  const medianSeconds = medianOf(seconds)
  const flows = flowsOf(parts)
  return {
    totals: { ...startsOf(own), ...(medianSeconds !== undefined && { medianSeconds }) },
    byDay: byDayOf(own, dayAt),
    byVersion: byVersionOf(own, parts),
    blocks: blocksOf(flows, botId),
    edges: edgesOf(flows, botId),
    answers: choicesOf(own, parts),
  }
}

function startsOf(own: readonly VersionCounts[]) {
  const starts = sumUp(own.map(({ counts }) => counts.startsAt))
  const completions = sumUp(own.map(({ counts }) => counts.completionsAt))
  return { starts, completions, completionRate: rateOf(completions, starts) }
}

function sumUp(all: readonly Record<string, number>[]): number {
  return all.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0)
}

function byDayOf(own: readonly VersionCounts[], dayAt: AnalyticsParts["dayAt"]) {
  const byDay = (all: readonly Record<string, number>[]) => {
    const named = [...sumOf(all)].map(([quarter, count]) => ({
      [dayAt(Number(quarter) * quarterMs)]: count,
    }))
    return sumOf(named)
  }
  const starts = byDay(own.map(({ counts }) => counts.startsAt))
  const completions = byDay(own.map(({ counts }) => counts.completionsAt))
  return [...starts]
    .map(([day, count]) => ({ day, starts: count, completions: completions.get(day) ?? 0 }))
    .sort((one, other) => (one.day < other.day ? -1 : 1))
}

function rateOf(part: number, all: number): number {
  return all === 0 ? 0 : part / all
}

function byVersionOf(own: readonly VersionCounts[], { versions }: AnalyticsParts) {
  return [...groupBy(own, (each) => each.versionId)]
    .map(([id, each]) => ({ id, number: versions.get(id)?.number, ...startsOf(each) }))
    .sort((one, other) => (other.number ?? 0) - (one.number ?? 0))
    .map(({ id: _, number, ...each }) => ({
      ...(number !== undefined && { version: number }),
      ...each,
    }))
}

/** A flow that chats ran, and what happened in it. */
type RunFlow = RunVersion & FlowCounts & { id: string; open: ReadonlyMap<string, number> }

/** The newest version first: it says in which group a block is. Linked bots come last. */
function flowsOf({ botId, counts, versions, versionId }: AnalyticsParts): RunFlow[] {
  const isWanted = (id: string) => versionId === undefined || versionId === id
  const began = counts.filter((each) => isWanted(each.versionId))
  // Chats of any result may have run the version; which of them went into a linked bot is not known.
  const own = countFlows(counts, versions).filter(({ id, bot }) => bot.id === botId && isWanted(id))
  const linked = countFlows(began, versions).filter(({ bot }) => bot.id !== botId)
  return [...own, ...linked]
}

function countFlows(counts: readonly VersionCounts[], versions: AnalyticsParts["versions"]) {
  const recorded = recordedByFlow(
    [...groupBy(counts, (each) => each.versionId)].map(([version, each]) => ({
      version,
      results: sumUp(each.map(({ counts }) => counts.startsAt)),
      answers: sumOf(each.map(({ counts }) => counts.answers)),
      marks: sumOf(each.map(({ counts }) => counts.marks)),
    })),
  )
  const open = sumOf(counts.map((each) => each.counts.open))
  return [...recorded]
    .flatMap(([id, own]) => {
      const version = versions.get(id)
      return version ? [{ id, open, ...version, ...countFlow(version.bot, own) }] : []
    })
    .sort((one, other) => (other.number ?? 0) - (one.number ?? 0))
}

/** How people dealt with a question; `botId` is only there for linked bots. */
type BlockCounts = {
  blockId: string
  groupId: string
  botId?: string
  shown: number
  answered: number
  skipped: number
  open: number
}

function blocksOf(flows: readonly RunFlow[], botId: string) {
  const blocks = new Map<string, BlockCounts>()
  for (const { id, bot, inputs, open } of flows) {
    for (const input of inputs) {
      // Copies of a bot share the ids of their blocks.
      const key = JSON.stringify([bot.id, input.blockId])
      const known = blocks.get(key)
      const waiting = open.get(`${id} ${input.blockId}`) ?? 0
      blocks.set(key, {
        blockId: input.blockId,
        groupId: known?.groupId ?? input.groupId,
        ...(bot.id !== botId && { botId: bot.id }),
        shown: (known?.shown ?? 0) + Math.max(input.shown, input.answered + waiting),
        answered: (known?.answered ?? 0) + input.answered,
        skipped: (known?.skipped ?? 0) + input.skipped,
        open: (known?.open ?? 0) + waiting,
      })
    }
  }
  return [...blocks.values()].map(withDropped)
}

function edgesOf(flows: readonly RunFlow[], botId: string) {
  return [...groupBy(flows, ({ bot }) => bot.id)].flatMap(([id, each]) =>
    [...sumOf(each.map(({ edges }) => edges))].map(([edgeId, count]) => ({
      edgeId,
      ...(id !== botId && { botId: id }),
      count,
    })),
  )
}

function withDropped(block: BlockCounts) {
  const dropped = block.shown - block.answered - block.open
  return { ...block, dropped, dropOffRate: rateOf(dropped, block.shown) }
}

function choicesOf(own: readonly VersionCounts[], { botId, versions }: AnalyticsParts) {
  const choices = own.flatMap(({ counts }) => Object.entries(counts.choices))
  const answers = groupBy(choices, ([blockId]) => blockId)
  const isLinked = ({ bot }: RunVersion) => Number(bot.id !== botId)
  const newest = [...versions.values()].sort(
    (a, b) => isLinked(a) - isLinked(b) || (b.number ?? 0) - (a.number ?? 0),
  )
  const found = [...answers].flatMap(([blockId, each]) => {
    const here = newest.flatMap(({ bot }) => bot.positions.get(blockId) ?? [])[0]
    const block = here && blockAt(here)
    // The one name that readers of JSON may not accept as a member.
    return block && blockId !== "__proto__"
      ? [[blockId, countChoices(block, sumOf(each.map(([, values]) => values)))] as const]
      : []
  })
  return Object.fromEntries(found)
}

type Counts = Record<string, number> | ReadonlyMap<string, number>

function sumOf(all: readonly Counts[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const counts of all) {
    const entries = counts instanceof Map ? counts : Object.entries(counts)
    for (const [key, count] of entries) sum.set(key, (sum.get(key) ?? 0) + Number(count))
  }
  return sum
}

/** Of an even number, the mean of the two in the middle. */
function medianOf(counts: ReadonlyMap<string, number>): number | undefined {
  const sorted = [...counts].map(([value, count]) => [Number(value), count] as const)
  sorted.sort(([one], [other]) => one - other)
  const all = sorted.reduce((sum, [, count]) => sum + count, 0)
  const at = (rank: number) => {
    let passed = 0
    return sorted.find(([, count]) => {
      passed += count
      return passed > rank
    })?.[0]
  }
  const low = at(Math.floor((all - 1) / 2))
  const high = at(Math.floor(all / 2))
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
