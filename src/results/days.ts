/** Spans of days in a time zone, as bounds of instants. */
import { quarterMs } from "../db/results/analytics.ts"
import { badRequest } from "../lib/errors.ts"

/** Spans of days by name, today included. */
export const timeFilters = [
  "today",
  "last7Days",
  "last30Days",
  "monthToDate",
  "lastMonth",
  "yearToDate",
  "allTime",
] as const

export type TimeFilter = (typeof timeFilters)[number]

/** Instants in milliseconds since 1970; absent: unbounded. */
export type Span = {
  /** The first one inside. */
  fromMs?: number
  /** The first one outside again. */
  beforeMs?: number
}

type Day = { year: number; month: number; day: number }

/** The span of a filter at an instant. Throws a 400 when the zone is not an IANA time zone. */
export function spanOf(filter: TimeFilter, timeZone: string, nowMs: number): Span {
  const clock = createClock(timeZone)
  const { year, month, day } = clock.dayAt(nowMs)
  const startOf = (months: number, days: number) =>
    clock.startOf({ year, month: month + months, day: days })
  const spans: Record<TimeFilter, () => Span> = {
    today: () => ({ fromMs: startOf(0, day) }),
    last7Days: () => ({ fromMs: startOf(0, day - 6) }),
    last30Days: () => ({ fromMs: startOf(0, day - 29) }),
    monthToDate: () => ({ fromMs: startOf(0, 1) }),
    lastMonth: () => ({ fromMs: startOf(-1, 1), beforeMs: startOf(0, 1) }),
    yearToDate: () => ({ fromMs: startOf(1 - month, 1) }),
    allTime: () => ({}),
  }
  return spans[filter]()
}

/** Bounds of a span: days, `YYYY-MM-DD`, or times, ISO 8601. A day that is the end is inside, a time is not. */
export type SpanBounds = { from?: string | undefined; to?: string | undefined }

/** The first and the last moment that the id of a result can have. */
const [firstMs, lastMs] = [0, 2 ** 48 - 1]

/** The span between two bounds. Throws a 400 as `spanOf`, or when it holds nothing. */
export function spanBetween({ from, to }: SpanBounds, timeZone: string): Span {
  const clock = createClock(timeZone)
  const momentOf = (bound: string, daysOn: number): number => {
    const [year = 0, month = 0, day = 0] = bound.split("-").map(Number)
    return isDay(bound) ? clock.startOf({ year, month, day: day + daysOn }) : Date.parse(bound)
  }
  const fromMs = from === undefined ? undefined : momentOf(from, 0)
  const beforeMs = to === undefined ? undefined : momentOf(to, 1)
  if ((fromMs ?? -Infinity) < (beforeMs ?? Infinity)) {
    return {
      ...(fromMs !== undefined && { fromMs: clamped(fromMs) }),
      ...(beforeMs !== undefined && { beforeMs: clamped(beforeMs) }),
    }
  }
  throw badRequest("`from` must be before `to`", [
    { message: "Not before `to`", path: ["from"], code: "custom" },
  ])
}

const clamped = (instantMs: number) => Math.min(Math.max(instantMs, firstMs), lastMs)

const isDay = (bound: string) => /^\d{4}-\d\d-\d\d$/.test(bound)

/** Prints the day of an instant in a zone, `YYYY-MM-DD`. Throws a 400 as `spanOf`. */
export function dayFormat(timeZone: string): (timeMs: number) => string {
  const { dayAt } = createClock(timeZone)
  return (timeMs) => new Date(midnightOf(dayAt(timeMs))).toISOString().slice(0, 10)
}

// No zone is more than 14 hours from UTC, and none ever was more than 16.
const farthest = 4 * 16

/**
 * The quarters of an hour since 1970 in which days begin in a zone, from the one of a first quarter on:
 * that itself, then each midnight before another quarter. Throws a 400 as `spanOf`.
 */
export function dayStarts(timeZone: string, from: number, before: number): number[] {
  const clock = createClock(timeZone)
  const starts: number[] = []
  for (let start = from; start < before; ) {
    starts.push(start)
    const { year, month, day } = clock.dayAt(start * quarterMs)
    start = clock.startOf({ year, month, day: day + 1 }) / quarterMs
  }
  return starts
}

type Clock = {
  /** The day in the zone. */
  dayAt(instantMs: number): Day
  /** The first instant of a day; months and days beyond their range carry over. */
  startOf(day: Day): number
}

/** The usual one, without the time zones of V8: opening one of those takes as long as reading a page of results. */
const utcClock: Clock = {
  dayAt(instantMs) {
    const date = new Date(instantMs)
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  },
  startOf: midnightOf,
}

function createClock(timeZone: string): Clock {
  if (timeZone === "UTC") return utcClock
  const format = createFormat(timeZone)
  const dayAt = (instantMs: number): Day => {
    const shown = new Map<string, number>()
    for (const { type, value } of format.formatToParts(instantMs)) shown.set(type, Number(value))
    const field = (type: string) => shown.get(type) ?? 0
    return { year: field("year"), month: field("month"), day: field("day") }
  }
  return {
    dayAt,
    startOf(day) {
      // Zones differ from UTC by whole quarters of an hour, and days begin with one.
      const wanted = midnightOf(day)
      // By bisection: where clocks go forward at midnight, a day starts at one o'clock.
      let outside = wanted / quarterMs - farthest
      let inside = wanted / quarterMs + farthest
      while (inside - outside > 1) {
        const middle = Math.floor((outside + inside) / 2)
        if (midnightOf(dayAt(middle * quarterMs)) >= wanted) inside = middle
        else outside = middle
      }
      return inside * quarterMs
    },
  }
}

/** Midnight of a day as if the zone were UTC. */
function midnightOf({ year, month, day }: Day): number {
  const midnight = new Date(0)
  // `Date.UTC` takes years before 100 for those of the 20th century.
  return midnight.setUTCFullYear(year, month - 1, day)
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = "numeric" as const
  try {
    // Newer releases of Node accept offsets such as +05:30, which are not IANA names.
    if (!/^[A-Za-z]/.test(timeZone)) throw new RangeError("An IANA name starts with a letter")
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "iso8601",
      numberingSystem: "latn",
      year: numeric,
      month: numeric,
      day: numeric,
    })
  } catch {
    throw badRequest("timeZone must be an IANA time zone such as Europe/Berlin", [
      { message: "Not an IANA time zone", path: ["timeZone"], code: "custom" },
    ])
  }
}
