/** Tests what date and time fields show for a known value, and which days they offer. */
import { expect, test } from "vitest"
import { type FieldType, fieldValue, highest, lowest } from "./moments.ts"

const cases: [string, FieldType, string, string][] = [
  ["2026-01-31", "date", "dd/MM/yyyy", "2026-01-31"],
  ["31/01/2026", "date", "dd/MM/yyyy", "2026-01-31"],
  ["1.2.2026", "date", "d.M.yyyy", "2026-02-01"],
  ["2026-01-31T10:30:15.000Z", "date", "dd/MM/yyyy", "2026-01-31"],
  ["2026-01-31T10:30:15.000Z", "datetime-local", "dd/MM/yyyy HH:mm", "2026-01-31T10:30"],
  ["31/01/2026 10:30", "datetime-local", "dd/MM/yyyy HH:mm", "2026-01-31T10:30"],
  ["2026-01-31", "datetime-local", "dd/MM/yyyy HH:mm", "2026-01-31T12:00"],
  ["10:30", "time", "HH:mm", "10:30"],
  ["9h05", "time", "HH:mm", "09:05"],
  ["10:30", "time", "h:mm a", "10:30"],
  ["9:05", "time", "H:mm", "09:05"],
  ["１４：３０", "time", "HH:mm", "14:30"],
  ["31.12.2026", "date", "dd/MM/yyyy", "2026-12-31"],
  ["03.04.2026", "date", "MM.dd.yyyy", "2026-03-04"],
  ["3. 4. 2026 9:05", "datetime-local", "yyyy-MM-dd HH:mm", "2026-04-03T09:05"],
  ["tomorrow", "date", "dd/MM/yyyy", ""],
  ["31 January 2026", "date", "dd MMMM yyyy", ""],
  ["31/31/2026", "date", "dd/dd/yyyy", ""],
  ["31/01/2026 or so", "date", "dd/MM/yyyy", ""],
  ["", "date", "dd/MM/yyyy", ""],
]

test.each(
  cases,
)("%j in a %s field of the format %s is shown as %j", (text, type, format, shown) => {
  expect(fieldValue(text, type, format)).toBe(shown)
})

test.each([
  ["2026-01-31", "date", "2026-01-31", "2026-01-31"],
  ["2026-01-31", "datetime-local", "2026-01-31T00:00", "2026-01-31T23:59"],
  ["2026-01-31T10:30", "datetime-local", "2026-01-31T10:30", "2026-01-31T10:30"],
  // The service ignores such a bound, and browsers would read it with the month first.
  ["10/01/2026", "date", "10/01/2026", undefined],
  ["2026-99-99", "date", "2026-99-99", undefined],
  [undefined, "date", undefined, undefined],
] as const)("a bound %j of a %s field is %j as the first and %j as the last", (bound, type, ...ends) => {
  expect([lowest(bound, type), highest(bound, type)]).toEqual(ends)
})
