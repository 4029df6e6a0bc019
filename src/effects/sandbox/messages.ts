/** What the sandbox and its worker threads say to each other. */

/** A script as it travels: `globals` is the JSON of an object. */
export type SentScript = {
  code: string
  globals: string
  mode: "expression" | "program"
  /** Whether `fetch` exists in it. */
  hasFetch: boolean
}

/** Scripts to run in order, with one budget for all of them. */
export type Job = {
  scripts: SentScript[]
  /** Milliseconds that they may compute together; waiting for answers does not count. */
  runMs: number
  /** Characters of JSON that they may come to together. */
  maxCharacters: number
}

/** A `fetch` of a script: `request` is JSON that the script made up, so nothing of it is trusted. */
export type Ask = { id: number; request: string }

/** The answer to an `Ask`: a text, or why there is none. */
export type Answer = { id: number; text: string; isRefused: boolean }

/** `text`: JSON of an object with `value` and `assigned`, made by the script's own machine. */
export type SentOutcome = { text: string } | { failure: string; isTimeout: boolean }

/** To the worker: begin a job, or go on with it. Each is answered by exactly one `Report`. */
export type Order = { kind: "run"; job: Job } | { kind: "answer"; answer: Answer }

/**
 * From the worker: its job is over, or waits for answers, to old asks or to those here; `takenBytes`
 * is what its machine holds meanwhile.
 */
export type Report =
  | { kind: "waiting"; asks: Ask[]; takenBytes: number }
  | { kind: "done"; outcomes: SentOutcome[] }

/** From the worker, once, before it takes orders. */
export type Ready = { kind: "ready" }
