/** Wakes a reader once for any number of rings. */
export function createBell(signal: AbortSignal) {
  let isRung = true
  let wake = () => {}
  const ring = () => {
    isRung = true
    wake()
  }
  signal.addEventListener("abort", ring, { once: true })
  return {
    ring,
    /** Resolves once it was rung since the last time; to false when the signal was aborted. */
    async rings(): Promise<boolean> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      isRung = false
      return !signal.aborted
    },
  }
}
