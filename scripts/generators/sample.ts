/** Makes values that have every member that their schema documents. */

/** A schema of the document. */
export type Schema = {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  format?: string
  pattern?: string
  minimum?: number
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}

/** The schemas of the document by name. */
export type Components = Readonly<Record<string, Schema>>

let made = 0

function newId(): string {
  made += 1
  return `id${made}`
}

/**
 * One value of a schema: all members, one element for each kind that a list may hold. Undefined where
 * the schema would only repeat itself.
 */
export function sample(schema: Schema, components: Components, within: string[] = []): unknown {
  const { $ref, oneOf, anyOf, enum: values } = schema
  if ($ref !== undefined) {
    if (within.includes($ref)) return undefined
    return sample(schemaAt($ref, components), components, [...within, $ref])
  }
  if (schema.const !== undefined) return schema.const
  if (values) return values.find((value) => value !== null)
  const [choice] = (oneOf ?? anyOf ?? []).filter(({ type }) => type !== "null")
  if (choice) return sample(choice, components, within)
  return plain(schema, components, within)
}

function schemaAt(ref: string, components: Components): Schema {
  const schema = components[ref.slice("#/components/schemas/".length)]
  if (schema === undefined) throw new Error(`${ref} is not in the document`)
  return schema
}

function plain(schema: Schema, components: Components, within: string[]): unknown {
  const { type, items = {}, minimum = 0 } = schema
  switch (typeof type === "string" ? type : type?.find((each) => each !== "null")) {
    case "object":
      return members(schema, components, within)
    case "array":
      return kindsOf(items, components, within)
        .map((kind) => sample(kind, components, within))
        .filter((element) => element !== undefined)
    case "string":
      return textOf(schema)
    case "number":
    case "integer":
      return Math.max(1, minimum)
    case "boolean":
      return true
    default:
      return "anything"
  }
}

/** Of all forms that the document demands of texts. */
const texts = [
  "text",
  "en",
  "2026-01-02T03:04:05.000Z",
  "https://example.com",
  "12:00",
  "#000000",
  "all",
]

function textOf({ format, pattern = "" }: Schema): string {
  const formed = format === "date-time" ? texts.slice(2) : texts
  const found = formed.find((text) => new RegExp(pattern).test(text))
  if (found === undefined) throw new Error(`No text is known that matches ${pattern}`)
  return found
}

function members(
  { properties = {}, additionalProperties: others }: Schema,
  components: Components,
  within: string[],
): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    name === "id" ? newId() : sample(schema, components, within),
  ])
  if (entries.length === 0 && typeof others === "object") {
    entries.push(["Name", sample(others, components, within)])
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** The kinds of elements that a list may hold. */
function kindsOf(schema: Schema, components: Components, within: string[]): Schema[] {
  if (schema.$ref === undefined) return schema.oneOf ?? schema.anyOf ?? [schema]
  if (within.includes(schema.$ref)) return []
  const target = schemaAt(schema.$ref, components)
  return target.oneOf ?? target.anyOf ?? [schema]
}
