/** Points in time as responses carry them. */
import { z } from "zod"

/** ISO 8601 in UTC with milliseconds, for example `2026-05-22T08:15:30.123Z`. */
export function timestampSchema(description: string) {
  return z.string().meta({ description, format: "date-time" })
}

/** The same, or null. */
export function nullableTimestampSchema(description: string) {
  return z.string().meta({ format: "date-time" }).nullable().describe(description)
}

/** A point in time that may not have come; null until then. */
export function printTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
