/** Validates objects that contain a flow, and stops early after too many issues. */
import { z } from "zod"
import { blockSchema } from "../../engine/blocks/registry.ts"
import {
  type Flow,
  fewBlocks,
  fewEdges,
  fewVariables,
  flowSchema,
  groupSchema,
} from "../../engine/bot.ts"
import { longTextsIn } from "../../engine/schema/bounds.ts"
import { edgeSchema } from "../../engine/schema/edge.ts"
import { maxIssues } from "../../engine/schema/lists.ts"
import { variableSchema } from "../../engine/schema/variable.ts"
import { isMembers } from "../../lib/json.ts"
import { normalizeFlow } from "./normalize.ts"

/** Long lists among the members of an object, whose elements are validated one by one. */
type Lists = Readonly<Record<string, { size?: z.ZodType; element: z.ZodType; lists?: Lists }>>

/** Null means absent: generated clients write null for members that were absent when read. */
const writtenVariableSchema = variableSchema.transform(({ value, ...variable }) =>
  value == null ? variable : { ...variable, value },
)

const listsOfFlow: Lists = {
  groups: {
    size: z.array(z.unknown()).check(fewBlocks),
    element: groupSchema,
    lists: { blocks: { element: blockSchema } },
  },
  edges: { size: z.array(z.unknown()).check(fewEdges), element: edgeSchema },
  variables: { size: z.array(z.unknown()).check(fewVariables), element: writtenVariableSchema },
}

/** A stored flow of any version, not converted. Throws a ZodError when its shape is invalid. */
export function readFlow(stored: unknown): Flow {
  const read = validateFlow(flowSchema, normalizeFlow(stored))
  if (!read.success) throw read.error
  return read.data
}

/** The outcome of a validation. */
export type Validation<T> = { success: true; data: T } | { success: false; error: z.ZodError }

/**
 * Like `schema.safeParse(raw)`, for a schema with the members of a flow. Too many blocks, edges or variables
 * are not validated one by one.
 */
export function validateFlow<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
): Validation<z.output<Schema>> {
  const { data, issues } = validate(schema, raw, listsOfFlow)
  if (issues.length > 0) return { success: false, error: new z.ZodRealError(issues) }
  return { success: true, data: data as z.output<Schema> }
}

/** The same for new content from authors: texts that are too long are refused. */
export function validateChanges<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
): Validation<z.output<Schema>> {
  const read = validateFlow(schema, raw)
  const long = read.success ? longTextsIn(read.data, maxIssues) : []
  if (long.length === 0) return read
  const issues = long.map(({ path, length, max }): z.core.$ZodIssue => {
    const message = `The text has ${length} characters, at most ${max} are allowed`
    return { code: "too_big", origin: "string", maximum: max, path: [...path], message, input: "" }
  })
  return { success: false, error: new z.ZodRealError(issues) }
}

type Validated = { data?: unknown; issues: z.core.$ZodIssue[] }

/** Validates the object with empty lists, and then their elements. */
function validate(schema: z.ZodType, raw: unknown, lists: Lists): Validated {
  if (!isMembers(raw)) return whole(schema, raw)
  const long = Object.entries(lists).filter(([member]) => Array.isArray(raw[member]))
  if (long.length === 0) return whole(schema, raw)
  const { data, issues } = whole(schema, {
    ...raw,
    ...Object.fromEntries(long.map(([member]) => [member, []])),
  })
  const members: Record<string, unknown> = {}
  for (const [member, { size, element, lists = {} }] of long) {
    const sent = raw[member] as unknown[]
    const refused = size?.safeParse(sent).error?.issues ?? []
    issues.push(...refused.map((issue) => under(member, issue)))
    if (refused.length > 0) continue
    const read: unknown[] = []
    members[member] = read
    for (const [index, part] of sent.entries()) {
      const one = validate(element, part, lists)
      issues.push(...one.issues.map((issue) => under(member, under(index, issue))))
      if (issues.length >= maxIssues) return { issues }
      read.push(one.data)
    }
  }
  return { data: { ...(data as object), ...members }, issues }
}

function whole(schema: z.ZodType, raw: unknown): Validated {
  const { data, error } = schema.safeParse(raw)
  return { data, issues: error?.issues ?? [] }
}

function under(key: string | number, issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return { ...issue, path: [key, ...issue.path] }
}
