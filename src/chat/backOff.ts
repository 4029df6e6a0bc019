/**
 * Waits between two looks at a session that is at work in another process. Turns of this process wait
 * for each other in its queue instead, which wakes the next one directly, so that one turn per session
 * and process looks.
 */
const shortestMs = 25
const longestMs = 500

/** Waits; a little longer each time, until the session has another revision than the time before. */
export type BackOff = (revision: number | undefined) => Promise<void>

/** Opens the waits of one turn; none goes beyond the deadline, by `performance.now()`. */
export function openBackOff(deadline: number): BackOff {
  let seen: number | undefined
  let waitMs = shortestMs
  return async (revision) => {
    // Whoever works on a session that changes may be done with it at any moment.
    waitMs = revision === seen ? Math.min(waitMs * 2, longestMs) : shortestMs
    seen = revision
    const leftMs = Math.max(deadline - performance.now(), 0)
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, leftMs)))
  }
}
