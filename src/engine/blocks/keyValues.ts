/** Pairs of a name and a value, as many options hold them. */
import type { z } from "zod"
import { idSchema, namedObject, optional } from "../schema/members.ts"

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

/** The pairs that have both sides, in order. */
export function filledPairs(pairs: readonly KeyValue[] | undefined): [string, string][] {
  return (pairs ?? []).flatMap(({ key, value }): [string, string][] =>
    key && value ? [[key, value]] : [],
  )
}

/** The pairs that have both sides as an object; of equal names the last wins. */
export function asObject(pairs: readonly KeyValue[] | undefined): Record<string, string> {
  return Object.fromEntries(filledPairs(pairs))
}
