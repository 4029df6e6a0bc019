/** Counts actions of callers of whom only the address is known. */
import { networkOf } from "../network.ts"
import type { Context, LimitedAction } from "./context.ts"
import { isOwnOrigin } from "./sessionCookie.ts"

type Sender = Pick<Context, "limit" | "settings" | "ip" | "origin" | "host">

/**
 * Counts an action against the address of the caller; throws a 429 when there were too many. What pages of
 * other origins make a browser send counts on its own: they must not use up what its user may do here.
 */
export async function limitAddress(ctx: Sender, action: LimitedAction): Promise<void> {
  const { settings, ip, origin, host } = ctx
  const isForeign = origin !== undefined && !isOwnOrigin(settings, { origin, host })
  await ctx.limit(action, isForeign ? `${networkOf(ip)} by pages of other origins` : ip)
}
