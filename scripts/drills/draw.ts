/** Draws values from JSON Schemas: valid ones, nearly valid ones, and hostile ones. */
import fc from "fast-check"
import type { Flow } from "../../src/engine/bot.ts"
import { anyFlow } from "../../test/support/anyFlow.ts"
import { hostileText } from "../../test/support/hostile.ts"

/** JSON Schema 2020-12, as far as the OpenAPI document uses it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
  format?: string
}

/** What is drawn from. */
export type Source = {
  /** Below 1, the same for the same seed. */
  random(): number
  /** A whole number below `below`. */
  below(below: number): number
  pick<T>(from: readonly T[]): T | undefined
  /** A text that breaks careless code. */
  hostileText(): string
  /** Any JSON value. */
  hostileValue(): unknown
  /** A bot that can be walked. */
  flow(): Flow | undefined
}

/** Opens a source; the same seed draws the same. */
export function openSource(seed: number): Source {
  let state = seed >>> 0
  // mulberry32, public domain.
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]) => from[below(from.length)]
  const texts = fc.sample(hostileTexts, { seed, numRuns: 2_000 })
  const values = fc.sample(fc.jsonValue({ noUnicodeString: false }), { seed, numRuns: 2_000 })
  const flows = fc.sample(anyFlow, { seed, numRuns: 500 })
  return {
    random,
    below,
    pick,
    flow: () => pick(flows),
    hostileText: () => pick(texts) ?? "",
    hostileValue: () => (random() < 0.5 ? pick(texts) : pick(values)),
  }
}

const hostileTexts = fc.oneof(
  hostileText,
  fc.constantFrom(
    "\0",
    "\ud800",
    "\udc00x",
    "\ufeff",
    "null",
    "undefined",
    "NaN",
    "'; drop table bots; --",
    "../../etc/passwd",
    "..%2f..%2f",
    "%00",
    "{{x}}{{={{x}}=}}",
    "{{= while(true){} =}}",
    "<script>alert(1)</script>",
    "http://127.0.0.1:1/",
    "http://169.254.169.254/latest",
    "a".repeat(300),
    "é".repeat(5_000),
    "2026-13-45T99:99:99Z",
    "00000000-0000-0000-0000-000000000000",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
)

/** The same things in another order. */
export function shuffled<Item>(items: readonly Item[], random = Math.random): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

/** What a schema lies in, and texts for members of a name. */
export type Setting = {
  source: Source
  components: Record<string, Schema>
  /** Undefined: any text will do. */
  textFor(name: string): string | undefined
}

const deepest = 14

/** A value that the schema allows, unless it is nested too deep. */
export function draw(schema: Schema, setting: Setting, at = { name: "", depth: 0 }): unknown {
  const { source } = setting
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? ""
    return draw(setting.components[name] ?? {}, setting, at)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return source.pick(schema.enum)
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((each) => draw(each, setting, at)))
  }
  const options = schema.anyOf ?? schema.oneOf
  if (options) return draw(source.pick(options) ?? {}, setting, at)
  const type = Array.isArray(schema.type) ? source.pick(schema.type) : schema.type
  if (type === "string") return textOf(schema, setting, at.name)
  if (type === "boolean") return source.random() < 0.5
  if (type === "number" || type === "integer") return numberOf(schema, type, source)
  if (type === "null") return null
  if (type === "array") {
    const most = at.depth > deepest ? 0 : Math.min(schema.maxItems ?? 3, 3)
    const length = source.below(most + 1)
    const inside = { ...at, depth: at.depth + 1 }
    return Array.from({ length }, () => draw(schema.items ?? {}, setting, inside))
  }
  if (type === "object" || schema.properties) return objectOf(schema, setting, at)
  return source.hostileValue()
}

function objectOf(schema: Schema, setting: Setting, { depth }: { depth: number }): object {
  const { source } = setting
  const drawn: Record<string, unknown> = {}
  const chance = depth > deepest ? 0 : 0.4
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) ?? false
    if (!isRequired && source.random() > chance) continue
    drawn[name] = draw(member, setting, { name, depth: depth + 1 })
  }
  const { additionalProperties: more } = schema
  if (more === undefined || more === false) return drawn
  for (let left = source.below(3); left > 0; left--) {
    const value = typeof more === "object" ? draw(more, setting, { name: "", depth }) : 1
    drawn[source.hostileText()] = value
  }
  return drawn
}

function textOf(schema: Schema, { source, textFor }: Setting, name: string): string {
  const known = textFor(name)
  if (known !== undefined && source.random() < 0.9) return known
  if (schema.format === "date-time") return "2026-11-20T10:00:00.000Z"
  if (schema.format === "uri") return "https://nowhere.invalid/x"
  if (schema.format === "email") return "someone@nowhere.invalid"
  // fast-check cannot draw from patterns with a negative lookahead.
  if (schema.pattern !== undefined && !schema.pattern.includes("(?!")) {
    return fc.sample(fc.stringMatching(new RegExp(schema.pattern)), {
      numRuns: 1,
      seed: source.below(2 ** 30),
    })[0] as string
  }
  const text = source.random() < 0.7 ? `text ${source.below(100)}` : source.hostileText()
  return text.slice(0, schema.maxLength).padEnd(schema.minLength ?? 0, "x")
}

function numberOf(schema: Schema, type: string, source: Source): number {
  const { minimum = -1e9, maximum = 1e9 } = schema
  const wild = source.pick([0, 1, -1, 2.5, 100, 1e308, -1e-9, 2 ** 31, 2 ** 53]) ?? 0
  const within = Math.min(Math.max(wild, minimum), maximum)
  return type === "integer" ? Math.trunc(within) : within
}

/** The same value with one place changed: a member lost, or something else in it. */
export function spoil(value: unknown, source: Source): unknown {
  if (typeof value !== "object" || value === null || source.random() < 0.15) {
    return source.hostileValue()
  }
  const keys = Object.keys(value)
  const key = source.pick(keys)
  if (key === undefined) return source.hostileValue()
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === key ? spoil(item, source) : item))
  }
  const copy: Record<string, unknown> = { ...value }
  if (source.random() < 0.2) delete copy[key]
  else copy[key] = spoil(copy[key], source)
  return copy
}
