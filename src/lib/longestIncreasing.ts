/** Finds what may stay in place when a list is put into another order. */

/** Indexes of a longest increasing subsequence; the numbers are distinct. */
export function longestIncreasing(numbers: readonly number[]): number[] {
  // For each length, the index of the smallest number that ends an increasing sequence of that length.
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [at, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1])
    ends[low] = at
  }
  const found: number[] = []
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.push(at)
  return found
}
