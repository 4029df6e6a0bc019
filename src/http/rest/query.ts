/** Coerces the strings of a query to the types of a schema, without changing the schema. */
import { z } from "zod"
import { cleanText } from "../../routers/input.ts"
import type { Members } from "../bodies/body.ts"

/** Reads a query (without its question mark) into the members that a schema knows. */
export type QueryReader = (search: string) => Members

type Coercion = (text: string) => unknown
type Parameter = { name: string; isList: boolean; coerce: Coercion }

/**
 * Prepares the reader for an input schema. A string that cannot be coerced stays one, and a parameter
 * that is repeated but is not a list becomes one, so that the schema refuses them.
 */
export function queryReader(shape: Readonly<Record<string, z.core.$ZodType>>): QueryReader {
  const parameters = Object.entries(shape).map(([name, schema]) => parameterOf(name, schema))
  return (search) => {
    const members: Members = {}
    const sent = new URLSearchParams(search)
    for (const { name, isList, coerce } of parameters) {
      const values = sent.getAll(name).map((text) => coerce(cleanText(text)))
      if (values.length > 0) members[name] = isList || values.length > 1 ? values : values[0]
    }
    return members
  }
}

function parameterOf(name: string, schema: z.core.$ZodType): Parameter {
  const inner = unwrap(schema)
  if (inner instanceof z.core.$ZodArray) {
    return { name, isList: true, coerce: coercionOf(unwrap(inner._zod.def.element)) }
  }
  return { name, isList: false, coerce: coercionOf(inner) }
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodPrefault ||
    schema instanceof z.core.$ZodReadonly ||
    schema instanceof z.core.$ZodCatch
  ) {
    return unwrap(schema._zod.def.innerType)
  }
  if (schema instanceof z.core.$ZodPipe) return unwrap(schema._zod.def.in)
  return schema
}

function coercionOf(schema: z.core.$ZodType): Coercion {
  if (schema instanceof z.core.$ZodBoolean) return readBoolean
  if (schema instanceof z.core.$ZodNumber) return readNumber
  if (schema instanceof z.core.$ZodDate) return readDate
  return (text) => text
}

function readBoolean(text: string): unknown {
  if (text === "true" || text === "1") return true
  if (text === "false" || text === "0") return false
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

function readDate(text: string): unknown {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date
}
