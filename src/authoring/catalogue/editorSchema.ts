/** Writes schemas as JSON Schema for editors: a form can be made of it, and files checked against it. */
import { z } from "zod"

/** JSON Schema 2020-12, or a part of it. */
export type JsonSchema = { [keyword: string]: unknown }

/**
 * The schema of inputs. Every member has a title, and there are no references, because many form generators
 * drop keywords beside them.
 */
export function editorSchemaOf(schema: z.ZodType): JsonSchema {
  const written = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", metadata })
  visitMembers(written as JsonSchema, (member, name) => {
    member.title ??= titleOf(name)
  })
  return written as JsonSchema
}

/** Visits every member of the objects in a schema, the outer ones first. */
export function visitMembers(
  schema: JsonSchema,
  visit: (member: JsonSchema, name: string, isRequired: boolean) => void,
): void {
  const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = schema as Parts
  for (const [name, member] of Object.entries(properties)) {
    visit(member, name, required.includes(name))
  }
  for (const part of [...Object.values(properties), ...anyOf, ...oneOf, ...(items ? [items] : [])])
    visitMembers(part, visit)
}

type Parts = {
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** Metadata without ids, which would become references, but with overrides of the API document. */
const metadata = Object.assign(z.registry<Record<string, unknown>>(), {
  get(schema: z.core.$ZodType) {
    const { id: _, override, ...others } = z.globalRegistry.get(schema) ?? {}
    // Elsewhere the document shows less than the schema accepts.
    const isNeeded = schema._zod.def.type === "custom" && typeof override === "object"
    return { ...others, ...(isNeeded && override) }
  },
})

/** Words whose spelling differs from their members'. */
const spellings = new Map(
  "API BCC CC CSS HTML ID IDs QR SVG URL URLs".split(" ").map((word) => [word.toLowerCase(), word]),
)

/** The title of a member that has none: `isMultipleChoice` is "Multiple choice", `variableId` "Variable". */
function titleOf(name: string): string {
  const words = name
    .replace(/^\$|^(?:is|are|has|should)(?=[A-Z])/, "")
    .replace(/(?<=[a-z])Id(s?)$/, "$1")
    .replace(/Src(s?)$/, "Address")
    .split(/_|(?=[A-Z]|(?<=[a-z])\d)/)
    .map((word) => spellings.get(word.toLowerCase()) ?? word.toLowerCase())
  const title = words.join(" ").replace("whats app", "WhatsApp")
  return title.charAt(0).toUpperCase() + title.slice(1)
}
