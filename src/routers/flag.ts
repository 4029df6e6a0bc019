/** Booleans as callers send them: in a query, in a body. */
import { z } from "zod"

/**
 * A flag in the query of a GET, off unless sent. Over REST the words are `true`, `1`, `false` and
 * `0`, which http/query.ts turns into booleans; anything else is a 400.
 */
export function queryFlag(description: string) {
  return z.boolean().default(false).describe(description)
}

/**
 * A flag in a chat body: a boolean, or its word, because workflow tools send `"true"`.
 * Never judged by truthiness: `"false"` is false, any other text is refused.
 */
export function bodyFlag(description: string) {
  return z
    .union([z.boolean(), z.enum(["true", "false"])])
    .transform((sent) => sent === true || sent === "true")
    .describe(description)
}
