/** Repeats a turn as long as others are first, looking ever more rarely at a session at work elsewhere. */

// Turns of this process wait for each other in its queue, which wakes the next one directly, so that
// one turn per session and process looks.
const shortestMs = 25
const longestMs = 500

/** Another turn was first or is at work: nothing was stored, and the session must be read again. */
export type Superseded = { kind: "superseded"; revision: number | undefined }

/** What one attempt at a turn came to. */
export type Attempt<Result> = { kind: "done"; result: Result } | Superseded

/** What the last attempt came to: one that is done, or the first after the deadline. */
export async function untilDone<Result>(
  deadline: number,
  attempt: () => Promise<Attempt<Result>>,
): Promise<Attempt<Result>> {
  let waitMs = shortestMs
  let last: Attempt<Result> | undefined
  for (;;) {
    const outcome = await attempt()
    const leftMs = deadline - performance.now()
    if (outcome.kind === "done" || leftMs <= 0) return outcome
    // A session that changes may be free at any moment.
    const isSame = last?.kind === "superseded" && last.revision === outcome.revision
    waitMs = isSame ? Math.min(waitMs * 2, longestMs) : shortestMs
    last = outcome
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, leftMs)))
  }
}
