/** Dates in words and figures, on machines in any time zone. */
import { execFileSync } from "node:child_process"
import fc from "fast-check"
import { expect, test } from "vitest"
import { languages } from "../../../lib/languages.ts"
import { readNaturalDate } from "./naturalDate.ts"

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

type Found = ReturnType<typeof readNaturalDate>

const read = (text: string, isDayFirst = true) => print(readNaturalDate(text, { isDayFirst, now }))

function print(found: Found): string | undefined {
  if (!found) return undefined
  return [found.start, found.end]
    .filter((instant) => instant !== undefined)
    .map((instant) => new Date(instant).toISOString().replace(":00.000Z", ""))
    .join(" .. ")
}

const cases: [text: string, expected: string | undefined][] = [
  ["2024-01-10", "2024-01-10T12:00"],
  ["10/01/2024", "2024-01-10T12:00"],
  ["01/13/2024", "2024-01-13T12:00"],
  ["2024-01-10T10:30", "2024-01-10T10:30"],
  ["2024-03-10T02:30", "2024-03-10T02:30"],
  ["2024-03-31T02:30", "2024-03-31T02:30"],
  ["2024-01-10T10:30Z", "2024-01-10T10:30"],
  ["2024-01-10T10:30+02:00", "2024-01-10T08:30"],
  ["10:30", "2026-01-02T10:30"],
  ["10:30 EST", "2026-01-02T15:30"],
  ["5pm", "2026-01-02T17:00"],
  ["noon", "2026-01-02T12:00"],
  ["today", "2026-01-02T12:00"],
  ["tomorrow", "2026-01-03T12:00"],
  ["yesterday", "2026-01-01T12:00"],
  ["in 3 days", "2026-01-05T12:00"],
  ["next month", "2026-02-02T12:00"],
  ["tomorrow at 9am", "2026-01-03T09:00"],
  ["tonight", "2026-01-02T22:00"],
  ["tomorrow morning", "2026-01-03T06:00"],
  ["now", "2026-01-02T03:04:05.678Z"],
  ["in 2 hours", "2026-01-02T05:04:05.678Z"],
  ["I will come on 10 January 2024, or the 12th", "2024-01-10T12:00"],
  ["2024-01-10 to 2024-01-12", "2024-01-10T12:00 .. 2024-01-12T12:00"],
  ["from 10/01/2024 to 12/01/2024", "2024-01-10T12:00 .. 2024-01-12T12:00"],
  ["2024-01-10T10:30 to 2024-01-12T11:00", "2024-01-10T10:30 .. 2024-01-12T11:00"],
  ["tomorrow 10pm to 2am", "2026-01-03T22:00 .. 2026-01-04T02:00"],
  ["2024-02-30", undefined],
  ["17", undefined],
  ["1030", undefined],
  ["soon", undefined],
  ["", undefined],
]

test.each([
  ["de", "31.12.2026", "2026-12-31T12:00"],
  ["de", "03.04.26", "2026-04-03T12:00"],
  ["de", "3. 4. 1962", "1962-04-03T12:00"],
  ["de", "31. Dezember 2026 um 14 Uhr 30", "2026-12-31T14:30"],
  ["de", "14.30 Uhr", "2026-01-02T14:30"],
  ["de", "morgen", "2026-01-03T12:00"],
  ["de", "tomorrow", "2026-01-03T12:00"],
  ["de", "03/04/2026", "2026-04-03T12:00"],
  ["de", "10.01.2024 bis 12.01.2024", "2024-01-10T12:00 .. 2024-01-12T12:00"],
  ["de", "2024-01-10 to 2024-01-12", "2024-01-10T12:00 .. 2024-01-12T12:00"],
  ["fr", "31/12/2026 à 14h30", "2026-12-31T14:30"],
  ["fr", "1er mai 2026", "2026-05-01T12:00"],
  ["es", "31 de diciembre de 2026", "2026-12-31T12:00"],
  ["pt", "3/4/2026", "2026-04-03T12:00"],
  ["it", "31 dicembre 2026", "2026-12-31T12:00"],
  ["nl", "5 juni 2026", "2026-06-05T12:00"],
  ["pl", "31 grudnia 2026", "2026-12-31T12:00"],
  ["pl", "3.04.2026", "2026-04-03T12:00"],
  ["he", "31 בדצמבר 2026", "2026-12-31T12:00"],
  ["ar", "٣١ ديسمبر ٢٠٢٦", "2026-12-31T12:00"],
  ["ja", "２０２６年１２月３１日", "2026-12-31T12:00"],
  ["ja", "14時30分", "2026-01-02T14:30"],
  ["zh", "明天下午3点", "2026-01-03T15:00"],
  ["en", "03/04/2026", "2026-03-04T12:00"],
  ["en", "03.04.2026", "2026-03-04T12:00"],
  ["en", "03.04.26", "2026-03-04T12:00"],
  ["en", "14h30", "2026-01-02T14:30"],
  [undefined, "１０：３０", "2026-01-02T10:30"],
] as const)("6.5 reads in a chat of the language %s the text %s as %s", (language, text, expected) => {
  expect(print(readNaturalDate(text, { isDayFirst: false, now, language }))).toBe(expected)
})

