/** Failures of the database are recognised by its codes, and by the words of its client. */
import pg from "pg"
import { expect, test } from "vitest"
import { failureOf, violatedConstraint } from "./databaseFailures.ts"

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

const refused = `connection to the remote node parley@10.0.0.3:5432 failed with the following error: Connection refused
\tIs the server running on that host and accepting TCP/IP connections?`

test("a node of a cluster that is lost is not a loss of the one that says so", () => {
  expect(failureOf(thrown({ code: "08006" }, refused))).toBe("partial")
  expect(failureOf(thrown({ code: "08006" }, "failed to connect to 10.0.0.3:5432"))).toBe("partial")
  expect(failureOf(thrown({ code: "08006" }, "could not receive data from client"))).toBe("lost")
  expect(failureOf(thrown({}, refused))).toBeUndefined()
})

test("a connection that breaks or cannot be made is a loss, a missing file is not", () => {
  expect(failureOf(thrown({ code: "ECONNREFUSED", syscall: "connect" }))).toBe("lost")
  expect(failureOf(thrown({}, "Connection terminated unexpectedly"))).toBe("lost")
  expect(failureOf(thrown({}, "Query read timeout"))).toBe("lost")
  const broken = "Client has encountered a connection error and is not queryable"
  expect(failureOf(thrown({}, broken))).toBe("lost")
  expect(failureOf(thrown({ code: "ENOENT", syscall: "open" }))).toBeUndefined()
  expect(failureOf("lost")).toBeUndefined()
})

const violation = 'duplicate key value violates unique constraint "bots_public_id_key_102071"'

test.each([
  [{ code: "23505", constraint: "bots_public_id_key" }, "bots_public_id_key"],
  [{ code: "23505", constraint: "bots_public_id_key_102071" }, "bots_public_id_key"],
  [{ code: "23505" }, "bots_public_id_key"],
  [{ code: "42P01" }, undefined],
])("the constraint of %j is found, also by its name in a shard of a cluster", (facts, name) => {
  const error = Object.assign(new pg.DatabaseError(violation, 0, "error"), facts)
  expect(violatedConstraint(error)).toBe(name)
})
