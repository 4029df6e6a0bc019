/** Prints an instant as the clocks of a time zone show it. */
import { LRUCache } from "lru-cache"
import { cut } from "../../../../lib/cut.ts"
import { AppError } from "../../../../lib/errors.ts"

/**
 * `2026-01-02T04:04:05+01:00`, or with `Z` for UTC. The zone is an IANA name or an
 * offset such as `+05:30`. Throws 400 for others. `shiftMs` counts by the clocks of the zone: a day from now is always another date, even when clocks change.
 */
export function printZoned(nowMs: number, timeZone: string, shiftMs = 0): string {
  const ahead = (ms: number) => writtenOffset(timeZone) ?? offsetOf(timeZone, ms)
  const shiftedMs = nowMs + shiftMs
  const instantMs = shiftedMs + ahead(nowMs) - ahead(shiftedMs)
  const aheadMs = ahead(instantMs)
  const clock = new Date(instantMs + aheadMs).toISOString().slice(0, 19)
  return `${clock}${printOffset(aheadMs)}`
}

const offsetForm = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i

/** Milliseconds that a zone is ahead of UTC; undefined: not an offset. */
function writtenOffset(timeZone: string): number | undefined {
  if (timeZone === "Z") return 0
  const [, sign, hours, minutes = "0"] = offsetForm.exec(timeZone) ?? []
  if (hours === undefined) return undefined
  if (Number(hours) > 23) throw notAZone(timeZone)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === "-" ? -offset : offset
}

// Making a format costs far more than using it; zones may come from end users.
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200, memoMethod: createFormat })

/** Milliseconds that a zone is ahead of UTC at that time. */
function offsetOf(timeZone: string, instantMs: number): number {
  const parts = formats.memo(timeZone).formatToParts(instantMs)
  // Such as `GMT+01:00`, or `GMT` alone; until 1972 some zones were ahead by odd seconds.
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [hours = 0, minutes = 0, seconds = 0] = offset.match(/\d+/g)?.map(Number) ?? []
  const aheadMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000
  return offset.includes("-") ? -aheadMs : aheadMs
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
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
  return new AppError("BAD_REQUEST", `"${cut(timeZone)}" is not a time zone`, { cause })
}
