/** Does long work in slices, so that everybody else's requests are served in between. */
import { setImmediate as nextRound } from "node:timers/promises"

/** Work that pauses at every `yield`, as the engine offers it. */
type Steps<Result> = Generator<undefined, Result, void>

/** How long a slice may take; its last step may take longer. */
const sliceMs = 2

let lastTurn: Promise<void> = Promise.resolve()

/** Does the work. However much of it there is at a time, each round of the event loop has one slice. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const endsAt = performance.now() + sliceMs
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < endsAt)
    lastTurn = lastTurn.then(() => nextRound())
    await lastTurn
  }
}
