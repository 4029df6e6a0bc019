/** Resolves after a time; rejects if the signal aborts first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, ms)
  })
}
