/** How much strangers may put into the variables of a chat that they start. */
import { isShort } from "../../engine/json.ts"
import { badRequest } from "../../errors.ts"
import type { Context } from "../context.ts"

/** Far more than links and widgets carry. */
const maxAnonymousLength = 64 * 1024

/** Refuses with 400 what is longer, names included, unless it comes with a valid token. */
export async function admitPrefilled(
  ctx: Pick<Context, "authenticate">,
  variables: Record<string, unknown> | null | undefined,
): Promise<void> {
  if (!variables || isShort(variables, maxAnonymousLength)) return
  if (await ctx.authenticate()) return
  throw badRequest(
    "Prefilled variables may have at most 64 kB in all, names included; send an API token with more",
  )
}
