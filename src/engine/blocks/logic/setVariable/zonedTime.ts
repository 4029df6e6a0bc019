/** Prints an instant as the clocks of a time zone show it. */
import { LRUCache } from "lru-cache"
import { AppError } from "../../../../errors.ts"

/**
 * `2026-01-02T04:04:05+01:00`, or with `Z` for UTC. The zone is an IANA name or an
 * offset such as `+05:30`. Throws 400 when it is neither.
 */
export function printZoned(instantMs: number, timeZone: string): string {
  const seconds = Math.floor(instantMs / 1000) * 1000
  const offsetMs = fixedOffset(timeZone) ?? seconds - atClock(seconds, timeZone)
  const clock = new Date(seconds - offsetMs).toISOString().slice(0, 19)
  return `${clock}${printOffset(-offsetMs)}`
}

const offsetForm = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i

/** Milliseconds that UTC is ahead of the zone; undefined when it is not written as an offset. */
function fixedOffset(timeZone: string): number | undefined {
  if (timeZone === "Z") return 0
  const [, sign, hours, minutes = "0"] = offsetForm.exec(timeZone) ?? []
  if (hours === undefined) return undefined
  if (Number(hours) > 23) throw notAZone(timeZone)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === "+" ? -offset : offset
}

// Making a format costs far more than using it; zones may come from end users.
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 })

/** What the clocks of the zone show, read as if it were UTC. */
function atClock(instantMs: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? openFormat(timeZone)
  const shown = new Map<string, number>()
  for (const { type, value } of format.formatToParts(instantMs)) shown.set(type, Number(value))
  const field = (type: string) => shown.get(type) ?? 0
  return Date.UTC(
    field("year"),
    field("month") - 1,
    field("day"),
    field("hour"),
    field("minute"),
    field("second"),
  )
}

function openFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = "numeric" as const
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "iso8601",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
    formats.set(timeZone, format)
    return format
  } catch (cause) {
    throw notAZone(timeZone, cause)
  }
}

function printOffset(aheadMs: number): string {
  if (aheadMs === 0) return "Z"
  const minutes = Math.abs(aheadMs) / 60_000
  const pad = (value: number) => String(Math.floor(value)).padStart(2, "0")
  return `${aheadMs < 0 ? "-" : "+"}${pad(minutes / 60)}:${pad(minutes % 60)}`
}

function notAZone(timeZone: string, cause?: unknown): AppError {
  return new AppError("BAD_REQUEST", `"${timeZone}" is not a time zone`, { cause })
}
