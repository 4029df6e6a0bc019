/** Numbers that a number input takes. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { decimalMark, languages } from "../../../../lib/languages.ts"
import { type NumberInputBlock, numberInputBlock, numberInputBlockSchema } from "./block.ts"

const blockWith = (options?: NumberInputBlock["options"]): NumberInputBlock =>
  numberInputBlockSchema.parse({ id: "i", type: "number input", ...(options && { options }) })

const reply = (words: string, options?: NumberInputBlock["options"], parts: SceneParts = {}) =>
  numberInputBlock.reply(blockWith(options), { type: "text", text: words }, testScene(parts))

test.each([
  ["42", "42"],
  ["-3", "-3"],
  ["3,5", "3.5"],
  ["3.50", "3.5"],
  ["  7", "7"],
  [" 012", "12"],
  ["12abc", "12"],
  ["5%", "5"],
  ["5 000 €", "5000"],
  ["7, please", "7"],
  ["1 000", "1000"],
  ["1,000,000", "1000000"],
  ["1.000,5", "1000.5"],
  ["1'000.5", "1000.5"],
  ["1.500", "1.5"],
  ["12.345e3", "12345"],
  ["１２．５", "12.5"],
  ["٣٫٥", "3.5"],
  ["−3", "-3"],
  ["1e3", "1000"],
  ["+5", "5"],
  [".5", "0.5"],
  ["0", "0"],
  ["0012", "0012"],
  ["0,5", "0,5"],
  ["-0,5", "-0.5"],
  ["1e21", "1e+21"],
])("18.2 stores %j as %j", (words, stored) => {
  expect(reply(words)).toEqual({ accept: stored })
})

test.each([
  "",
  " ",
  "abc",
  "a1",
  "-",
  ",",
  "NaN",
  "Infinity",
  "1e999",
  "€5",
  "1,500",
  "12 34",
  "1,2,3",
  "10.5.2024",
])("18.2 asks again after %j", (words) => {
  expect(reply(words)).toBe("retry")
})

test.each([
  ["1,5", "de", "1.5"],
  ["1.5", "de", "1.5"],
  ["1,500", "de", "1.5"],
  ["1.500", "de", undefined],
  ["1.5000", "de", "1.5"],
  ["1.234.567,8", "pt", "1234567.8"],
  ["1\u202f500,25", "fr", "1500.25"],
  ["1.500", "en", "1.5"],
  ["1,500", "en", undefined],
  ["１，５００．５", "ja", "1500.5"],
] as const)("18.2 reads %j in a chat of the language %s as %s", (words, language, stored) => {
  const verdict = stored === undefined ? "retry" : { accept: stored }
  expect(reply(words, {}, { chat: { language } })).toEqual(verdict)
})

test("18.2 reads numbers of programs alike in every language, or asks again where people read them differently", () => {
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(number, fc.constantFrom(...languages), (value, language) => {
      const words = String(value)
      const verdict = reply(words, {}, { chat: { language } })
      const isDoubtful = /^-?[1-9]\d{0,2}\.\d{3}$/.test(words) && decimalMark(language) === ","
      const stored = words.startsWith("0") ? words : String(Number(words))
      expect(verdict).toEqual(isDoubtful ? "retry" : { accept: stored })
    }),
  )
})

test.each([
  ["-3", { min: 0, max: 10 }, true],
  ["11", { min: 0, max: 10 }, false],
  ["10", { min: 0, max: 10 }, true],
  ["5", { max: 0 }, true],
  ["5", { min: "{{M}}" }, false],
  ["10", { min: "{{M}}" }, true],
  ["5", { min: "{{Comma}}" }, true],
  ["1.4", { min: "{{Comma}}" }, false],
  ["5", { min: "{{Words}}", max: "soon" }, true],
  ["5", { min: "{{Nothing}}" }, true],
  ["-5", { min: -3 }, false],
  ["-2", { max: -3 }, false],
  ["0001", { min: 2 }, false],
  ["2.5", { step: 2 }, true],
])("18.2 judges %j against %j", (words, options, isTaken) => {
  const variables = { M: "10", Comma: "1,5", Words: "many" }
  expect(reply(words, options, { variables }) !== "retry").toBe(isTaken)
})

test.each([
  [undefined],
  [{ type: "audio" as const, url: "https://e.com/a.webm" }],
])("18.2 asks again after a message without text: %j", (message) => {
  expect(numberInputBlock.reply(blockWith(), message, testScene())).toBe("retry")
})

test("18.2 asks with its bounds as numbers and leaves out invalid ones", () => {
  const block = blockWith({
    variableId: "vAge",
    min: "{{M}}",
    max: "soon",
    step: 0.5,
    locale: "en-US",
    style: "unit",
    unit: "kilometer",
    labels: { button: "{{M}}" },
  })
  expect(numberInputBlock.ask(block, testScene({ variables: { M: "1,5", Age: "7" } }))).toEqual({
    options: {
      variableId: "vAge",
      min: 1.5,
      step: 0.5,
      locale: "en-US",
      style: "unit",
      unit: "kilometer",
      labels: { button: "1,5" },
    },
    prefilledValue: "7",
  })
  expect(numberInputBlock.ask(blockWith(), testScene())).toEqual({})
})
