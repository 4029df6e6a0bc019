/** Long work in steps, so that whoever runs it can do something else in between. */

/** Work that pauses at every `yield`; what it comes to is its return value. */
export type Steps<Result> = Generator<undefined, Result, void>

/** Does all of the work without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
