/** What the replays of many conversations came to: differences by their cause, and who sees them. */
import type { Difference, Place, Replayed, ReplayObstacle } from "./difference.ts"

/** A difference that many see. */
export type Effect = Difference & {
  /** In how many conversations it comes first. */
  conversations: number
  /** In how many of these the reply would have been read otherwise. */
  answersChanged: number
  /** Ids of the results of some of them. */
  examples: string[]
}

/** Conversations that could not be replayed. */
export type Unreplayed = { reason: ReplayObstacle; conversations: number; examples: string[] }

export type ReplayReport = {
  conversations: number
  /** How many come to the same. */
  unchanged: number
  /** What most see comes first. */
  differences: Effect[]
  notReplayed: Unreplayed[]
}

/** Examples that are named of each difference. */
const mostExamples = 5

/** The report on one conversation. */
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
  const differences = new Map<string, Effect>()
  const notReplayed = new Map<string, Unreplayed>()
  for (const report of reports) {
    for (const each of report.differences) {
      const cause = JSON.stringify([each.kind, each.variable, idOf(each.before), idOf(each.after)])
      const known = differences.get(cause)
      if (!known) differences.set(cause, { ...each })
      else known.answersChanged += each.answersChanged
      if (known) join(known, each)
    }
    for (const each of report.notReplayed) {
      const known = notReplayed.get(each.reason)
      if (known) join(known, each)
      else notReplayed.set(each.reason, { ...each })
    }
  }
  const sum = (of: (report: ReplayReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  return {
    conversations: sum((report) => report.conversations),
    unchanged: sum((report) => report.unchanged),
    differences: [...differences.values()].toSorted(byConversations),
    notReplayed: [...notReplayed.values()].toSorted(byConversations),
  }
}

type Counted = { conversations: number; examples: string[] }

function join(known: Counted, more: Counted): void {
  known.conversations += more.conversations
  known.examples = [...known.examples, ...more.examples].slice(0, mostExamples)
}

const byConversations = (one: Counted, other: Counted) => other.conversations - one.conversations

const idOf = (place: Place | undefined) => place?.blockId ?? place?.groupTitle
