/** Reads numbers as people write them, with the decimal mark of their language. */

/** The mark before the fraction of a number. */
export type DecimalMark = "." | ","

/**
 * A number in plain digits, such as `-1234.5`; `choices` where the text may mean either of two, which are written
 * as they would be clear; undefined where it is none.
 */
export type WrittenNumber = { plain: string } | { choices: readonly [string, string] } | undefined

export function readWrittenNumber(text: string, decimal: DecimalMark): WrittenNumber {
  const { sign, digits } = written(text, decimal)
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
  if (mark === decimal || !isOneGroup(whole, fraction)) return plainOf(sign, whole, fraction)
  return { choices: [`${sign}${whole}${fraction}`, `${sign}${whole}${decimal}${fraction}`] }
}

/** The number with which a text begins; undefined where that is none, or may be either of two. */
export function leadingNumber(text: string, decimal: DecimalMark): number | undefined {
  const begin = plainDigits(text.slice(0, maxLength)).trimStart()
  // As machines write it.
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)e[-+]?\d/i.test(begin)) return finite(Number.parseFloat(begin))
  const [run = ""] = /^[-+−–]? ?[\d.,'٫٬’ʼ＇，．\s]*/.exec(begin) ?? []
  const read = readWrittenNumber(run.replace(/\D+$/, ""), decimal)
  return read && "plain" in read ? finite(Number(read.plain)) : undefined
}

/** Numbers with more digits are infinite. */
const maxLength = 1_000

/** The text with the digits of every script as those of ASCII. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((each) => code >= each && code < each + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}

/** The zeros of scripts whose digits follow each other: Arabic, Persian, Devanagari, full width and others. */
const zeros = [
  ...[0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66],
  ...[0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10],
]

/** `1,234`, `12,34,567`: groups of three, or of two before the last three as in India. */
const grouped = /^\d{1,3}(?:(?:\D\d{3})+|(?:\D\d{2})+\D\d{3})$/

/** Whether the mark between the two may also group: `1.234`, but not `0.234` or `1234.567`. */
function isOneGroup(whole: string, fraction: string): boolean {
  return /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3
}

/** The sign, and the rest in the digits and marks of ASCII. */
function written(text: string, decimal: DecimalMark): { sign: string; digits: string } {
  const ascii = plainDigits(text)
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, "")
    // These two are clear in every language.
    .replace(/٫/g, decimal)
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

/** Plain digits that every language reads alike: a trailing zero marks three digits as a fraction, not a group. */
function plainOf(sign: string, whole: string, fraction: string): WrittenNumber {
  const digits = whole.replace(/\D/g, "") || "0"
  const end = isOneGroup(digits, fraction) ? `${fraction}0` : fraction
  return { plain: `${sign}${digits}${end === "" ? "" : `.${end}`}` }
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined
}
