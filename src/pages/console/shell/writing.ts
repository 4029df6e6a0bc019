/** Writes dates and numbers as the reader's language does. */
import { useLanguage } from "./texts.ts"

const minuteMs = 60_000
const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 24 * 60],
  ["month", 30 * 24 * 60],
  ["week", 7 * 24 * 60],
  ["day", 24 * 60],
  ["hour", 60],
  ["minute", 1],
]

export type Writing = {
  /** A number: `1,234`. */
  number(value: number, options?: Intl.NumberFormatOptions): string
  /** A day: `12 Mar 2026`. */
  day(at: string | Date): string
  /** A moment: `12 Mar 2026, 14:05`. */
  moment(at: string | Date): string
  /** A time of day: `14:05`. */
  time(at: string | Date): string
  /** How long ago: `3 hours ago`. */
  ago(at: string | Date): string
  /** A part of a whole: `42%`. */
  share(part: number, whole: number): string
  /** A size: `1.2 MB`. */
  bytes(count: number): string
}

const writings = new Map<string, Writing>()

export function useWriting(): Writing {
  const language = useLanguage()
  // The region decides on dates, and the browser knows it.
  const locale =
    navigator.languages.find((tag) => tag.startsWith(language) && isKnown(tag)) ?? language
  const known = writings.get(locale)
  if (known !== undefined) return known
  const made = writingIn(locale)
  writings.set(locale, made)
  return made
}

/** Some browsers name locales that `Intl` refuses, such as `en-US@posix`. */
function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

function writingIn(locale: string): Writing {
  const numbers = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })
  const times = new Intl.DateTimeFormat(locale, { timeStyle: "short" })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" })
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"]
  return {
    number: (value, options) =>
      options ? new Intl.NumberFormat(locale, options).format(value) : numbers.format(value),
    day: (at) => days.format(new Date(at)),
    moment: (at) => moments.format(new Date(at)),
    time: (at) => times.format(new Date(at)),
    ago: (at) => {
      const minutes = (new Date(at).getTime() - Date.now()) / minuteMs
      const [unit, size] = steps.find(([, each]) => Math.abs(minutes) >= each) ?? ["minute", 1]
      return relative.format(Math.trunc(minutes / size), unit)
    },
    share: (part, whole) => percent.format(whole === 0 ? 0 : part / whole),
    bytes: (count) => {
      const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(count, 1)) / 3))
      return new Intl.NumberFormat(locale, {
        style: "unit",
        unit: units[power] ?? "byte",
        unitDisplay: "short",
        maximumFractionDigits: 1,
      }).format(count / 1_000 ** power)
    },
  }
}
