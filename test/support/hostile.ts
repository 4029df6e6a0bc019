/** Valid blocks with hostile options: drawn from the JSON Schema of their type. */
import fc from "fast-check"
import { z } from "zod"
import type { VariableValue } from "../../src/engine/schema/variable.ts"

/** Variables of a hostile flow: unset, texts that mean something else elsewhere, lists. */
export const hostileValues: Record<string, VariableValue | undefined> = {
  Unset: undefined,
  Plain: "Ann",
  Number: "042",
  Template: "{{Plain}}{{={{Plain}}=}}",
  Code: "); throw 1; (",
  Markdown: "# a\n\n* **b** [c](javascript:d)\n<script>e</script>",
  List: ["a", null, '"b"', "3"],
  Empty: [],
  Json: '["x","",{"y":1}]',
}

/** Ids that a hostile flow may mention; in each list one that does not exist. */
export type Known = { edges: string[]; groups: string[]; blocks: string[]; bots: string[] }

const variableIds = [...Object.keys(hostileValues).map((name) => `v${name}`), "vGone"]
const names = [...Object.keys(hostileValues), "Gone"]

const token = fc.constantFrom(...names).map((name) => `{{${name}}}`)
const texts = [
  "",
  " ",
  "x",
  "a, b",
  "0",
  "-1",
  "1e999",
  "3,5",
  "{{",
  "{{=",
  "{{= {{Plain}} =}}",
  "{{={{List}}.at(-1)=}}",
  "}}{{Plain}}{{List",
  "__proto__",
  "constructor",
  "\\",
  "\\u0000\u0000",
  "/(a+)+$/",
  "/[/",
  "https://example.com/a.png",
  "javascript:alert(1)",
  "data.a[0]",
  '{"a":"{{Plain}}","b":{{List}}}',
  "return {{List}}",
  "yyyy-MM-dd'T",
  "2026-01-01",
  "Europe/Paris",
  "current",
  "<b onclick=x>{{Markdown}}</b>",
]

/** Texts that break careless code. */
export const hostileText = fc.oneof(
  fc.constantFrom(...texts),
  token,
  fc.tuple(token, token).map((two) => two.join("-")),
)

const numbers = fc.constantFrom(0, -1, 1, 2.5, 100, 1e308, -1e-9, 2 ** 31)

type Schema = {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  maxItems?: number
  pattern?: string
  description?: string
}

/** The JSON Schema of a type, as it is sent. */
export function jsonSchemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema
}

/** The schema that a reference stands for. */
export function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.replace("#/$defs/", "")
  return name === undefined ? schema : (root.$defs?.[name] ?? {})
}

/** Blocks of a type, with everything that its schema allows. */
export function hostileBlock(
  schema: z.ZodType,
  known: Known,
): fc.Arbitrary<Record<string, unknown>> {
  return hostileObject(jsonSchemaOf(schema), known)
}

/** Objects of a JSON Schema, with everything that it allows. */
export function hostileObject(root: Schema, known: Known): fc.Arbitrary<Record<string, unknown>> {
  return drawn(root, { root, known, depth: 0 }) as fc.Arbitrary<Record<string, unknown>>
}

type Place = { root: Schema; known: Known; depth: number; name?: string }

function drawn(schema: Schema, place: Place): fc.Arbitrary<unknown> {
  const { root } = place
  if (schema.$ref !== undefined) return drawn(resolved(schema, root), place)
  if (place.name === "richText") return richText
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => drawn(option, place)))
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => drawn({ ...schema, type }, place)))
  }
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
  if (schema.type === "string") return textNamed(place)
  if (schema.type === "boolean") return fc.boolean()
  if (schema.type === "number" || schema.type === "integer") return numberWithin(schema)
  if (schema.type === "null") return fc.constant(null)
  if (schema.type === "array") {
    const item = drawn(schema.items ?? {}, { ...place, depth: place.depth + 1 })
    return fc.array(item, { maxLength: Math.min(schema.maxItems ?? 3, place.depth > 3 ? 1 : 3) })
  }
  if (schema.type === "object") return objectOf(schema, place)
  return fc.oneof(hostileText, fc.constant({}), fc.constant(null), fc.constant([1, "x"]))
}

function objectOf(schema: Schema, place: Place): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [
    name,
    drawn(member, { ...place, depth: place.depth + 1, name }),
  ])
  const required = schema.required ?? []
  if (members.length > 0) {
    return fc.record(Object.fromEntries(members), {
      requiredKeys: required as never[],
      noNullPrototype: true,
    })
  }
  const { additionalProperties } = schema
  const value =
    typeof additionalProperties === "object" ? drawn(additionalProperties, place) : hostileText
  return fc.dictionary(hostileText, value, { maxKeys: 2, noNullPrototype: true })
}

function numberWithin({ minimum = -Infinity, maximum = Infinity, type }: Schema) {
  return numbers.map((number) => {
    const within = Math.min(Math.max(number, minimum), maximum)
    return type === "integer" ? Math.trunc(Math.min(within, 1e9)) : within
  })
}

/** A name tells what a text refers to. */
function textNamed({ name = "", known }: Place): fc.Arbitrary<string> {
  if (/edgeid$/i.test(name)) return fc.constantFrom(...known.edges)
  if (/variableid$/i.test(name)) return fc.constantFrom(...variableIds)
  if (/groupid$/i.test(name)) return fc.oneof(fc.constantFrom(...known.groups), token)
  if (/blockid$/i.test(name)) return fc.constantFrom(...known.blocks)
  if (/^(typebot|bot)id$/i.test(name)) return fc.constantFrom(...known.bots)
  if (/^id$/.test(name)) return fc.constantFrom("i1", "i2", "i3")
  return hostileText
}

const leaf = fc.record(
  { text: hostileText, bold: fc.boolean(), code: fc.boolean() },
  { requiredKeys: ["text"], noNullPrototype: true },
)
const element = fc.record(
  {
    type: fc.constantFrom("p", "a", "h1", "ul", "li", "lic", "code_block", "hr", "img", "?"),
    url: hostileText,
    children: fc.array(leaf, { maxLength: 3 }),
  },
  { requiredKeys: ["type"], noNullPrototype: true },
)
const richText = fc.array(fc.oneof(element, leaf), { maxLength: 3 })
