/** Counts actions of callers of whom only the address is known. */
import { networkOf } from "../lib/network.ts"
import { isOwnOrigin } from "../people/sessionCookie.ts"
import type { Context, LimitedAction } from "./context.ts"

type Sender = Pick<Context, "limit" | "settings" | "ip" | "origin" | "host">

/**
 * The address of the caller, as it is counted. What pages of other origins make a browser send counts on its
 * own: they must not use up what its user may do here.
 */
export function countedAddress(ctx: Omit<Sender, "limit">): string {
  const { settings, ip, origin, host } = ctx
  const isForeign = origin !== undefined && !isOwnOrigin(settings, { origin, host })
  return isForeign ? `${networkOf(ip)} by pages of other origins` : ip
}

/** Counts an action against the address of the caller; throws a 429 when there were too many. */
export async function limitAddress(ctx: Sender, action: LimitedAction): Promise<void> {
  await ctx.limit(action, countedAddress(ctx))
}
