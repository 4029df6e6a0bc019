/** The messages between the sandbox and its worker threads. */

/** A script to run; `globals` is the JSON of an object. */
export type SentScript = {
  code: string
  globals: string
  mode: "expression" | "program"
  hasFetch: boolean
}

/** Scripts to run in order, with a common budget. */
export type Job = {
  scripts: SentScript[]
  /** Milliseconds that the scripts may compute together; waiting for answers does not count. */
  runMs: number
  /** Limit for the characters of JSON of all outcomes together. */
  maxCharacters: number
}

/** A `fetch` of a script; `request` is JSON made by the script, and so not trusted. */
export type Ask = { id: number; request: string }

/** The answer to an `Ask`: a text, or the reason for a refusal. */
export type Answer = { id: number; text: string; isRefused: boolean }

/** The outcome of a script; `text` is JSON with `value` and `assigned`, made by the script's own machine. */
export type SentOutcome = { text: string } | { failure: string; isTimeout: boolean }

/** To the worker: starts a job or continues it. The worker answers each with exactly one `Report`. */
export type Order = { kind: "run"; job: Job } | { kind: "answer"; answer: Answer }

/**
 * From the worker. `waiting`: the job waits for answers to these or earlier requests, and its machine holds
 * `takenBytes` in the meantime. `done`: the job has ended; if `isWorn`, the machine must not be used again.
 */
export type Report =
  | { kind: "waiting"; asks: Ask[]; takenBytes: number }
  | { kind: "done"; outcomes: SentOutcome[]; isWorn: boolean }

/** From the worker, once, when it is ready for orders. */
export type Ready = { kind: "ready" }
