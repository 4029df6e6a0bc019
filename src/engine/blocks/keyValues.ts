/** Pairs of a name and a value, the form that many options have. */
import type { z } from "zod"
import { idSchema, namedObject, optional } from "../schema/sharedMembers.ts"

export const keyValueSchema = namedObject(
  "KeyValue",
  "A name and a value; without one of them it is ignored",
  {
    id: idSchema.optional().describe("Id of the pair"),
    key: optional.template("Name"),
    value: optional.template("Value"),
  },
)

export type KeyValue = z.infer<typeof keyValueSchema>

/** The pairs that have both a name and a value, in order. */
export function filledPairs(pairs: readonly KeyValue[] | undefined): [string, string][] {
  return (pairs ?? []).flatMap(({ key, value }): [string, string][] =>
    key && value ? [[key, value]] : [],
  )
}

/** The pairs that have both a name and a value, as an object; the last of several equal names wins. */
export function asObject(pairs: readonly KeyValue[] | undefined): Record<string, string> {
  return Object.fromEntries(filledPairs(pairs))
}
