/** Adds up what the results of bots hold. */
import type { Counts } from "../schema/countTables.ts"

/** What the results of one version hold. */
export type VersionCounts = { botId: string; versionId: string; counts: Counts }

/** The members whose names are counted each by itself. */
export const parts = [
  "startsAt",
  "completionsAt",
  "seconds",
  "answers",
  "marks",
  "open",
] as const satisfies readonly (keyof Counts)[]

/** A number to add: of answers to choices with the block that they answer. */
export type Counted = {
  botId: string
  versionId: string
  part: keyof Counts
  block?: string | null
  name: string
  count: number
}

/** Adds numbers up, by version. */
export class Sums {
  readonly #byVersion = new Map<string, VersionCounts>()

  /** The counts of each version. */
  all(): VersionCounts[] {
    return [...this.#byVersion.values()]
  }

  add(rows: readonly Counted[]): void {
    for (const { part, block, name, count, ...of } of rows) {
      const { counts } = this.#of(of)
      if (part !== "choices") addTo(counts[part], name, count)
      else if (typeof block === "string") {
        counts.choices[block] ??= names()
        addTo(counts.choices[block], name, count)
      }
    }
  }

  /** Adds counts that were added up before. */
  addAll(all: readonly VersionCounts[]): void {
    for (const { counts, ...of } of all) {
      for (const part of parts) this.add(rowsOf(counts[part], { ...of, part }))
      for (const [block, said] of Object.entries(counts.choices)) {
        this.add(rowsOf(said, { ...of, part: "choices", block }))
      }
    }
  }

  #of({ botId, versionId }: Omit<VersionCounts, "counts">): VersionCounts {
    const key = `${botId} ${versionId}`
    const known = this.#byVersion.get(key) ?? { botId, versionId, counts: noCounts() }
    this.#byVersion.set(key, known)
    return known
  }
}

function rowsOf(counts: Record<string, number>, of: Omit<Counted, "name" | "count">): Counted[] {
  return Object.entries(counts).map(([name, count]) => ({ ...of, name, count }))
}

function noCounts(): Counts {
  return {
    startsAt: names(),
    completionsAt: names(),
    seconds: names(),
    answers: names(),
    marks: names(),
    open: names(),
    choices: Object.create(null) as Counts["choices"],
  }
}

/** Without a prototype: blocks and answers may be called anything. */
function names(): Record<string, number> {
  return Object.create(null) as Record<string, number>
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}
