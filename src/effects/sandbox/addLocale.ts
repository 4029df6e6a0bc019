/** Provides scripts with `Intl` and the locale-aware methods, which QuickJS lacks, by using Node's. */
import { hasThrown, lengthOf, type Realm } from "./realm.ts"

type Formatter = Record<string, unknown>

/** The constructors of `Intl` (ECMA-402) that scripts may use, and their methods. */
const methods: Record<string, readonly string[]> = {
  Collator: ["compare", "resolvedOptions"],
  DateTimeFormat: ["format", "formatToParts", "formatRange", "resolvedOptions"],
  DisplayNames: ["of", "resolvedOptions"],
  ListFormat: ["format", "formatToParts", "resolvedOptions"],
  NumberFormat: ["format", "formatToParts", "resolvedOptions"],
  PluralRules: ["select", "resolvedOptions"],
  RelativeTimeFormat: ["format", "formatToParts", "resolvedOptions"],
}

/** Adds `Intl` and the locale-aware methods to a realm. The returned function forgets their formatters. */
export function addLocale({ context, evaluate, call }: Realm): () => void {
  const formatters: Formatters = new Map()
  const answer = context.newFunction("answer", (question) => {
    const isTooLong = lengthOf(context, question) > maxQuestion
    return context.newString(isTooLong ? tooLong : reply(context.getString(question), formatters))
  })
  const install = evaluate(source, "locale.js")
  const names = context.newString(JSON.stringify(methods))
  if (!hasThrown(install)) call(install, answer, names)
  return () => formatters.clear()
}

const maxQuestion = 100_000
const tooLong = JSON.stringify({ error: "Too much to format" })

/** Answers a question, `[constructor, locales, options, method, arguments]`. Errors are answers too. */
function reply(question: string, formatters: Formatters): string {
  try {
    const [name, locales, options, method, values] = JSON.parse(question) as [
      string,
      string | string[] | null,
      object | null,
      string,
      unknown[],
    ]
    const formatter = formatterOf(formatters, name, locales ?? undefined, options ?? undefined)
    if (!methods[name]?.includes(method)) throw new Error("No such method")
    const call = formatter[method] as (...values: unknown[]) => unknown
    return JSON.stringify({ value: call.apply(formatter, values.map(toNative)) })
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : "Cannot be formatted" })
  }
}

// JSON has no big integers and no NaN, so these come as `{ number }`.
function toNative(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("number" in value)) return value
  const text = String(value.number)
  return /^-?\d+n$/.test(text) ? BigInt(text.slice(0, -1)) : Number(text)
}

type NewFormatter = new (locales?: string | string[], options?: object) => Formatter

const constructors = Intl as unknown as Record<string, NewFormatter>

type Formatters = Map<string, Formatter>

/** A formatter. They are cached, because creating one takes longer than using it. */
function formatterOf(
  formatters: Formatters,
  name: string,
  locales: string | string[] | undefined,
  options: object | undefined,
): Formatter {
  const key = JSON.stringify([name, locales, options])
  const known = formatters.get(key)
  if (known) return known
  const Constructor = Object.hasOwn(methods, name) ? constructors[name] : undefined
  if (!Constructor) throw new Error("No such formatter")
  const made = new Constructor(locales, options)
  if (formatters.size >= 50) formatters.clear()
  formatters.set(key, made)
  return made
}

const source = `(function (answer, names) {
  const { parse, stringify } = JSON
  const toJson = (value) =>
    typeof value === "bigint" ? { number: value + "n" }
    : typeof value === "number" && !Number.isFinite(value) ? { number: String(value) }
    : value instanceof Date ? toJson(value.getTime())
    : value
  const ask = (name, locales, options, method, values) => {
    const question = stringify([name, locales ?? null, options ?? null, method, values.map(toJson)])
    const { value, error } = parse(answer(question))
    if (error !== undefined) throw new RangeError(error)
    return value
  }
  const define = (target, name, value) =>
    Object.defineProperty(target, name, { value, configurable: true, writable: true })
  const now = (values) => (values[0] === undefined ? [Date.now()] : values)

  const Intl = {}
  for (const [name, methods] of Object.entries(parse(names))) {
    const prepare = name === "DateTimeFormat" ? now : (values) => values
    const Formatter = function (locales, options) {
      if (!new.target) return new Formatter(locales, options)
      ask(name, locales, options, "resolvedOptions", [])
      for (const method of methods) {
        define(this, method, (...values) => ask(name, locales, options, method, prepare(values)))
      }
    }
    define(Formatter, "name", name)
    define(Formatter, "supportedLocalesOf", (locales) => [locales].flat())
    define(Intl, name, Formatter)
  }
  define(globalThis, "Intl", Intl)

  const day = { year: "numeric", month: "numeric", day: "numeric" }
  const time = { hour: "numeric", minute: "numeric", second: "numeric" }
  const dayParts = ["weekday", "year", "month", "day", "dateStyle"]
  const timeParts = ["hour", "minute", "second", "dayPeriod", "fractionalSecondDigits", "timeStyle"]
  const dateMethod = (name, parts, defaults) =>
    define(Date.prototype, name, function (locales, options) {
      const ms = this.getTime()
      if (Number.isNaN(ms)) return "Invalid Date"
      const hasPart = parts.some((part) => options?.[part] !== undefined)
      return ask("DateTimeFormat", locales, hasPart ? options : { ...options, ...defaults },
        "format", [ms])
    })
  dateMethod("toLocaleString", [...dayParts, ...timeParts], { ...day, ...time })
  dateMethod("toLocaleDateString", dayParts, day)
  dateMethod("toLocaleTimeString", timeParts, time)
  const numberMethod = (prototype) =>
    define(prototype, "toLocaleString", function (locales, options) {
      return ask("NumberFormat", locales, options, "format", [this.valueOf()])
    })
  numberMethod(Number.prototype)
  numberMethod(BigInt.prototype)
  define(String.prototype, "localeCompare", function (other, locales, options) {
    return ask("Collator", locales, options, "compare", [String(this), String(other)])
  })
})`
