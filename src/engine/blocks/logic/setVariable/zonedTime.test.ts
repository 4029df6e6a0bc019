/** Instants as the clocks of time zones show them. */
import { expect, test } from "vitest"
import { printZoned } from "./zonedTime.ts"

const winter = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const summer = Date.UTC(2026, 6, 2, 23, 30, 0)

test.each([
  [winter, "Europe/Paris", "2026-01-02T04:04:05+01:00"],
  [summer, "Europe/Paris", "2026-07-03T01:30:00+02:00"],
  [winter, "America/New_York", "2026-01-01T22:04:05-05:00"],
  [winter, "Asia/Kolkata", "2026-01-02T08:34:05+05:30"],
  [winter, "UTC", "2026-01-02T03:04:05Z"],
  [winter, "Europe/London", "2026-01-02T03:04:05Z"],
  [winter, "Z", "2026-01-02T03:04:05Z"],
  [winter, "+02:00", "2026-01-02T05:04:05+02:00"],
  [winter, "-0930", "2026-01-01T17:34:05-09:30"],
  [winter, "UTC+3", "2026-01-02T06:04:05+03:00"],
  [Date.UTC(2026, 0, 1, 0, 0, 0), "Etc/UTC", "2026-01-01T00:00:00Z"],
  [Date.UTC(1960, 0, 1, 0, 0, 0), "Africa/Monrovia", "1959-12-31T23:15:30-00:44"],
])("19.1 %d in %s is %s", (instantMs, timeZone, printed) => {
  expect(printZoned(instantMs, timeZone)).toBe(printed)
})

const day = 24 * 60 * 60 * 1000

test.each([
  // Half past midnight, on the longest day of the year and on the day after the shortest one.
  [Date.UTC(2026, 9, 24, 22, 30), day, "2026-10-26T00:30:00+01:00"],
  [Date.UTC(2026, 2, 29, 22, 30), -day, "2026-03-29T00:30:00+01:00"],
])("19.1 a day from %d is the same time of another day where clocks change", (now, shift, printed) => {
  expect(printZoned(now, "Europe/Berlin", shift)).toBe(printed)
})

test.each(["Mars/Olympus", "+25:00", "Paris", "+1:2:3"])("19.1 %s is refused", (timeZone) => {
  expect(() => printZoned(winter, timeZone)).toThrow(`"${timeZone}" is not a time zone`)
})

test("19.1 a refusal quotes only the beginning of an invalid zone", () => {
  expect(() => printZoned(winter, "M".repeat(1_000_000))).toThrow(
    `"${"M".repeat(99)}…" is not a time zone`,
  )
})
