/**
 * Waits for a session that is at work in another process. Turns of this process wait for each other in
 * its queue instead, which wakes the next one directly, so that one turn per session and process looks.
 */
const shortestMs = 25
const longestMs = 500

/** Waits; a little longer each time, until the session has another revision than the time before. */
type BackOff = (revision: number | undefined) => Promise<void>

/** Opens the waits of one turn; none goes beyond the deadline, by `performance.now()`. */
export function openBackOff(deadline: number): BackOff {
  let last: number | undefined
  let waitMs = shortestMs
  return async (revision) => {
    // A session that changes may be free at any moment.
    waitMs = revision === last ? Math.min(waitMs * 2, longestMs) : shortestMs
    last = revision
    const leftMs = Math.max(deadline - performance.now(), 0)
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, leftMs)))
  }
}

/** Another turn was first or is at work: nothing was stored, and the session must be read again. */
export type Superseded = { kind: "superseded"; revision: number | undefined }

/** What one attempt at a turn came to. */
export type Attempt<Result> = { kind: "done"; result: Result } | Superseded

/** Attempts it again as long as others are first, and until the deadline. */
export async function untilDone<Result>(
  deadline: number,
  attempt: () => Promise<Attempt<Result>>,
): Promise<Attempt<Result>> {
  const backOff = openBackOff(deadline)
  for (;;) {
    const outcome = await attempt()
    if (outcome.kind === "done" || performance.now() >= deadline) return outcome
    await backOff(outcome.revision)
  }
}
