/** A run as JSON for programs. */
import type { TestReport } from "../suite.ts"
import { countTests, type SuiteReport } from "./suiteReport.ts"

/** Members may be added; existing ones keep their meaning. */
export function jsonOf({ files, coverage }: SuiteReport): object {
  const counts = countTests(files)
  return {
    isPassed: counts.failed === 0 && counts.wrong === 0,
    ...counts,
    files: files.map(({ path, tests, mistakes, isSkipped }) => ({
      path,
      isSkipped,
      mistakes,
      tests: tests.map(testOf),
    })),
    ...(coverage && { coverage }),
  }
}

/** Only those that fail show their conversation. */
function testOf({ name, failure, transcript, steps, line, column, ms }: TestReport): object {
  const isPassed = failure === undefined
  return { name, isPassed, line, column, steps, ms, ...(failure && { failure, transcript }) }
}
