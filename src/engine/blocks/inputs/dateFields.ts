/** The calendar fields of an instant in UTC, and their English names, as date-fns 2 defines them. */

const dayMs = 86_400_000

/** A field of a date as a number, by the letter that stands for it in a format (date-fns 2.30). */
export const numberFields: Record<string, (date: Date) => number> = {
  y: (date) => yearOfEra(date),
  u: (date) => date.getUTCFullYear(),
  Y: (date) => weekOf(date, sundayWeeks).year,
  R: (date) => weekOf(date, isoWeeks).year,
  w: (date) => weekOf(date, sundayWeeks).week,
  I: (date) => weekOf(date, isoWeeks).week,
  Q: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  q: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  M: (date) => date.getUTCMonth() + 1,
  L: (date) => date.getUTCMonth() + 1,
  d: (date) => date.getUTCDate(),
  D: (date) => dayOfYear(date),
  i: (date) => date.getUTCDay() || 7,
  e: (date) => date.getUTCDay() + 1,
  c: (date) => date.getUTCDay() + 1,
  h: (date) => date.getUTCHours() % 12 || 12,
  H: (date) => date.getUTCHours(),
  K: (date) => date.getUTCHours() % 12,
  k: (date) => date.getUTCHours() || 24,
  m: (date) => date.getUTCMinutes(),
  s: (date) => date.getUTCSeconds(),
  t: (date) => Math.floor(date.getTime() / 1000),
  T: (date) => date.getTime(),
}

/** The names of a field by the letter that stands for it in a format. */
export const nameFields: Record<string, (date: Date) => Names> = {
  G: eraNames,
  Q: quarterNames,
  q: quarterNames,
  M: monthNames,
  L: monthNames,
  E: dayNames,
  e: dayNames,
  c: dayNames,
  i: dayNames,
  a: halfDayNames,
  b: noonNames,
}

/** English names of a field: abbreviated, wide, narrow, short. */
export type Names = readonly [abbreviated: string, wide: string, narrow: string, short?: string]

function monthNames(date: Date): Names {
  const name = months[date.getUTCMonth()] ?? ""
  return [name.slice(0, 3), name, name.slice(0, 1)]
}

function dayNames(date: Date): Names {
  const name = days[date.getUTCDay()] ?? ""
  return [name.slice(0, 3), name, name.slice(0, 1), name.slice(0, 2)]
}

function quarterNames(date: Date): Names {
  const quarter = Math.floor(date.getUTCMonth() / 3) + 1
  return [`Q${quarter}`, `${ordinal(quarter)} quarter`, `${quarter}`]
}

function eraNames(date: Date): Names {
  return date.getUTCFullYear() > 0 ? ["AD", "Anno Domini", "A"] : ["BC", "Before Christ", "B"]
}

function halfDayNames(date: Date): Names {
  return date.getUTCHours() < 12 ? ["AM", "a.m.", "a"] : ["PM", "p.m.", "p"]
}

/** AM, PM, noon or midnight; the hour alone decides. */
function noonNames(date: Date): Names {
  const hour = date.getUTCHours()
  if (hour === 12) return ["noon", "noon", "n"]
  return hour === 0 ? ["midnight", "midnight", "mi"] : halfDayNames(date)
}

/** "in the morning" and the like; the same in every width. */
export function dayPart(date: Date): string {
  const hour = date.getUTCHours()
  if (hour >= 17) return "in the evening"
  if (hour >= 12) return "in the afternoon"
  return hour >= 4 ? "in the morning" : "at night"
}

/** A number as 1st, 2nd, 3rd, 4th ... */
export function ordinal(value: number): string {
  const tens = value % 100
  const suffix = tens > 10 && tens < 20 ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th")
  return `${value}${suffix}`
}

const months =
  "January February March April May June July August September October November December".split(" ")

const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ")

function yearOfEra(date: Date): number {
  const year = date.getUTCFullYear()
  return year > 0 ? year : 1 - year
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - dayNumber(date.getUTCFullYear(), 1) * dayMs) / dayMs) + 1
}

/** Days from 1970 to that day of January, also for the years 0 to 99. */
function dayNumber(year: number, dayOfJanuary: number): number {
  return Math.floor(new Date(0).setUTCFullYear(year, 0, dayOfJanuary) / dayMs)
}

type Weeks = { firstDay: number; anchorDay: number }

/** Weeks as in the USA: from Sunday on, and 1 January is in the first one. */
const sundayWeeks: Weeks = { firstDay: 0, anchorDay: 1 }

/** ISO 8601: from Monday on, and 4 January is in the first one. */
const isoWeeks: Weeks = { firstDay: 1, anchorDay: 4 }

function weekOf(date: Date, weeks: Weeks): { year: number; week: number } {
  const today = Math.floor(date.getTime() / dayMs)
  let year = date.getUTCFullYear() + 1
  while (today < firstWeekStart(year, weeks)) year -= 1
  return { year, week: Math.floor((today - firstWeekStart(year, weeks)) / 7) + 1 }
}

function firstWeekStart(year: number, weeks: Weeks): number {
  const anchor = dayNumber(year, weeks.anchorDay)
  // 1 January 1970 was a Thursday.
  const weekday = (((anchor + 4) % 7) + 7) % 7
  return anchor - ((weekday - weeks.firstDay + 7) % 7)
}
