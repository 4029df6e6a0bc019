/** Written forms of dates and times in the languages of chats. */
import type { Chrono } from "chrono-node"
import { casual as german } from "chrono-node/de"
import { casual as spanish } from "chrono-node/es"
import { casual as french } from "chrono-node/fr"
import { casual as italian } from "chrono-node/it"
import { casual as japanese } from "chrono-node/ja"
import { casual as dutch } from "chrono-node/nl"
import { casual as portuguese } from "chrono-node/pt"
import { casual as chinese } from "chrono-node/zh"
import type { Language } from "../../../lib/languages.ts"
import { plainDigits } from "../../../lib/writtenNumber.ts"

/** Parser for a language; undefined: English only. */
export function parserOf(language: Language | undefined): Chrono | undefined {
  return language && parsers[language]
}

const parsers: { readonly [name in Language]?: Chrono } = {
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  ja: japanese,
  nl: dutch,
  pt: portuguese,
  zh: chinese,
}

/** Whether the language writes the day before the month in figures. */
export function isDayFirstIn(language: Language | undefined): boolean {
  return language !== undefined && !["en", "ja", "zh"].includes(language)
}

/**
 * Normalises forms that no parser reads: digits of every script, `14h30`, `14.30 Uhr`, `3.5.26` where the day
 * comes first, and months of languages without a parser.
 */
export function asPlainDate(
  text: string,
  language: Language | undefined,
  isDayFirst: boolean,
): string {
  const plain = plainDigits(text)
    .replace(/[\u200e\u200f\u061c]/g, "")
    .replace(/[：／．]/g, (mark) => asciiMarks[mark] ?? mark)
    .replace(hourSign, "$1:$2")
    .replace(/\b(\d{1,2})\.(\d\d)(?= ?Uhr\b)/gi, "$1:$2")
  const dated = isDayFirst ? plain.replace(dotted, wholeDate) : plain
  if (!language || language === "en" || parsers[language]) return dated
  const months = monthsOf(language)
  return dated.replace(/\p{L}+/gu, (word) => months.get(word.toLowerCase()) ?? word)
}

const asciiMarks: Readonly<Record<string, string>> = { "：": ":", "／": "/", "．": "." }

const hourSign = /(?<![\d.:])([01]?\d|2[0-3]) ?(?:h|Uhr) ?([0-5]\d)(?!\d)/gi

/** Two digits of a year from 51 on are of the last century, as everywhere in chrono-node. */
const dotted = /(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d\d)(?![\d.:])/g

function wholeDate(whole: string, day: string, month: string, year: string): string {
  if (Number(day) > 31 || Number(month) > 12) return whole
  const full = year.length === 4 ? year : `${Number(year) > 50 ? 19 : 20}${year}`
  return `${day.padStart(2, "0")}.${month.padStart(2, "0")}.${full}`
}

const known = new Map<Language, ReadonlyMap<string, string>>()

/** English names of months by those of a language. */
function monthsOf(language: Language): ReadonlyMap<string, string> {
  const names = known.get(language) ?? namesOfMonths(language)
  known.set(language, names)
  return names
}

/** Month names alone and after a day, in Hebrew also with their preposition. */
function namesOfMonths(language: Language): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (let month = 0; month < 12; month += 1) {
    const date = new Date(Date.UTC(2026, month, 1))
    const english = nameOf(date, "en", {})
    for (const form of [{}, { day: "numeric" }] as const) {
      const name = nameOf(date, language, form).toLowerCase()
      for (const written of [name, `ב${name}`]) names.set(written, english)
    }
  }
  return names
}

function nameOf(date: Date, language: Language, form: { day?: "numeric" }): string {
  const format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC", ...form })
  return format.formatToParts(date).find(({ type }) => type === "month")?.value ?? ""
}
