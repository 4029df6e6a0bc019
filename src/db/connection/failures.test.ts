/** Failures of the database are recognised by its codes, and by the words of its client. */
import { expect, test } from "vitest"
import { failureOf } from "./failures.ts"

const thrown = (facts: object, message = "x") => Object.assign(new Error(message), facts)

test.each([
  ["25006", "readOnly"],
  ["53100", "full"],
  ["53200", "lost"],
  ["53300", "lost"],
  ["08006", "lost"],
  ["57014", "slow"],
  ["57P01", "lost"],
  ["57P02", "lost"],
  ["57P03", "lost"],
  ["40001", "contended"],
  ["40P01", "contended"],
  ["23505", undefined],
  ["57000", undefined],
  ["XX000", undefined],
])("SQLSTATE %s is %s", (code, failure) => {
  expect(failureOf(thrown({ code }))).toBe(failure)
})

test("a connection that breaks or cannot be made is a loss, a missing file is not", () => {
  expect(failureOf(thrown({ code: "ECONNREFUSED", syscall: "connect" }))).toBe("lost")
  expect(failureOf(thrown({}, "Connection terminated unexpectedly"))).toBe("lost")
  expect(failureOf(thrown({}, "Query read timeout"))).toBe("lost")
  expect(failureOf(thrown({ code: "ENOENT", syscall: "open" }))).toBeUndefined()
  expect(failureOf("lost")).toBeUndefined()
})
