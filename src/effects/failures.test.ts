/** Tests that network errors are described in plain words, and that other errors are rethrown. */
import { expect, test } from "vitest"
import { networkFailure } from "./failures.ts"
import { BlockedError } from "./network/addressRules.ts"
import { TooLargeError } from "./network/outbound.ts"

const coded = (code: string) => Object.assign(new Error("secret words"), { code })

test.each([
  [new BlockedError("Not public"), "Stripe is at an address that must not be called", "blocked"],
  [new DOMException("late", "TimeoutError"), "Stripe did not answer in time", "timeout"],
  [coded("ETIMEDOUT"), "Stripe did not answer in time", "timeout"],
  [new TooLargeError("The response is too large"), "Stripe answers too much", undefined],
  [
    new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }),
    "Stripe could not be reached",
    undefined,
  ],
])("describes %s as %s", (error, description, reason) => {
  const failure = networkFailure(error, "Stripe")
  expect(failure).toMatchObject({ failed: true, description, ...(reason && { reason }) })
  expect(JSON.stringify(failure)).not.toContain("secret words")
})

test.each([
  ["ENOTFOUND", "Its host cannot be found (ENOTFOUND)"],
  ["EAI_AGAIN", "Its host cannot be found (EAI_AGAIN)"],
  ["ECONNREFUSED", "Its host refuses connections (ECONNREFUSED)"],
  ["ECONNRESET", "It closed the connection (ECONNRESET)"],
  ["EHOSTUNREACH", "There is no way to its host (EHOSTUNREACH)"],
  ["CERT_HAS_EXPIRED", "Its certificate is not valid (CERT_HAS_EXPIRED)"],
  ["EODD", "EODD"],
])("explains %s to authors", (code, details) => {
  const failure = networkFailure(new TypeError("fetch failed", { cause: coded(code) }), "Stripe")
  expect(failure).toEqual({ failed: true, description: "Stripe could not be reached", details })
})

test("throws on what only a mistake of ours can be", () => {
  const mistake = new ReferenceError("x is not defined")
  expect(() => networkFailure(mistake, "Stripe")).toThrow(mistake)
})
