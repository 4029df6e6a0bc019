/** Figures that drills and benches print. */

/** The value below which this share of all lies; NaN when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Median and 99th percentile of milliseconds, in words. */
export function latenciesInWords(milliseconds: readonly number[]): string {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(milliseconds, share).toFixed(1))
  return `median ${p50} ms, p99 ${p99} ms`
}
