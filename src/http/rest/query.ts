/** Coerces the strings of a query to the types of a schema, without changing the schema. */
import { z } from "zod"
import { badRequest } from "../../lib/errors.ts"
import { notUtf8, readUtf8 } from "../../lib/utf8.ts"
import { cleanText } from "../../routers/input.ts"
import type { Members } from "../bodies/body.ts"

/** Reads a query (without its question mark) into the members that a schema knows. */
export type QueryReader = (search: string) => Members

type Coercion = (text: string) => unknown

/**
 * Prepares the reader for an input schema. A string that cannot be coerced stays one, and a parameter
 * that is repeated becomes a list, so that the schema refuses them.
 */
export function queryReader(shape: Readonly<Record<string, z.core.$ZodType>>): QueryReader {
  const coercions = Object.entries(shape).map(
    ([name, schema]) => [name, coercionOf(schema)] as const,
  )
  return (search) => {
    requireUtf8(search)
    const members: Members = {}
    const sent = new URLSearchParams(search)
    for (const [name, coerce] of coercions) {
      const values = sent.getAll(name).map((text) => coerce(cleanText(text)))
      if (values.length > 0) members[name] = values.length > 1 ? values : values[0]
    }
    return members
  }
}

/** The parser takes escapes that are no UTF-8 for other characters. */
function requireUtf8(search: string): void {
  // A percent sign without an escape is literal.
  for (const { 0: escapes, index } of search.matchAll(/(?:%[\da-f]{2})+/gi)) {
    const bytes = Buffer.from(escapes.replaceAll("%", ""), "hex")
    readUtf8(bytes, (position) => badRequest(notUtf8("The query", index + 3 * position)))
  }
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault
  return isWrapped ? unwrap(schema._zod.def.innerType) : schema
}

function coercionOf(schema: z.core.$ZodType): Coercion {
  const inner = unwrap(schema)
  if (inner instanceof z.core.$ZodBoolean || isBodyFlag(inner)) return readBoolean
  if (inner instanceof z.core.$ZodNumber) return readNumber
  return (text) => text
}

/** A flag in a body that may be in the query, too. */
function isBodyFlag(schema: z.core.$ZodType): boolean {
  if (!(schema instanceof z.core.$ZodPipe)) return false
  const sent = schema._zod.def.in
  return (
    sent instanceof z.core.$ZodUnion &&
    sent._zod.def.options.some((option) => option instanceof z.core.$ZodBoolean)
  )
}

function readBoolean(text: string): unknown {
  // Python writes True.
  if (/^(?:true|1)$/i.test(text)) return true
  if (/^(?:false|0)$/i.test(text)) return false
  return text
}

/** Whether a schema takes a number, so that a string from the query or the path becomes one. */
export function isNumeric(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && unwrap(schema) instanceof z.core.$ZodNumber
}

/** Returns the number that a string spells, or else the string. */
export function readNumber(text: string): unknown {
  return /^-?\d+(?:\.\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
}
