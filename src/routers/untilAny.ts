/** One signal for several, which can be forgotten. */

/** `AbortSignal.any` would keep every stream for as long as the longest-lived signal. */
export function untilAny(signals: readonly (AbortSignal | undefined)[]): {
  signal: AbortSignal
  forget(): void
} {
  const any = new AbortController()
  const abort = () => any.abort()
  for (const signal of signals) {
    if (signal?.aborted) abort()
    signal?.addEventListener("abort", abort)
  }
  return {
    signal: any.signal,
    forget: () => {
      for (const signal of signals) signal?.removeEventListener("abort", abort)
    },
  }
}
