/** How much strangers may put into the variables of a chat that they start. */
import { badRequest } from "../../errors.ts"
import type { Context } from "../context.ts"

/** Far more than links and widgets carry. */
const maxAnonymousLength = 64 * 1024

/** Refuses with 400 what is longer, names included, unless it comes with a valid token. */
export async function admitPrefilled(
  ctx: Pick<Context, "authenticate">,
  variables: Record<string, unknown> | null | undefined,
): Promise<void> {
  if (!variables || lengthOf(variables) <= maxAnonymousLength) return
  if (await ctx.authenticate()) return
  throw badRequest(
    "Prefilled variables may have at most 64 kB in all, names included; send an API token with more",
  )
}

/** Characters of a value as JSON, or nearly: what is escaped counts once. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 1
  const names = Array.isArray(value) ? "" : Object.keys(value).join("")
  const members: unknown[] = Object.values(value)
  return members.reduce((sum: number, member) => sum + 1 + lengthOf(member), 2 + names.length)
}
