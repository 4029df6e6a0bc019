/** Opens streams: each counts for the address of its caller, and ends with the service. */
import type { Context } from "./context.ts"

/** Opens one; `left` aborts when its caller leaves. 429 when too many are open. */
export function openStream(
  { live, ip }: Pick<Context, "live" | "ip">,
  left: AbortSignal | undefined,
) {
  const release = live.admit(ip)
  const ending = new AbortController()
  const abort = () => ending.abort()
  // `AbortSignal.any` would keep every stream for as long as the service lives.
  const signals = [live.stopping, left]
  for (const signal of signals) {
    if (signal?.aborted) abort()
    signal?.addEventListener("abort", abort)
  }
  return {
    /** Aborts when the caller has left, or the service stops. */
    signal: ending.signal,
    /** To be called when the stream is over, however it ended. */
    close() {
      release()
      for (const signal of signals) signal?.removeEventListener("abort", abort)
    },
  }
}
