/** Cleans up after whoever asks for something: a test, or a whole file. */
import { afterAll, onTestFinished, TestRunner } from "vitest"

/**
 * Runs work once the present test is over, or outside of tests once the file is; the last work that was
 * named first. Vitest never runs an `afterAll` that a test calls.
 */
export function whenOver(work: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await work()))
  else afterAll(async () => void (await work()))
}
