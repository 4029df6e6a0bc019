/** Formats of date-fns 2, token by token. */
import { expect, test } from "vitest"
import { formatDate } from "./formatDate.ts"

const sunday = Date.UTC(2024, 11, 29, 15, 4, 5, 67)
const newYear = Date.UTC(2027, 0, 1, 0, 0, 0, 0)

test.each([
  ["dd/MM/yyyy", "29/12/2024"],
  ["dd/MM/yyyy HH:mm", "29/12/2024 15:04"],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSxxx", "2024-12-29T15:04:05.067+00:00"],
  ["d.M.yy", "29.12.24"],
  ["do MMMM y", "29th December 2024"],
  ["EEE, MMM d", "Sun, Dec 29"],
  ["EEEE EEEEE EEEEEE", "Sunday S Su"],
  ["e ee eo eee eeee", "1 01 1st Sun Sunday"],
  ["i ii io iii", "7 07 7th Sun"],
  ["M MM Mo MMM MMMM MMMMM", "12 12 12th Dec December D"],
  ["h:mm a | hh aa | K k", "3:04 PM | 03 PM | 3 15"],
  ["aaa aaaa aaaaa", "pm p.m. p"],
  ["b B", "PM in the afternoon"],
  ["S SS SSS SSSS", "0 06 067 0670"],
  ["Q Qo QQ QQQ QQQQ", "4 4th 04 Q4 4th quarter"],
  ["G GGGG", "AD Anno Domini"],
  ["X XXX x xx xxx O zzzz", "Z Z +00 +0000 +00:00 GMT+0 GMT+00:00"],
  ["t", String(Math.floor(sunday / 1000))],
  ["T", String(sunday)],
  ["P", "12/29/2024"],
  ["PPP", "December 29th, 2024"],
  ["p", "3:04 PM"],
  ["Pp", "12/29/2024, 3:04 PM"],
  ["PPPPpp", "Sunday, December 29th, 2024 at 3:04:05 PM"],
  ["'day' d 'o''clock'", "day 29 o'clock"],
  ["d''M", "29'12"],
  ["'P' 'open", "P open"],
  ["", ""],
  ["j 9 é", "j 9 é"],
])("18.14 prints %s as %s", (format, printed) => {
  expect(formatDate(sunday, format)).toBe(printed)
})

test.each([
  ["YYYY", sunday, "2025"],
  ["YY", sunday, "25"],
  ["yyyy", sunday, "2024"],
  ["RRRR 'W'II", sunday, "2024 W52"],
  ["ww", sunday, "01"],
  ["DD", sunday, "364"],
  ["DDD Do", newYear, "001 1st"],
  ["RRRR 'W'II i", newYear, "2026 W53 5"],
  ["YYYY w", newYear, "2027 1"],
  ["YYYY w", Date.UTC(2026, 11, 26), "2026 52"],
])("18.14 knows the weeks and days of a year: %s", (format, instant, printed) => {
  expect(formatDate(instant, format)).toBe(printed)
})

test.each([
  [0, "12 AM 24 0 midnight at night"],
  [4, "4 AM 4 4 AM in the morning"],
  [12, "12 PM 12 0 noon in the afternoon"],
  [23, "11 PM 23 11 PM in the evening"],
])("18.14 knows the names of hour %i", (hour, printed) => {
  expect(formatDate(Date.UTC(2024, 0, 1, hour), "h a k K b B")).toBe(printed)
})

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [11, "11th"],
  [12, "12th"],
  [13, "13th"],
  [21, "21st"],
  [22, "22nd"],
  [23, "23rd"],
])("18.14 prints day %i as %s", (day, printed) => {
  expect(formatDate(Date.UTC(2024, 0, day), "do")).toBe(printed)
})

test("18.14 prints years before the first century", () => {
  expect(formatDate(new Date(0).setUTCFullYear(33, 3, 3), "y yy yyyy D")).toBe("33 33 0033 93")
  expect(formatDate(new Date(0).setUTCFullYear(-43, 2, 15), "y G u")).toBe("44 BC -43")
})
