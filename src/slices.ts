/** Does long work in slices, so that everybody else's requests are served in between. */
import { setImmediate as nextRound } from "node:timers/promises"

/** Work that pauses at every `yield`, as the engine offers it. */
type Steps<Result> = Generator<undefined, Result, void>

/** How long the slice of a round may take; its last step may take longer. */
const sliceMs = 2

/** When the slice of this round of the event loop is over; 0: there was none yet. */
let endsAt = 0

let lastTurn: Promise<void> = Promise.resolve()

/** Does the work. However much of it there is at a time, each round of the event loop has one slice. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  if (endsAt === 0) beginSlice()
  for (;;) {
    while (performance.now() < endsAt) {
      const step = steps.next()
      if (step.done) return step.value
    }
    await ownTurn()
  }
}

/** Waits for a round that has no slice yet: before what takes a slice or two, but has no steps. */
export async function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextRound())
  await lastTurn
  beginSlice()
}

function beginSlice(): void {
  const end = performance.now() + sliceMs
  endsAt = end
  setImmediate(() => {
    if (endsAt === end) endsAt = 0
  })
}