test("6.5 reads dates of programs alike in all languages, and no language reads a plain number as one", () => {
  const moment = fc.date({
    min: new Date("1000-01-01"),
    max: new Date("9999-12-31"),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moment, fc.nat(99_999), fc.constantFrom(...languages), (date, number, language) => {
      const text = date.toISOString().slice(0, 16)
      const found = readNaturalDate(text, { isDayFirst: false, now, language })
      expect(found).toEqual({ start: Date.parse(`${text}Z`) })
      const none = readNaturalDate(String(number), { isDayFirst: false, now, language })
      expect(none).toBeUndefined()
    }),
  )
})

test("6.5 reads figures in every language, and dots where the day comes first", () => {
  const day = fc.date({
    min: new Date("1951-01-01"),
    max: new Date("2050-12-31"),
    noInvalidDate: true,
  })
  const options = { year: "numeric", month: "numeric", day: "numeric", timeZone: "UTC" } as const
  fc.assert(
    fc.property(day, fc.constantFrom(...languages), (date, language) => {
      const own = new Intl.DateTimeFormat(language, options).format(date)
      const [year = "", month = "", dayOfMonth = ""] = date.toISOString().slice(0, 10).split("-")
      const isDotted = !["en", "ja", "zh"].includes(language)
      const dotted = [
        `${dayOfMonth}.${month}.${year}`,
        `${+dayOfMonth}. ${+month}. ${year.slice(2)}`,
      ]
      for (const text of isDotted ? [own, ...dotted] : [own]) {
        const found = print(readNaturalDate(text, { isDayFirst: false, now, language }))
        expect(found, text).toBe(`${year}-${month}-${dayOfMonth}T12:00`)
      }
    }),
  )
})

test.each(cases)("6.5 reads %s as %s", (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  "America/Los_Angeles",
  "Pacific/Kiritimati",
  "Europe/Paris",
])("6.5 reads the same on a machine in %s", (zone) => {
  const texts = cases.map(([text]) => text)
  expect(readElsewhere(texts, zone)).toEqual(cases.map(([, expected]) => expected))
})

/** The same in a process of its own, because a process has one time zone. */
function readElsewhere(texts: string[], zone: string): (string | undefined)[] {
  const script = `
    import { readNaturalDate } from ${JSON.stringify(new URL("naturalDate.ts", import.meta.url).href)}
    if (Intl.DateTimeFormat().resolvedOptions().timeZone !== ${JSON.stringify(zone)}) process.exit(1)
    const found = ${JSON.stringify(texts)}.map((text) =>
      readNaturalDate(text, { isDayFirst: true, now: ${now} }) ?? null)
    console.log(JSON.stringify(found))`
  const printed = execFileSync(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script],
    { env: { ...process.env, TZ: zone }, encoding: "utf8" },
  )
  const found: Found[] = JSON.parse(printed)
  return found.map((date) => print(date ?? undefined))
}

test("6.5 reads the month first by default", () => {
  expect(read("10/01/2024", false)).toBe("2024-10-01T12:00")
})

test("6.5 skips a text that is too long to be a date", () => {
  const started = performance.now()
  expect(read("5 days ".repeat(14_000))).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(5_000)
})
