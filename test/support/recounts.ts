/** Adds up what turns have recorded, as the queries over stored results do. */
import type { RecordedByResult } from "../../src/engine/analytics/recorded.ts"
import type { Turn } from "../../src/engine/turn/run.ts"

/** What the results that the turns wrote hold together, by the version that each began with. */
export function countedFrom(turns: readonly Turn[]): Map<string, RecordedByResult> {
  const versions = new Map<string, string>()
  const counted = new Map<string, Tally>()
  for (const { resultId, version, ...record } of turns.flatMap((turn) => turn.results)) {
    const first = versions.get(resultId) ?? version
    const found = counted.get(first) ?? {
      version: first,
      results: 0,
      answers: new Map(),
      marks: new Map(),
    }
    counted.set(first, found)
    if (!versions.has(resultId)) found.results += 1
    versions.set(resultId, first)
    for (const { blockId } of record.answers) add(found.answers, blockId)
    for (const mark of [...record.edges, ...record.marks]) add(found.marks, mark)
  }
  return counted
}

type Tally = {
  version: string
  results: number
  answers: Map<string, number>
  marks: Map<string, number>
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
