/** As `AbortSignal.any`, which browsers of 2023 lack. */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const ending = new AbortController()
  for (const signal of signals) {
    const end = () => ending.abort(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener("abort", end, { signal: ending.signal })
  }
  return ending.signal
}
