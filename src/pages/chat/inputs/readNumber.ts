/** Reads numbers as people write them, in the language of the chat. */

/**
 * A number in plain digits, such as `-1234.5`; `choices` where the text may mean either of two, which are written
 * as they would be clear; undefined where it is none.
 */
export type ReadNumber = { plain: string } | { choices: readonly [string, string] } | undefined

/** The zeros of the scripts whose digits follow each other: Arabic, Persian, Devanagari, full width and others. */
const zeros = [
  ...[0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66],
  ...[0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10],
]

/** `1,234`, `12,34,567`: groups of three, or of two before the last three as in India. */
const grouped = /^\d{1,3}(?:(?:\D\d{3})+|(?:\D\d{2})+\D\d{3})$/

export function readNumber(text: string, locale: string): ReadNumber {
  const { sign, digits } = written(text)
  if (!/^[\d.,' ]*\d[\d.,' ]*$/.test(digits) || /^[' ]|[' ]$|[' ]{2}/.test(digits)) return undefined
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","))
  const mark = digits[last] ?? ""
  const isMarkOnce = mark !== "" && digits.indexOf(mark) === last
  const [whole, fraction] = [digits.slice(0, Math.max(0, last)), digits.slice(last + 1)]
  // Spaces and apostrophes only group, and what comes behind another mark is the fraction.
  const isGroupedBefore = /\D/.test(whole)
  if (mark === "" || (!isMarkOnce && new Set(digits.replace(/\d/g, "")).size === 1)) {
    return isWhole(digits) ? plainOf(sign, digits, "") : undefined
  }
  if (!isMarkOnce || /\D/.test(fraction)) return undefined
  if (isGroupedBefore) return isWhole(whole) ? plainOf(sign, whole, fraction) : undefined
  const isGroup =
    /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3 && mark !== decimalMark(locale)
  if (!isGroup) return plainOf(sign, whole, fraction)
  return {
    choices: [`${sign}${whole}${fraction}`, `${sign}${whole}${decimalMark(locale)}${fraction}`],
  }
}

/** Writes plain digits as the language does, with what grouped them where they were grouped. */
export function writeNumber(plain: string, locale: string, useGrouping: boolean): string {
  const format = new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 20 })
  const value = Number(plain)
  // What the format would round is shown as it is.
  return Number.isFinite(value) && plain.replace(/\D/g, "").length <= 15
    ? format.format(value)
    : plain
}

/** The mark before the fraction: a dot or a comma. */
function decimalMark(locale: string): "." | "," {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5)
  return parts.some(({ type, value }) => type === "decimal" && value === ",") ? "," : "."
}

/** The sign, and the rest in the digits and marks of ASCII. */
function written(text: string): { sign: string; digits: string } {
  const ascii = text
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = zeros.find((each) => code >= each && code < each + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, "")
    .replace(/٫/g, ",")
    .replace(/[٬’ʼ＇]/g, "'")
    .replace(/[，、]/g, ",")
    .replace(/．/g, ".")
    .trim()
    .replace(/\s/g, " ")
  const [, sign = "", digits = ""] = /^([-+−–]?) ?(.*)$/.exec(ascii) ?? []
  return { sign: sign === "" || sign === "+" ? "" : "-", digits }
}

function isWhole(digits: string): boolean {
  return !/\D/.test(digits) || grouped.test(digits)
}

function plainOf(sign: string, whole: string, fraction: string): ReadNumber {
  const digits = whole.replace(/\D/g, "") || "0"
  return { plain: `${sign}${digits}${fraction === "" ? "" : `.${fraction}`}` }
}
