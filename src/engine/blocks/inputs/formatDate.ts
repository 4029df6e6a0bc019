/** Prints an instant by a format string in the tokens of date-fns 2 (Unicode TR35), in UTC and English. */
import { dayPart, type Names, nameFields, numberFields, ordinal } from "./dateFields.ts"

/**
 * Prints an instant (milliseconds since 1970) by a format. `YYYY` is the week-numbering year and
 * `DD` the day of the year, as with both "additional tokens" options of date-fns 2.30. Unknown letters and text between single quotes are printed unchanged.
 */
export function formatDate(instantMs: number, format: string): string {
  const date = new Date(instantMs)
  const expanded = format.replace(longTokens, (token) => expandLong(token))
  return expanded.replace(tokens, (token) => printToken(token, date))
}

const longTokens = /P+p+|P+|p+|''|'(?:''|[^'])+(?:'|$)/g

const tokens = /[yYqQMLwIdDecihHKkms]o|([A-Za-z])\1*|''|'(?:''|[^'])+(?:'|$)/g

const longDates = ["MM/dd/yyyy", "MMM d, y", "MMMM do, y", "EEEE, MMMM do, y"]

const longTimes = ["h:mm a", "h:mm:ss a", "h:mm:ss a z", "h:mm:ss a zzzz"]

function expandLong(token: string): string {
  if (token.startsWith("'")) return token
  const dateLength = token.lastIndexOf("P") + 1
  const date = longDates[Math.min(dateLength, 4) - 1]
  const time = longTimes[Math.min(token.length - dateLength, 4) - 1]
  if (date === undefined || time === undefined) return date ?? time ?? token
  return dateLength > 2 ? `${date} 'at' ${time}` : `${date}, ${time}`
}

function printToken(token: string, date: Date): string {
  const letter = token.charAt(0)
  if (letter === "'") return unquote(token)
  const readNumber = numberFields[letter]
  if (readNumber && token.length === 2 && token.endsWith("o")) return ordinal(readNumber(date))
  const named = printName(letter, token.length, date)
  if (named !== undefined) return named
  return readNumber ? printNumber(token, readNumber(date)) : token
}

function unquote(token: string): string {
  if (token === "''") return "'"
  return token.replace(/^'([\s\S]*?)'?$/, "$1").replace(/''/g, "'")
}

function printNumber(token: string, value: number): string {
  // Only these two fields have a form with two digits.
  if (token === "yy" || token === "YY") return pad(value % 100, 2)
  return pad(value, token.length)
}

function pad(value: number, length: number): string {
  const sign = value < 0 ? "-" : ""
  return sign + String(Math.abs(value)).padStart(length, "0")
}

/** The text of a token; undefined: it prints a plain number, or the letter has no meaning. */
function printName(letter: string, length: number, date: Date): string | undefined {
  const names = nameFields[letter]?.(date)
  if (names) return nameOf(names, letter, length)
  if (letter === "B") return dayPart(date)
  if (letter === "S") return pad(date.getUTCMilliseconds(), 3).padEnd(length, "0").slice(0, length)
  return printZone(letter, length)
}

/** Days (`E`) and eras have no numeric form; halves of the day also have a lower-case form. */
function nameOf(names: Names, letter: string, length: number): string | undefined {
  if (letter === "E" || letter === "G") return pick(names, Math.max(length, 3))
  if (letter !== "a" && letter !== "b") return pick(names, length)
  return length < 3 ? names[0] : length === 3 ? names[0].toLowerCase() : pick(names, length)
}

/** Three letters abbreviate, four spell out, five give the initial, six the short form. */
function pick(names: Names, length: number): string | undefined {
  if (length < 3) return undefined
  if (length === 3) return names[0]
  if (length === 5) return names[2]
  return length === 6 ? (names[3] ?? names[1]) : names[1]
}

function printZone(letter: string, length: number): string | undefined {
  if (letter === "X") return "Z"
  if (letter === "x") return length === 1 ? "+00" : length % 2 === 0 ? "+0000" : "+00:00"
  if (letter === "O" || letter === "z") return length < 4 ? "GMT+0" : "GMT+00:00"
  return undefined
}
