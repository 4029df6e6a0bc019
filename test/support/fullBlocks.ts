/** Blocks with every member that the JSON Schema of their type has, and every text in them that authors write. */
import type { z } from "zod"
import type { EditorHints } from "../../src/engine/schema/sharedMembers.ts"
import { jsonSchemaOf, resolved } from "./hostile.ts"

type Schema = ReturnType<typeof jsonSchemaOf> & { examples?: unknown[]; default?: unknown }
type Members = Record<string, unknown>

/** A member that has several values. `isAlone`: it changes nothing about what other choices do. */
type Choice = { path: string; values: readonly unknown[]; isAlone: boolean }

/** Names of members that hold addresses. */
export const addressName = /(?:url|src|link|href)$/i

/** Texts that blocks need in order to send anything, by the name of their member; all others are `plain`. */
const usualTexts: Readonly<Record<string, string>> = {
  amount: "10",
  botId: "kid",
  content: "plain",
  credentialsId: "c",
  currency: "EUR",
  edgeId: "e",
  from: "me@x.example",
  groupId: "g",
  locale: "en",
  receiptEmail: "me@x.example",
  replyTo: "me@x.example",
  sheetId: "0",
  timeZone: "Europe/Paris",
  to: "me@x.example",
  typebotId: "kid",
  // As the value of a header it makes the body a form.
  value: "application/x-www-form-urlencoded",
}
const addressLists: ReadonlySet<string> = new Set(["recipients", "cc", "bcc"])

/** Names of headers whose values have a syntax of their own; anywhere else they are names like others. */
const keys = ["X-Key", "Cookie", "Authorization", "Content-Type", "Content-Disposition"] as const

/** Of longer lists of names, such as methods, some stand for all. */
const maxNames = 5

/** Members of objects that take any. */
const others = {
  text: "plain",
  iconUrl: "https://x.example/base/ann/end",
  link: "https://x.example/base/ann/end",
  buttons: [{ label: "plain", href: "https://x.example/base/ann/end" }],
}

const richText = [
  { type: "p", children: [{ text: "plain" }, { text: "plain", bold: true }] },
  {
    type: "p",
    children: [{ type: "a", url: "https://x.example/", children: [{ text: "plain" }] }],
  },
]

/**
 * Blocks of a type in which each pair of values of its choices occurs once: members without a choice have a text
 * that lets the block send something, lists have one element.
 */
export function fullBlocks(name: string, schema: z.ZodType): Members[] {
  const root: Schema = jsonSchemaOf(schema)
  const choices: Choice[] = []
  built(root, { root, path: "", chosen: new Map(), found: choices })
  const blocks = new Map<string, Members>()
  for (const chosen of selections(choices)) {
    const block = { ...(built(root, { root, path: "", chosen }) as Members), id: "b", type: name }
    const read = schema.safeParse(block)
    if (read.success) blocks.set(JSON.stringify(read.data), read.data as Members)
  }
  return [...blocks.values()]
}

/** Names of members that say what the whole block does. */
const isTask = (name: string) => name === "action" || name === "task"

/** Every value of a choice, and every pair of values of two, beside the first of all others. */
function* selections(choices: readonly Choice[]): Generator<Map<string, unknown>> {
  yield new Map()
  for (const [index, one] of choices.entries()) {
    for (const value of one.values) {
      yield new Map([[one.path, value]])
      for (const other of one.isAlone ? [] : choices.slice(index + 1)) {
        if (other.isAlone && !isTask(one.path.split(".").at(-1) ?? "")) continue
        for (const second of other.values) {
          yield new Map([
            [one.path, value],
            [other.path, second],
          ])
        }
      }
    }
  }
}

type Place = {
  root: Schema
  path: string
  name?: string
  chosen: ReadonlyMap<string, unknown>
  found?: Choice[]
}

function built(schema: Schema, place: Place): unknown {
  const { root, path, name = "" } = place
  if (schema.$ref !== undefined) return built(resolved(schema, root), place)
  if (name === "richText") return richText
  if (schema.const !== undefined) return schema.const
  const values = valuesOf(schema, place)
  if (values) {
    const isAlone = schema.enum !== undefined && !isTask(name)
    place.found?.push({ path, values, isAlone })
    return place.chosen.has(path) ? place.chosen.get(path) : values[0]
  }
  const options = schema.anyOf ?? schema.oneOf
  if (options) {
    const index = options.map((_, at) => at)
    place.found?.push({ path, values: index, isAlone: true })
    const at = Number(place.chosen.get(path) ?? 0)
    return built(options[at] ?? {}, { ...place, path: `${path}|${at}` })
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === "number" || type === "integer") return schema.minimum ?? 1
  if (type === "null") return null
  if (type === "array") return [built(schema.items ?? {}, { ...place, path: `${path}[]` })]
  if (type === "object") return objectOf(schema, place)
  return textFor(name)
}

function valuesOf(schema: Schema, { name = "", path }: Place): readonly unknown[] | undefined {
  const { enum: all } = schema
  if (all) return all.length <= maxNames || isTask(name) ? all : [...all.slice(0, 2), all.at(-1)]
  if (schema.type === "string" && schema.examples) return schema.examples
  if (schema.type === "boolean") return [schema.default === true, schema.default !== true]
  // Buttons and cards that a variable lists take the place of the author's.
  if (name.startsWith("dynamic")) return [undefined, "vKept"]
  return /headers.*key$/.test(path) ? keys : undefined
}

function objectOf(schema: Schema, place: Place): Members {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const path = `${place.path}.${name}`
    return [name, built(member, { ...place, path, name })] as const
  })
  const isOpen = typeof schema.additionalProperties === "object"
  return { ...Object.fromEntries(members), ...(isOpen && others) }
}

function textFor(name: string): string {
  if (/(?:^v|V)ariableId$/.test(name) || /^attachments$/.test(name)) return "vKept"
  if (/^id$/i.test(name)) return "i"
  if (addressLists.has(name)) return "me@x.example"
  if (addressName.test(name)) return "https://x.example/base/ann/end"
  return usualTexts[name] ?? "plain"
}

/** The places of all texts in a block. */
export function textPlaces(block: Members): (string | number)[][] {
  const found: (string | number)[][] = []
  const visit = (value: unknown, path: (string | number)[]) => {
    if (typeof value === "string") {
      found.push(path)
    } else if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) visit(element, [...path, index])
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) visit(member, [...path, key])
    }
  }
  visit(block, [])
  return found
}

/** The value with another text in a place. */
export function withText(
  value: unknown,
  path: readonly (string | number)[],
  text: string,
): unknown {
  const [key, ...rest] = path
  if (key === undefined) return text
  if (Array.isArray(value)) {
    return value.map((each, at) => (at === key ? withText(each, rest, text) : each))
  }
  return { ...(value as Members), [key]: withText((value as Members)[key], rest, text) }
}

/** Members of a type that take a template and are no numbers, by their paths. */
export function templateMembers(schema: z.ZodType): string[] {
  const root: Schema = jsonSchemaOf(schema)
  const found = new Set<string>()
  const visit = (part: Schema, path: string) => {
    const own: Schema & { "x-parley"?: EditorHints } = { ...resolved(part, root), ...part }
    const isText = own.type === "string" || own.type === undefined
    if (own["x-parley"]?.template && isText) found.add(path)
    for (const [name, member] of Object.entries(own.properties ?? {})) {
      visit(member, path === "" ? name : `${path}.${name}`)
    }
    for (const each of [own.items, ...(own.anyOf ?? []), ...(own.oneOf ?? [])]) {
      if (each) visit(each, path)
    }
  }
  visit(root, "")
  return [...found]
}
