/** Gives the values of variables, which are texts and lists, the types that a tool's schema asks for. */
import type { McpToolAsk } from "../../engine/calls.ts"
import { pick, pickList, readJson } from "../../lib/foreignJson.ts"
import { isMembers } from "../../lib/json.ts"

type Given = McpToolAsk["arguments"][number][1]

/**
 * The arguments as the schema of the tool has them. A value that fits no type of its argument stays as it is: the
 * server says what is wrong with it.
 */
export function typedArguments(
  given: McpToolAsk["arguments"],
  inputSchema: object | undefined,
): Record<string, unknown> {
  const properties = pick(inputSchema, "properties") ?? {}
  return Object.fromEntries(
    given.map(([name, value]) => [name, typed(value, pick(properties, name))]),
  )
}

/** A schema and its alternatives, such as a number or null. */
const alternativesOf = (schema: unknown) => [
  schema,
  ...pickList(schema, "anyOf"),
  ...pickList(schema, "oneOf"),
]

function typed(value: Given, schema: unknown): unknown {
  const alternatives = alternativesOf(schema)
  const types = new Set(alternatives.flatMap((each) => pick(each, "type") ?? []).flat())
  const item = (each: string | null) =>
    each === null ? each : typed(each, alternatives.map((one) => pick(one, "items")).find(Boolean))
  if (Array.isArray(value)) {
    if (types.has("array") || types.size === 0) return value.map(item)
    const [first = null, ...others] = value
    return others.length === 0 && first !== null ? typed(first, schema) : JSON.stringify(value)
  }
  if (types.has("string") || types.size === 0) return value
  const read = readJson(value.trim())
  if (types.has("number") && typeof read === "number") return read
  if (types.has("integer") && Number.isInteger(read)) return read
  if (types.has("boolean") && typeof read === "boolean") return read
  if (types.has("object") && isMembers(read)) return read
  if (!types.has("array")) return value
  return Array.isArray(read) ? read : [item(value)]
}
