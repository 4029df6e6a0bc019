/** The operator's list: what it may have, and letters that look alike. */
import { describe, expect, test } from "vitest"
import { readRiskWords, wordsOf } from "./riskWords.ts"

test("a list has words, phrases and domains, one per line, with comments", () => {
  const list = "# Banks\nPayPal\r\n  verify your account # often\n\nEvil.Example\nÄ.example\nPayPal"
  expect(readRiskWords(list)).toEqual({
    phrases: ["PayPal", "verify your account"],
    domains: ["evil.example", "xn--4ca.example"],
  })
  expect(readRiskWords("")).toEqual({ phrases: [], domains: [] })
})

test.each([
  ["bank\n***", "line 2 has no letters"],
  [`${"a".repeat(101)}`, "line 1 is longer than 100 characters"],
  [
    Array.from({ length: 1_001 }, (_, n) => `w${n}`).join("\n"),
    "line 1001 is beyond the limit of 1000",
  ],
])("a list that cannot be used is refused with its line", (list, message) => {
  expect(() => readRiskWords(list)).toThrow(message)
})

describe("letters that look alike are equal:", () => {
  test.each([
    ["Cyrillic", "Раураl"],
    ["Greek", "ΡαyΡal"],
    ["digits", "PayPa1"],
    ["a capital I", "PayPaI"],
    ["accents", "Páÿpäl"],
    ["full width", "ＰａｙＰａｌ"],
    ["invisible characters", "Pay\u200b\u00adPal"],
  ])("%s", (_, text) => expect(wordsOf(text)).toEqual(wordsOf("paypal")))

  test("but not others", () => expect(wordsOf("payroll")).not.toEqual(wordsOf("paypal")))
})
