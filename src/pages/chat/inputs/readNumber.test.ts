/** Tests how numbers are read as people write them, and written back. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { languages } from "../../../lib/languages.ts"
import { readNumber, writeNumber } from "./readNumber.ts"

const tags = [...languages, "hi", "fa", "de-CH"]

test.each([
  ["12", "en", "12"],
  ["1,5", "en", "1.5"],
  ["1.5", "de", "1.5"],
  ["2,50", "en", "2.50"],
  ["1 000,50", "en", "1000.50"],
  ["1\u202f000,50", "fr", "1000.50"],
  ["1.234,56", "en", "1234.56"],
  ["1,234.56", "de", "1234.56"],
  ["1'234.56", "de-CH", "1234.56"],
  ["1,234,567", "de", "1234567"],
  ["12,34,567", "en", "1234567"],
  ["١٢٣", "ar", "123"],
  ["١٬٢٣٤٫٥", "ar", "1234.5"],
  ["１２", "ja", "12"],
  ["-3", "en", "-3"],
  ["−3,5", "de", "-3.5"],
  ["+3", "en", "3"],
  [".5", "en", "0.5"],
  [",5", "de", "0.5"],
  ["0,125", "en", "0.125"],
  ["1,234", "de", "1.2340"],
  ["1.234", "en", "1.2340"],
  ["1,2345", "en", "1.2345"],
  ["0012", "en", "0012"],
])("%j is read in %s as %s", (text, locale, plain) => {
  expect(readNumber(text, locale)).toEqual({ plain })
})

test.each([
  ["1,234", "en", ["1234", "1.234"]],
  ["1.234", "de", ["1234", "1,234"]],
  ["-12.000", "fr", ["-12000", "-12,000"]],
] as const)("%j may mean two numbers in %s, each of which can then be written", (text, locale, choices) => {
  expect(readNumber(text, locale)).toEqual({ choices })
  for (const choice of choices) expect(readNumber(choice, locale)).toHaveProperty("plain")
})

test.each([
  "",
  "-",
  "abc",
  "12abc",
  "1,2,3",
  "1.2.3,4,5",
  "1  000",
  "10 00",
  "1,23,4",
  "1.5.",
  "--1",
  "5%",
])("%j is no number", (text) => {
  expect(readNumber(text, "en")).toBeUndefined()
})

test("a number written in a language is read back, or asked again", () => {
  const number = fc.integer({ min: -9_999_999, max: 9_999_999 }).map((each) => each / 100)
  fc.assert(
    fc.property(number, fc.constantFrom(...tags), (value, locale) => {
      const read = readNumber(new Intl.NumberFormat(locale).format(value), locale)
      if (!read || !("choices" in read)) expect(Number(read?.plain)).toBe(value)
      const shown = writeNumber(String(value), locale, false)
      expect(readNumber(shown, locale)).toEqual({ plain: String(value) })
    }),
  )
})
