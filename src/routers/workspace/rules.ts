/** Rules on the members of a workspace, to be checked while it is locked. */

import type { Source } from "../../db/connection/open.ts"
import { countSeats, hasOtherAdmin, type MemberAddress } from "../../db/people/members.ts"
import type { WorkspaceRow } from "../../db/people/workspaces.ts"
import type { MemberRole } from "../../db/schema/tables.ts"
import { AppError } from "../../errors.ts"
import { type PlanLimits, seatsLimitOf } from "../../plans.ts"

/** A role before and after; absent: not a member. */
type RoleChange = { from?: MemberRole | undefined; to: MemberRole }

/** Throws a 400 when the change needs a seat and none is free. */
export async function requireSeat(
  locked: Source,
  workspace: WorkspaceRow,
  { from, to, planLimits }: RoleChange & { planLimits: PlanLimits | undefined },
): Promise<void> {
  const hadSeat = from !== undefined && from !== "GUEST"
  if (to === "GUEST" || hadSeat) return
  const limit = seatsLimitOf(workspace, planLimits)
  if (limit !== undefined && (await countSeats(locked, workspace.id)) >= limit) {
    throw new AppError("SEAT_LIMIT_REACHED", "Seats limit reached")
  }
}

/** Throws a 400 when the workspace would lose its last ADMIN. */
export async function requireOtherAdmin(
  locked: Source,
  member: MemberAddress & { role: MemberRole },
): Promise<void> {
  if (member.role === "ADMIN" && !(await hasOtherAdmin(locked, member))) {
    throw new AppError("LAST_ADMIN", "The last ADMIN cannot be removed or demoted")
  }
}
