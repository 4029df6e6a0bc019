/** What all reports of a run have in common. */
import type { BotCoverage, FileReport } from "../suite.ts"

/** A run over files. */
export type SuiteReport = {
  files: readonly FileReport[]
  /** Absent: nobody has asked for it. */
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

/** Why a file is skipped. */
export const skipReason = "Its bot cannot be played, as was told before"
