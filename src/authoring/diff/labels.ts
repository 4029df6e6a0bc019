/** Describes a member of a flow in the words of its schema. */
import { z } from "zod"
import { typeOf } from "../../engine/blocks/registry.ts"
import { flowSchema, groupSchema } from "../../engine/bot.ts"
import { edgeSchema } from "../../engine/schema/edge.ts"
import { eventSchema } from "../../engine/schema/event.ts"
import { settingsSchema } from "../../engine/schema/settings.ts"
import { themeSchema } from "../../engine/schema/theme.ts"
import { variableSchema } from "../../engine/schema/variable.ts"
import type { Key, Path } from "../lint/location.ts"
import type { Part } from "./parts.ts"

/** The description of the member at a path inside a part; undefined: no schema has one. */
export function labelOf(part: Part, path: Path): string | undefined {
  const root = part.what === "item" ? ["items", part.index] : []
  for (let length = path.length; length > 0; length--) {
    const schema = schemaAt(schemaOf(part), [...root, ...path.slice(0, length)])
    const description = schema && describe(schema)
    // The rest of a description covers defaults and variables.
    if (description) return description.split("; ")[0]
  }
  return undefined
}

const schemas = {
  flow: flowSchema,
  event: eventSchema,
  group: groupSchema,
  edge: edgeSchema,
  variable: variableSchema,
  theme: themeSchema,
  settings: settingsSchema,
}

function schemaOf({ what, block }: Part): z.ZodType | undefined {
  return what === "block" || what === "item" ? block && typeOf(block).schema : schemas[what]
}

/** The schema of the value at a path; of a union the first option that has such a member. */
function schemaAt(schema: unknown, path: Path): z.ZodType | undefined {
  const [key, ...further] = path
  if (key === undefined) return schema instanceof z.ZodType ? schema : undefined
  const inner = unwrapped(schema)
  if (inner !== undefined) return schemaAt(inner, path)
  if (!(schema instanceof z.ZodUnion)) return schemaAt(memberSchema(schema, key), further)
  for (const option of schema.options) {
    const found = schemaAt(option, path)
    if (found) return found
  }
  return undefined
}

function memberSchema(schema: unknown, key: Key): unknown {
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key)) return schema.shape[key]
  return undefined
}

function unwrapped(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  return isWrapper ? schema.unwrap() : undefined
}

function describe(schema: z.ZodType): string | undefined {
  const inner = unwrapped(schema)
  return schema.description ?? (inner instanceof z.ZodType ? describe(inner) : undefined)
}
