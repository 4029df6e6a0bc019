/** Shared parts of all reports of a run. */
import type { BotCoverage, FileReport } from "../suite.ts"
import { failureText } from "./failureLines.ts"

/** A run over files. */
export type SuiteReport = {
  files: readonly FileReport[]
  /** Absent: not requested. */
  coverage?: readonly BotCoverage[] | undefined
}

/** Counts tests, and files that did not run. */
export function countTests(files: readonly FileReport[]) {
  const tests = files.flatMap((file) => file.tests)
  const failed = tests.filter(({ failure }) => failure).length
  const wrong = files.filter(({ mistakes }) => mistakes.length > 0).length
  const skipped = files.filter(({ isSkipped }) => isSkipped).length
  return { passed: tests.length - failed, failed, wrong, skipped }
}

/** The reason for skipping a file. */
export const skipReason = "Its bot cannot be played, as reported before"

/** One item of CI reports: a test, or a file that can be read. */
export type Point = {
  /** Of the test; absent: it is about a file. */
  name?: string
  ms?: number
  /** Absent: nothing ran. */
  at?: { file: string; line: number; column: number }
  /** The defect, and for a test its conversation. */
  problem?: { message: string; conversation?: string } | undefined
  isSkipped?: boolean
}

export function pointsOf({ path, tests, mistakes, isSkipped }: FileReport): Point[] {
  return [
    ...tests.map((test): Point => {
      const { name, ms, line, column, failure } = test
      const problem = failure && { message: failure.message, conversation: failureText(test) }
      return { name, ms, at: { file: path, line, column }, problem }
    }),
    ...mistakes.map(({ message, path: file, line, column }): Point => {
      return { at: { file, line, column }, problem: { message } }
    }),
    ...(isSkipped ? [{ isSkipped }] : []),
  ]
}
