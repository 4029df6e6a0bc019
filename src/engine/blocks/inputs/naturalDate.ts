/** Reads the first date or time that a text names, independent of the machine's time zone. */
import type { Chrono, ParsedComponents } from "chrono-node"
import { casual, GB } from "chrono-node/en"
import type { Language } from "../../../lib/languages.ts"
import { asPlainDate, isDayFirstIn, parserOf } from "./writtenDate.ts"

/** Instants in milliseconds since 1970, UTC. */
export type NaturalDate = {
  start: number
  /** Absent: the text names one date, not a range. */
  end?: number
}

/**
 * Options: day first as in Britain, else month first; `now` is the base of "tomorrow". Languages other than
 * English try their own words and order first.
 */
type DateReading = { isDayFirst: boolean; now: number; language?: Language | undefined }

/**
 * The first date of a text (chrono-node 2), undefined when there is none. A date without a time is at 12:00
 * UTC. Texts too long to be a date are skipped: parsing time grows with length.
 */
export function readNaturalDate(text: string, reading: DateReading): NaturalDate | undefined {
  if (text.length > maxTextLength) return undefined
  const { now, language } = reading
  const isDayFirst = reading.isDayFirst || isDayFirstIn(language)
  const plain = asPlainDate(text, language, isDayFirst)
  // Dates of programs, as clients send them, are the same in every language, with the word in ranges.
  const own = /\d{4}-\d\d-\d\d/.test(text) ? undefined : parserOf(language)
  const english = isDayFirst ? GB : casual
  return (own && firstOf(plain, own, now)) ?? firstOf(plain, english, now)
}

function firstOf(text: string, parser: Chrono, now: number): NaturalDate | undefined {
  const found = parser.parse(text, wallClock(now))[0]
  if (!found) return undefined
  const start = instantOf(found.start, now)
  const end = found.end ? instantOf(found.end, now) : undefined
  if (start === undefined) return undefined
  return end === undefined ? { start } : { start, end }
}

const maxTextLength = 500

const dayMs = 86_400_000

/** chrono counts in local time; this instant shows, on the local clock, what UTC shows at `now`. */
function wallClock(now: number): Date {
  const utc = new Date(now)
  const local = new Date(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate())
  local.setHours(utc.getUTCHours(), utc.getUTCMinutes())
  local.setSeconds(utc.getUTCSeconds(), utc.getUTCMilliseconds())
  return local
}

function instantOf(found: ParsedComponents, now: number): number | undefined {
  const [year, month, day] = [found.get("year"), found.get("month"), found.get("day")]
  if (year === null || month === null || day === null) return undefined
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, day)
  return instant.getTime() + timeOfDay(found, now) - zoneOffsetMs(found)
}

function timeOfDay(found: ParsedComponents, now: number): number {
  const [hour, minute] = [found.get("hour") ?? 12, found.get("minute") ?? 0]
  const [second, millisecond] = [found.get("second") ?? 0, found.get("millisecond") ?? 0]
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
  // "tomorrow" and "in 3 days" have no time, but chrono copies the current one into them.
  const isCopied = !found.isCertain("hour") && time === ((now % dayMs) + dayMs) % dayMs
  return isCopied ? dayMs / 2 : time
}

/** The offset in the text, such as EST; relative dates carry the machine's. */
function zoneOffsetMs(found: ParsedComponents): number {
  const tags = found.tags()
  if (tags.has("casualReference/now") || tags.has("result/relativeDate")) return 0
  return (found.get("timezoneOffset") ?? 0) * 60_000
}
