/** Sums records of results by the version of the flow they belong to. */
import { add, type Recorded } from "./flowCounts.ts"

/** Records of the results of one version, some in flows of other versions. */
export type RecordedByResult = Recorded & { version: string }

/** Sums the records by flow version. */
export function recordedByFlow(all: Iterable<RecordedByResult>): Map<string, Recorded> {
  const flows = new Map<string, Tally>()
  const tallyOf = (version: string) => {
    const found = flows.get(version)
    if (found) return found
    const tally = { results: 0, answers: new Map(), marks: new Map() }
    flows.set(version, tally)
    return tally
  }
  for (const { version, results, answers, marks } of all) {
    const own = tallyOf(version)
    own.results += results
    for (const [block, count] of answers) add(own.answers, block, count)
    for (const [mark, count] of marks) {
      const other = flowOfMark(mark)
      if (other === undefined) add(own.marks, mark, count)
      else move(own, tallyOf(other), { name: mark.slice(0, -other.length - 1), count })
    }
  }
  return flows
}

/** The version that a mark names; undefined: it belongs to the flow of its result. */
export function flowOfMark(mark: string): string | undefined {
  const at = mark.lastIndexOf("@")
  return at < 0 ? undefined : mark.slice(at + 1)
}

type Tally = { results: number; answers: Map<string, number>; marks: Map<string, number> }

/** Moves a count to the flow that it belongs to. */
function move(own: Tally, other: Tally, { name, count }: { name: string; count: number }): void {
  const answer = /^answer-(.*)$/s.exec(name)?.[1]
  const edge = /^edge-(.*)$/s.exec(name)?.[1]
  if (answer !== undefined) {
    add(own.answers, answer, -count)
    add(other.answers, answer, count)
  } else if (edge !== undefined) {
    add(own.marks, edge, -count)
    add(other.marks, edge, count)
  } else add(other.marks, name, count)
}
