/** What callers learn of errors that two requests at the same moment bring about. */
import { TRPCError } from "@trpc/server"
import { expect, test } from "vitest"
import { describeRefusal } from "./refusal.ts"

const thrown = (code: string) => Object.assign(new Error("violates secret_fkey"), { code })

test("what a request refers to may be deleted meanwhile: that is a 404, and no name gets out", () => {
  for (const error of [
    thrown("23503"),
    new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: thrown("23503") }),
  ]) {
    const refusal = describeRefusal(error)
    expect(refusal).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect(refusal.message).not.toContain("secret")
  }
})

test.each([
  ["40P01", 1],
  ["40001", 1],
  ["25006", 5],
  ["53100", 30],
  ["57P01", 2],
])("SQLSTATE %s is a 503 that is worth another try", (code, retryAfter) => {
  for (const error of [
    thrown(code),
    new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: thrown(code) }),
  ]) {
    const refusal = describeRefusal(error)
    expect(refusal).toMatchObject({ status: 503, data: { retryAfter } })
    expect(refusal.message).not.toContain("secret")
  }
})

test("other broken rules stay bugs", () => {
  expect(describeRefusal(thrown("23505"))).toMatchObject({ status: 500 })
})
