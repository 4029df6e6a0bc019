/** The messages between the sandbox and its worker threads. */

/** A script as it is sent: `globals` is the JSON of an object. */
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
  /** Characters of JSON that their outcomes may have together. */
  maxCharacters: number
}

/** A `fetch` of a script: `request` is JSON of the script, which is not trusted. */
export type Ask = { id: number; request: string }

/** The answer to an `Ask`: a text, or the reason of a refusal. */
export type Answer = { id: number; text: string; isRefused: boolean }

/** `text`: JSON of an object with `value` and `assigned`, printed by the script's own machine. */
export type SentOutcome = { text: string } | { failure: string; isTimeout: boolean }

/** To the worker: start a job, or continue it. Each is answered by exactly one `Report`. */
export type Order = { kind: "run"; job: Job } | { kind: "answer"; answer: Answer }

/**
 * From the worker: its job waits for answers, to earlier asks or to these, and its machine holds
 * `takenBytes` meanwhile; or the job is done, and `isWorn` says that the machine is of no use any more.
 */
export type Report =
  | { kind: "waiting"; asks: Ask[]; takenBytes: number }
  | { kind: "done"; outcomes: SentOutcome[]; isWorn: boolean }

/** From the worker, once, before it takes orders. */
export type Ready = { kind: "ready" }
