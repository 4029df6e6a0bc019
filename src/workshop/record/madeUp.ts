/** Replaces visitor input with made-up values of the same form, equal values with equal ones. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import type { Input } from "../../engine/blocks/block.ts"
import { typeOf } from "../../engine/blocks/registry.ts"
import type { ChatInput } from "../../engine/chatInput.ts"

/** Makes values up; personal data never comes back. */
export type MadeUp = {
  /** A reply to a question. */
  reply(text: string, input: ChatInput | undefined): string
  /** Any other value: replaces all texts in it. */
  value<T>(value: T): T
}

/** Ratings are kept: the bot defines them. */
type AnswerForm = Exclude<NonNullable<Input["answersAre"]>, "ratings">

type Parts = {
  /** At least 0, less than 1; unpredictable, so that names cannot be found by trying. */
  random(): number
  /** The texts of the bot, which are not personal. */
  keeps: ReadonlySet<string>
  /** All visitor input: made-up words must not occur in it. */
  said: readonly string[]
}

/** Creates a world of made-up values. */
export function createMadeUp({ random, keeps, said }: Parts): MadeUp {
  const real = new Set(said.flatMap((text) => text.toLowerCase().match(word) ?? []))
  const known = new Map<string, string>()
  const words = new Map<string, string>()
  const wordFor = (found: string): string => {
    const key = found.toLowerCase()
    let made = words.get(key)
    for (let tries = 0; made === undefined; tries++) {
      const tried = [...key].map((letter) => otherThan(letter, random)).join("")
      if (tries > 50 || !real.has(tried)) made = tried
    }
    words.set(key, made)
    return casedAs(found, made)
  }
  const inWords = (text: string) => text.replace(word, wordFor)
  const inForm = (text: string) =>
    text.replace(form, (found) => {
      const email = /^([^@]+)@/.exec(found)?.[1]
      if (email !== undefined) return `${inWords(email)}@example.com`
      const [, scheme, path = ""] = /^(https?:\/\/)[^/?#\s]+(.*)$/i.exec(found) ?? []
      if (scheme !== undefined) return `${scheme}example.com${inWords(path)}`
      if (found.startsWith("+")) return phoneLike(found, random) ?? inWords(found)
      return /^\d+(?:[-/.:]\d+)+$/.test(found) ? dateLike(found, random) : inWords(found)
    })
  const makers: Record<AnswerForm, (text: string) => string | undefined> = {
    numbers: (text) => {
      const made = numberLike(text.trim(), random)
      words.set(text.trim().toLowerCase(), made)
      return made
    },
    dates: (text) => dateLike(text, random),
    "phone numbers": (text) => phoneLike(text, random),
  }
  const made = (text: string, input?: ChatInput): string => {
    const key = text.trim()
    if (keeps.has(key)) return text
    const type = input && typeOf(input)
    const form = type?.kind === "input" ? type.answersAre : undefined
    if (form === "ratings") return text
    const found = known.get(key) ?? (form && makers[form](text)) ?? inForm(text)
    known.set(key, found)
    return found
  }
  const value = (given: unknown): unknown => {
    if (typeof given === "string") return made(given)
    if (typeof given === "number") return Number(numberLike(String(given), random)) || 0
    if (Array.isArray(given)) return given.map(value)
    if (typeof given !== "object" || given === null) return given
    // Names of members belong to the bot.
    return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, value(each)]))
  }
  return { reply: made, value: value as MadeUp["value"] }
}

/** The texts of a flow, which are not personal. */
export function textsOf(flow: unknown): Set<string> {
  const texts = new Set<string>()
  const collect = (value: unknown) => {
    if (typeof value === "string" && value.length <= 1_000) texts.add(value.trim())
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect)
  }
  collect(flow)
  return texts
}

/** Letters or digits. */
const word = /[\p{L}\p{M}]+|\p{N}+/gu

/**
 * Mail and web addresses, international numbers, dates and times, and words: each bounded, or long texts are
 * slow.
 */
const form =
  /[^\s@<>"',;]{1,64}@[^\s@<>"',;]{1,255}|https?:\/\/[^\s<>"]{1,2000}|\+\d[\d ().-]{5,25}\d|\d{1,4}(?:[-/.:]\d{1,4}){1,2}|[\p{L}\p{M}]+|\p{N}+/giu

const alphabets = [
  "aeiou",
  "bcdfghjklmnpqrstvwxyz",
  "0123456789",
  "áéíóúàèìòùâêîôû",
  "абвгдежзиклмнопрст",
  "αβγδεζηθικλμν",
]

/** Another character of the same alphabet. */
function otherThan(letter: string, random: () => number): string {
  const alphabet = alphabets.find((each) => each.includes(letter)) ?? unknownAlphabet(letter)
  const left = [...alphabet].filter((each) => each !== letter)
  return left[Math.floor(random() * left.length)] ?? "x"
}

function unknownAlphabet(letter: string): string {
  if (/\p{N}/u.test(letter)) return "0123456789"
  if (/\p{Script=Latin}|\p{M}/u.test(letter)) return "áéíóúàèìòùâêîôû"
  return "天地人山川日月水火木"
}

function casedAs(found: string, made: string): string {
  const letters = [...found]
  return [...made]
    .map((letter, place) => {
      const model = letters[place] ?? ""
      return model !== model.toLowerCase() ? letter.toUpperCase() : letter
    })
    .join("")
}

function digitsLike(text: string, random: () => number): string {
  return text.replace(/\d/g, (digit) => otherThan(digit, random))
}

/** The same number of digits, with a leading zero only if it had one. */
function numberLike(text: string, random: () => number): string {
  for (let tries = 0; tries < 50; tries++) {
    const made = digitsLike(text, random)
    if (!/^-?0\d/.test(made)) return made
  }
  return digitsLike(text, random)
}

/** Groups of digits that can be days, months, hours and minutes; years stay in their century. */
function dateLike(text: string, random: () => number): string {
  return text.replace(/\d+/g, (digits) => {
    if (digits.length > 4) return digitsLike(digits, random)
    if (digits.length > 2) return digits.slice(0, -2) + digitsLike(digits.slice(-2), random)
    const tried = 1 + Math.floor(random() * 12)
    const other = tried === Number(digits) ? (tried % 12) + 1 : tried
    return String(other).padStart(digits.length, "0").slice(-Math.max(2, digits.length))
  })
}

/** A valid number of the same country and form; undefined: not a phone number. */
function phoneLike(text: string, random: () => number): string | undefined {
  const country = parsePhoneNumberFromString(text)?.country
  if (country === undefined) return undefined
  for (let tries = 0; tries < 400; tries++) {
    // The fewer digits change, the likelier the number is valid.
    const changing = Math.max(4, 7 - Math.floor(tries / 100))
    const digits = text.match(/\d/g)?.length ?? 0
    let place = 0
    const made = text.replace(/\d/g, (digit) =>
      place++ < digits - changing ? digit : otherThan(digit, random),
    )
    const parsed = parsePhoneNumberFromString(made)
    if (parsed?.isValid() && parsed.country === country) return made
  }
  return undefined
}
