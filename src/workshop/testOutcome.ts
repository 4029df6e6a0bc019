/** The outcome of a test. */
import type { Place } from "./play/heard.ts"

/** A line of the actual conversation. */
export type TranscriptLine = {
  from: "bot" | "user" | "input" | "action"
  text: string
  /** Absent for actions of the person. */
  at?: Place | undefined
  /** The step of the test that it satisfies. */
  step?: number | undefined
}

export type TestFailure = {
  /** A sentence without a full stop. */
  message: string
  /** Index of the step; absent: about the whole conversation. */
  step?: number | undefined
  /** Keys to the missed expectation; absent: it is about a step. */
  expectation?: readonly string[]
  expected?: string | undefined
  actual?: string | undefined
  at?: Place | undefined
}

export type TestOutcome = {
  name: string
  /** Absent: the test has passed. */
  failure?: TestFailure
  transcript: TranscriptLine[]
  steps: number
}
