/** Reads and writes numbers in the language of the chat. */
import {
  type DecimalMark,
  readWrittenNumber,
  type WrittenNumber,
} from "../../../lib/writtenNumber.ts"

export function readNumber(text: string, locale: string): WrittenNumber {
  return readWrittenNumber(text, decimalMark(locale))
}

/** Writes plain digits in the style of the language, grouped if they were grouped. */
export function writeNumber(plain: string, locale: string, useGrouping: boolean): string {
  const format = new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 20 })
  const value = Number(plain)
  // Numbers that the format would round are shown unchanged.
  return Number.isFinite(value) && plain.replace(/\D/g, "").length <= 15
    ? format.format(value)
    : plain
}

function decimalMark(locale: string): DecimalMark {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5)
  return parts.some(({ type, value }) => type === "decimal" && value === ",") ? "," : "."
}
