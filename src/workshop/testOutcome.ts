/** What came of a test. */
import type { Place } from "./play/heard.ts"

/** A line of the conversation as it went. */
export type TranscriptLine = {
  from: "bot" | "user" | "input" | "action"
  text: string
  /** Absent for what the person does. */
  at?: Place | undefined
  /** The step of the test that it satisfies. */
  step?: number | undefined
}

/** What a test expected in vain. */
export type TestFailure = {
  /** A sentence without a full stop. */
  message: string
  /** Index of the step; absent: something that holds for the whole conversation. */
  step?: number | undefined
  /** Keys that lead to the expectation that is not met; absent: it is about a step. */
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
  /** How many steps the test has. */
  steps: number
}
