/** What came of a test. */
import type { Turn } from "../engine/turn/run.ts"
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
  expected?: string | undefined
  actual?: string | undefined
  at?: Place | undefined
}

export type TestOutcome = {
  name: string
  /** Absent: the test has passed. */
  failure?: TestFailure
  transcript: TranscriptLine[]
  /** Every turn, for coverage and for rewriting the file. */
  turns: Turn[]
  /** How many steps the test has. */
  steps: number
}
