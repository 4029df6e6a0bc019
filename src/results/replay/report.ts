/** Reports on many replays: differences by cause, with counts. */
import type { Place, Replayed, ReplayReport } from "./difference.ts"

/** Examples that are named of each difference. */
const maxExamples = 5

export function reportOf(resultId: string, replayed: Replayed): ReplayReport {
  const report = { conversations: 1, unchanged: 0, differences: [], notReplayed: [] }
  const seen = { conversations: 1, examples: [resultId] }
  if ("isSame" in replayed) return { ...report, unchanged: 1 }
  if ("obstacle" in replayed) {
    return { ...report, notReplayed: [{ reason: replayed.obstacle, ...seen }] }
  }
  const { difference, isReadOtherwise } = replayed
  return { ...report, differences: [{ ...difference, answersChanged: +isReadOtherwise, ...seen }] }
}

/** Joins reports on different conversations: the same block that differs in the same way is one cause. */
export function joinReports(reports: readonly ReplayReport[]): ReplayReport {
  const sum = (of: (report: ReplayReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  return {
    conversations: sum((report) => report.conversations),
    unchanged: sum((report) => report.unchanged),
    differences: joined(
      reports.flatMap((report) => report.differences),
      ({ kind, variable, before, after }) =>
        JSON.stringify([kind, variable, idOf(before), idOf(after)]),
    ),
    notReplayed: joined(
      reports.flatMap((report) => report.notReplayed),
      ({ reason }) => reason,
    ),
  }
}

type Counted = { conversations: number; answersChanged?: number; examples: string[] }

/** Joins entries of the same cause; the most frequent first. */
function joined<Each extends Counted>(all: readonly Each[], causeOf: (each: Each) => string) {
  const causes = new Map<string, Each>()
  for (const each of all) {
    const known = causes.get(causeOf(each))
    if (known) add(known, each)
    else causes.set(causeOf(each), { ...each })
  }
  return [...causes.values()].toSorted((one, other) => other.conversations - one.conversations)
}

function add(known: Counted, more: Counted): void {
  known.conversations += more.conversations
  if (known.answersChanged !== undefined) known.answersChanged += more.answersChanged ?? 0
  known.examples = [...known.examples, ...more.examples].slice(0, maxExamples)
}

const idOf = (place: Place | undefined) => place?.blockId ?? place?.groupTitle
