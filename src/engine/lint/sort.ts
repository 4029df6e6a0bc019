/** Sorts long lists in steps. */
import type { Steps } from "../steps.ts"

/** Elements that are sorted, or merged, without a pause. */
const stretch = 256

/** The elements in order, equal ones as they came: short stretches are sorted, then merged. */
export function* sorted<T>(
  elements: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < elements.length; at += stretch) {
    runs.push(elements.slice(at, at + stretch).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<T[]> {
  const merged: T[] = []
  let at = 0
  for (const element of one) {
    for (let next = other[at]; next !== undefined && compare(element, next) > 0; next = other[at]) {
      merged.push(next)
      at++
    }
    merged.push(element)
    if (merged.length % stretch === 0) yield
  }
  return merged.concat(other.slice(at))
}
