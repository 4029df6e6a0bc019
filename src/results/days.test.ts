/** Tests of spans of days: zones on both sides of UTC, ends of months, clocks that change. */
import { expect, test } from "vitest"
import { dayStarts, spanOf, type TimeFilter } from "./days.ts"

const span = (filter: TimeFilter, timeZone: string, now: string) => {
  const { fromMs, beforeMs } = spanOf(filter, timeZone, Date.parse(now))
  const print = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(ms).toISOString()
  return [print(fromMs), print(beforeMs)]
}

test("today is the day that the zone's calendar shows", () => {
  const now = "2026-03-10T22:30:00Z"
  expect(span("today", "UTC", now)).toEqual(["2026-03-10T00:00:00.000Z", undefined])
  expect(span("today", "Europe/Berlin", now)).toEqual(["2026-03-09T23:00:00.000Z", undefined])
  expect(span("today", "Asia/Kolkata", now)).toEqual(["2026-03-10T18:30:00.000Z", undefined])
  expect(span("today", "America/Los_Angeles", now)).toEqual(["2026-03-10T07:00:00.000Z", undefined])
  expect(span("today", "Pacific/Kiritimati", now)).toEqual(["2026-03-10T10:00:00.000Z", undefined])
  expect(span("today", "Pacific/Pago_Pago", now)).toEqual(["2026-03-10T11:00:00.000Z", undefined])
})

test("the first instant of a day belongs to it", () => {
  const start = "2026-03-09T23:00:00.000Z"
  expect(span("today", "Europe/Berlin", start)).toEqual([start, undefined])
  const before = "2026-03-09T22:59:59.999Z"
  expect(span("today", "Europe/Berlin", before)).toEqual(["2026-03-08T23:00:00.000Z", undefined])
})

test("seven and thirty days count today", () => {
  const now = "2026-03-03T12:00:00Z"
  expect(span("last7Days", "UTC", now)).toEqual(["2026-02-25T00:00:00.000Z", undefined])
  expect(span("last30Days", "UTC", now)).toEqual(["2026-02-02T00:00:00.000Z", undefined])
})

test("days before a change of clocks start by the clocks of their time", () => {
  // Berlin goes forward on 29 March 2026 and back on 25 October 2026.
  expect(span("last7Days", "Europe/Berlin", "2026-04-01T12:00:00Z")).toEqual([
    "2026-03-25T23:00:00.000Z",
    undefined,
  ])
  expect(span("today", "Europe/Berlin", "2026-03-29T12:00:00Z")).toEqual([
    "2026-03-28T23:00:00.000Z",
    undefined,
  ])
  expect(span("today", "Europe/Berlin", "2026-10-25T22:30:00Z")).toEqual([
    "2026-10-24T22:00:00.000Z",
    undefined,
  ])
  expect(span("monthToDate", "America/New_York", "2026-11-02T03:00:00Z")).toEqual([
    "2026-11-01T04:00:00.000Z",
    undefined,
  ])
})

test("a day without midnight starts at one o'clock", () => {
  // Cairo goes forward at midnight of 24 April 2026.
  expect(span("today", "Africa/Cairo", "2026-04-24T12:00:00Z")).toEqual([
    "2026-04-23T22:00:00.000Z",
    undefined,
  ])
  // Santiago goes forward at midnight of 6 September 2026.
  expect(span("today", "America/Santiago", "2026-09-06T12:00:00Z")).toEqual([
    "2026-09-06T04:00:00.000Z",
    undefined,
  ])
})

test("last month ends where this month begins", () => {
  expect(span("lastMonth", "UTC", "2026-01-15T00:00:00Z")).toEqual([
    "2025-12-01T00:00:00.000Z",
    "2026-01-01T00:00:00.000Z",
  ])
  // In Tokyo it is March already.
  expect(span("lastMonth", "Asia/Tokyo", "2026-02-28T15:00:00Z")).toEqual([
    "2026-01-31T15:00:00.000Z",
    "2026-02-28T15:00:00.000Z",
  ])
  expect(span("lastMonth", "Europe/Berlin", "2026-04-30T12:00:00Z")).toEqual([
    "2026-02-28T23:00:00.000Z",
    "2026-03-31T22:00:00.000Z",
  ])
})

test("the year begins on its first of January", () => {
  expect(span("yearToDate", "Australia/Sydney", "2026-07-01T00:00:00Z")).toEqual([
    "2025-12-31T13:00:00.000Z",
    undefined,
  ])
})

test("all time has no bounds", () => {
  expect(span("allTime", "UTC", "2026-07-01T00:00:00Z")).toEqual([undefined, undefined])
})

test("an invalid IANA time zone is refused by every filter", () => {
  for (const zone of ["", "Mars/Olympus", "+05:30", "-01:00", "../etc", "Europe/Berlin "]) {
    expect(() => spanOf("allTime", zone, 0)).toThrow("IANA time zone")
  }
})

test("days begin where the zone's calendar turns, also on the days when clocks change", () => {
  const quarter = (time: string) => Date.parse(time) / 900_000
  const starts = (zone: string, from: string, before: string) =>
    dayStarts(zone, quarter(from), quarter(before)).map((start) =>
      new Date(start * 900_000).toISOString().slice(0, 16),
    )
  expect(starts("UTC", "2026-03-01T12:00Z", "2026-03-03T12:00Z")).toEqual([
    "2026-03-01T12:00",
    "2026-03-02T00:00",
    "2026-03-03T00:00",
  ])
  expect(starts("Europe/Berlin", "2026-03-27T23:00Z", "2026-03-31T00:00Z")).toEqual([
    "2026-03-27T23:00",
    "2026-03-28T23:00",
    "2026-03-29T22:00",
    "2026-03-30T22:00",
  ])
  expect(starts("America/New_York", "2026-10-31T04:00Z", "2026-11-02T06:00Z")).toEqual([
    "2026-10-31T04:00",
    "2026-11-01T04:00",
    "2026-11-02T05:00",
  ])
  expect(starts("Asia/Kathmandu", "2026-03-01T00:00Z", "2026-03-02T00:00Z")).toEqual([
    "2026-03-01T00:00",
    "2026-03-01T18:15",
  ])
})
