/** Whether a regular expression can match any text at all. */
import { expect, test } from "vitest"
import { unmetered } from "../budget/fuel.ts"
import { canMatch } from "./canMatch.ts"
import { readRegex } from "./readRegex.ts"

function judge(written: string): boolean | undefined {
  const regex = readRegex(written, unmetered())
  return regex && canMatch(regex, written)
}

test.each([
  "a^",
  "$a",
  "^\\d+$ ",
  "x\\by",
  " \\B-?\\ba\\Bb\\b c\\bd",
  "[]",
  "a[^\\s\\S]",
  "(?:a$)+b",
  "/a^b/i",
  "/^a$\\n?b/",
])("no text matches %j", (written) => {
  expect(judge(written)).toBe(false)
})

test.each([
  "",
  "^$",
  "^[A-Z]{2}\\d{3,5}(-x|-y)?$",
  "a|b^",
  "/a$\\n^b/m",
  "\\bword\\b",
  "\\B",
  "[\\u4e00-\\u9fff]+",
  "/\\p{Script=Tibetan}/u",
  "/[😀-😎]/u",
  "(?=a)b",
  "/^x/y",
  "^(?:a|$)b?$",
  "[^a]",
  "[]|[\\u0f00-\\u0fff]",
  // Six empty classes: more than the search tries.
  "[^\\s\\S]|[^\\s\\S]|[^\\s\\S]|[^\\s\\S]|[^\\s\\S]|[^\\s\\S]",
])("some text may match %j", (written) => {
  expect(judge(written)).toBe(true)
})
