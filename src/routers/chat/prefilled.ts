/** Bounds the prefilled variables of callers without a token. */
import { badRequest } from "../../lib/errors.ts"
import type { Context } from "../context.ts"

/** Far above what links and widgets send. */
const maxAnonymousLength = 64 * 1024

/** Refuses more with 400, names included, unless the caller has a valid token. */
export async function admitPrefilled(
  ctx: Pick<Context, "authenticate">,
  variables: Record<string, unknown>,
): Promise<void> {
  if (lengthOf(variables) <= maxAnonymousLength) return
  if (await ctx.authenticate()) return
  throw badRequest(
    "Prefilled variables may take at most 64 kB, names included; send an API token to exceed that",
  )
}

/** Approximate length of a value as JSON: an escaped character counts once. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 1
  const names = Array.isArray(value) ? "" : Object.keys(value).join("")
  const members: unknown[] = Object.values(value)
  return members.reduce((sum: number, member) => sum + 1 + lengthOf(member), 2 + names.length)
}
