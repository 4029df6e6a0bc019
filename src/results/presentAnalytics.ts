/** Sums the counts of a bot. */
import { quarterMs } from "../db/results/analytics.ts"
import type { VersionCounts } from "../db/results/counts.ts"
import { countChoices } from "../engine/analytics/countChoices.ts"
import { recordedByFlow } from "../engine/analytics/recorded.ts"
import { groupBy } from "../lib/groupBy.ts"
import { type BlockCounts, createFlowSums, type FlowSums } from "./flowSums.ts"
import type { VersionsRun } from "./versionsRun.ts"

/** The counts to sum, with options. */
type AnalyticsParts = {
  botId: string
  counts: readonly VersionCounts[]
  versions: VersionsRun
  /** Only chats of this version; absent: all. */
  versionId?: string | undefined
  /** The day of an instant in the zone that was asked for, `YYYY-MM-DD`. */
  dayAt(timeMs: number): string
}

/** The numbers of a bot. */
export async function presentAnalytics(parts: AnalyticsParts) {
  const { counts, versionId, dayAt } = parts
  const own = counts.filter((each) => versionId === undefined || each.versionId === versionId)
  const seconds = sumOf(own.map((each) => each.counts.seconds))
  const medianSeconds = medianOf(seconds)
  const flows = await addFlows(parts, own)
  return {
    totals: {
      ...startsOf(own),
      ...(medianSeconds !== undefined && { medianSeconds }),
      modelCalls: sumUp(own.map((each) => each.counts.modelCalls)),
      inputTokens: sumUp(own.map((each) => each.counts.inputTokens)),
      outputTokens: sumUp(own.map((each) => each.counts.outputTokens)),
    },
    byDay: byDayOf(own, dayAt),
    byVersion: byVersionOf(own, parts),
    blocks: flows.flatMap((sums) => sums.blocks()).map(withDropped),
    edges: flows.flatMap((sums) => sums.edges()),
    answers: choicesOf(own, flows),
    models: modelsOf(own),
  }
}

/** Blocks that call models, of old versions too. */
const maxModelBlocks = 1_000

function modelsOf(own: readonly VersionCounts[]) {
  const inputs = sumOf(own.map(({ counts }) => counts.inputTokens))
  const outputs = sumOf(own.map(({ counts }) => counts.outputTokens))
  return [...sumOf(own.map(({ counts }) => counts.modelCalls))]
    .map(([blockId, calls]) => {
      const inputTokens = inputs.get(blockId) ?? 0
      const outputTokens = outputs.get(blockId) ?? 0
      return { blockId, calls, inputTokens, outputTokens }
    })
    .sort((a, b) => b.inputTokens + b.outputTokens - a.inputTokens - a.outputTokens)
    .slice(0, maxModelBlocks)
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
  const inputs = byDay(own.map(({ counts }) => counts.inputTokensAt))
  const outputs = byDay(own.map(({ counts }) => counts.outputTokensAt))
  return [...starts]
    .map(([day, count]) => ({
      day,
      starts: count,
      completions: completions.get(day) ?? 0,
      inputTokens: inputs.get(day) ?? 0,
      outputTokens: outputs.get(day) ?? 0,
    }))
    .sort((one, other) => (one.day < other.day ? -1 : 1))
}

function rateOf(part: number, all: number): number {
  return all === 0 ? 0 : part / all
}

function byVersionOf(own: readonly VersionCounts[], { versions }: AnalyticsParts) {
  return [...groupBy(own, (each) => each.versionId)]
    .map(([id, each]) => ({ id, number: versions.numbers.get(id), ...startsOf(each) }))
    .sort((one, other) => (other.number ?? 0) - (one.number ?? 0))
    .map(({ id: _, number, ...each }) => ({
      ...(number !== undefined && { version: number }),
      ...each,
    }))
}

/** Adds up the flows of the bot, and those of linked bots. */
async function addFlows(
  { botId, counts, versions, versionId }: AnalyticsParts,
  began: readonly VersionCounts[],
): Promise<[own: FlowSums, linked: FlowSums]> {
  const asked = new Set(began.flatMap((each) => Object.keys(each.counts.choices)))
  // Chats of any result may have run the version; which of them went into a linked bot is not known.
  const [own, linked] = [counts, began].map((each) => ({
    recorded: recordedIn(each),
    sums: createFlowSums({ botId, asked, open: sumOf(each.map(({ counts }) => counts.open)) }),
  })) as [FlowsRun, FlowsRun]
  for await (const { id, bot } of versions.load()) {
    const isOwn = bot.id === botId
    const { recorded, sums } = isOwn ? own : linked
    const found = recorded.get(id)
    sums.note(bot)
    if (isOwn && versionId !== undefined && versionId !== id) continue
    if (found) sums.add({ id, bot, recorded: found })
  }
  return [own.sums, linked.sums]
}

type FlowsRun = { recorded: ReturnType<typeof recordedByFlow>; sums: FlowSums }

function recordedIn(counts: readonly VersionCounts[]): FlowsRun["recorded"] {
  return recordedByFlow(
    [...groupBy(counts, (each) => each.versionId)].map(([version, each]) => ({
      version,
      results: sumUp(each.map(({ counts }) => counts.startsAt)),
      answers: sumOf(each.map(({ counts }) => counts.answers)),
      marks: sumOf(each.map(({ counts }) => counts.marks)),
    })),
  )
}

function withDropped(block: BlockCounts) {
  const dropped = block.shown - block.answered - block.open
  return { ...block, dropped, dropOffRate: rateOf(dropped, block.shown) }
}

function choicesOf(began: readonly VersionCounts[], [own, linked]: readonly [FlowSums, FlowSums]) {
  const choices = began.flatMap(({ counts }) => Object.entries(counts.choices))
  const answers = groupBy(choices, ([blockId]) => blockId)
  const found = [...answers].flatMap(([blockId, each]) => {
    const block = own.noted.get(blockId) ?? linked.noted.get(blockId)
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
