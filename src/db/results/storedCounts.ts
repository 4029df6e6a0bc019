/** Adds up what the results of bots hold. */
import type { StoredCounts } from "../schema/countTables.ts"

/** Counts of nothing yet. */
export function noCounts(): StoredCounts {
  // Without prototypes: blocks and answers may be called anything.
  const empty = () => Object.create(null) as Record<string, number>
  return {
    starts: 0,
    completions: 0,
    seconds: empty(),
    answers: empty(),
    choices: Object.create(null) as StoredCounts["choices"],
    marks: empty(),
    open: empty(),
  }
}

/** Adds to the number under a name. */
export function addCount(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}

/** Adds the number of times that something was answered to a question. */
export function addChoice(
  { choices }: StoredCounts,
  { block, content, count }: { block: string; content: string; count: number },
): void {
  choices[block] ??= Object.create(null) as Record<string, number>
  addCount(choices[block], content, count)
}

/** Adds other counts to these. Returns how many names those have. */
export function addCounts(counts: StoredCounts, more: StoredCounts): number {
  let names = 0
  counts.starts += more.starts
  counts.completions += more.completions
  for (const part of ["seconds", "answers", "marks", "open"] as const) {
    for (const [name, count] of Object.entries(more[part])) {
      addCount(counts[part], name, count)
      names += 1
    }
  }
  for (const [block, answers] of Object.entries(more.choices)) {
    for (const [content, count] of Object.entries(answers)) {
      addChoice(counts, { block, content, count })
      names += 1
    }
  }
  return names
}
