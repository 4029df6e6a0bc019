/** Converts dates and times to the form that the fields of browsers expect. */
import { plainDigits } from "../../../lib/writtenNumber.ts"

/** The type of a field: `2026-01-31`, `2026-01-31T10:30` or `10:30`. */
export type FieldType = "date" | "datetime-local" | "time"

type Parts = { [name in "year" | "month" | "day" | "hour" | "minute"]?: string }

const isoDate = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:T(?<hour>\d\d):(?<minute>\d\d))?/
const time = /^(?<hour>[01]?\d|2[0-3]) ?[:.h] ?(?<minute>[0-5]\d)(?:$|:)/
/** As people write it where the day comes first; behind the author's format, which may read it otherwise. */
const dotted =
  /^(?<day>\d\d?)\. ?(?<month>\d\d?)\. ?(?<year>\d{4})(?: (?<hour>\d\d?):(?<minute>\d\d))?$/

/** The value of a field for a text in ISO 8601, in the author's format or as people write it; "" for any other text. */
export function fieldValue(text: string, type: FieldType, format: string): string {
  const plain = plainDigits(text.trim()).replace(/：/g, ":")
  const found = [isoDate, time, patternOf(format), dotted].map((form) => form.exec(plain)?.groups)
  const { year, month, day, hour, minute }: Parts = found.find(Boolean) ?? {}
  const moment = hour && minute ? `${twoDigits(hour)}:${minute}` : ""
  const date = year && month && day ? `${year}-${twoDigits(month)}-${twoDigits(day)}` : ""
  if (type === "time") return moment
  return type === "date" || date === "" ? date : `${date}T${moment || "12:00"}`
}

/** The lower bound for a field. If the field also asks for a time, a day begins at midnight. */
export function lowest(bound: string | undefined, type: FieldType): string | undefined {
  return type === "datetime-local" && isDay(bound) ? `${bound}T00:00` : bound
}

/** The upper bound for a field. A day without a time is allowed to its end. */
export function highest(bound: string | undefined, type: FieldType): string | undefined {
  if (type === "datetime-local") return isDay(bound) ? `${bound}T23:59` : bound
  return isDay(bound) && !Number.isNaN(Date.parse(bound)) ? bound : undefined
}

function isDay(bound: string | undefined): bound is string {
  return /^\d{4}-\d\d-\d\d$/.test(bound ?? "")
}

function twoDigits(text: string): string {
  return text.padStart(2, "0")
}

/** Patterns for the date-fns tokens that stand for digits. */
const tokens: Readonly<Record<string, string>> = {
  yyyy: "(?<year>\\d{4})",
  MM: "(?<month>\\d\\d)",
  M: "(?<month>\\d\\d?)",
  dd: "(?<day>\\d\\d)",
  d: "(?<day>\\d\\d?)",
  HH: "(?<hour>\\d\\d)",
  H: "(?<hour>\\d\\d?)",
  mm: "(?<minute>\\d\\d)",
}

const nothing = /(?!)/

/** A pattern for texts in a format; it matches nothing if the format has words, or a part twice. */
function patternOf(format: string): RegExp {
  const escaped = format.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  try {
    return new RegExp(`^${escaped.replace(/([A-Za-z])\1*/g, (run) => tokens[run] ?? "(?!)")}$`)
  } catch {
    return nothing
  }
}
