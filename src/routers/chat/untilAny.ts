/** A signal that aborts with any of several, and holds on to none of them afterwards. */

/** `AbortSignal.any` would hold on to every stream for as long as the longest signal lives. */
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
