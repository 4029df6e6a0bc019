/** Sums the contents of bots' results by version. */
import type { Counted, VersionCounts } from "../db/results/counts.ts"
import { maxBytes } from "../lib/responseSize.ts"

export type Sums = ReturnType<typeof createSums>

export function createSums() {
  const byVersion = new Map<string, VersionCounts>()
  /** Characters of further texts that were chosen: there may be any number of different ones. */
  let room = maxBytes
  const countsOf = ({ botId, versionId }: Counted) => {
    const key = `${botId} ${versionId}`
    const known = byVersion.get(key) ?? { botId, versionId, counts: noCounts() }
    byVersion.set(key, known)
    return known.counts
  }
  return {
    all: () => [...byVersion.values()],
    add(rows: readonly Counted[]) {
      for (const row of rows) {
        const { part, block, name, count } = row
        const counts = countsOf(row)
        if (part !== "choices") addTo(counts[part], name, count)
        else if (typeof block === "string") {
          counts.choices[block] ??= names()
          const chosen = counts.choices[block]
          if (!(name in chosen)) room -= name.length
          if (name in chosen || room >= 0) addTo(chosen, name, count)
        }
      }
    },
  }
}

function noCounts(): VersionCounts["counts"] {
  return {
    startsAt: names(),
    completionsAt: names(),
    seconds: names(),
    answers: names(),
    marks: names(),
    open: names(),
    modelCalls: names(),
    inputTokens: names(),
    outputTokens: names(),
    inputTokensAt: names(),
    outputTokensAt: names(),
    choices: Object.create(null) as VersionCounts["counts"]["choices"],
  }
}

/** Without a prototype: blocks and answers may have any name. */
function names(): Record<string, number> {
  return Object.create(null) as Record<string, number>
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}
