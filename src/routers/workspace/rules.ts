/** The rules of who may belong to a workspace, to be asked while the workspace is locked. */

import type { Db } from "../../db/connection/open.ts"
import { countSeats, hasOtherAdmin, type MemberAddress } from "../../db/people/members.ts"
import type { WorkspaceRow } from "../../db/people/workspaces.ts"
import type { MemberRole } from "../../db/schema/tables.ts"
import { badRequest } from "../../shared/errors.ts"
import { type PlanLimits, seatsLimitOf } from "../../shared/plans.ts"

/** Somebody's role before and after; absent: not in the workspace. */
export type RoleChange = { from?: MemberRole | undefined; to: MemberRole }

/** Refuses with 400 somebody who needs a seat and had none, when none is free. */
export async function requireSeat(
  locked: Pick<Db, "kysely">,
  workspace: WorkspaceRow,
  { from, to, planLimits }: RoleChange & { planLimits: PlanLimits | undefined },
): Promise<void> {
  const hadSeat = from !== undefined && from !== "GUEST"
  if (to === "GUEST" || hadSeat) return
  const limit = seatsLimitOf(workspace, planLimits)
  if (limit !== undefined && (await countSeats(locked, workspace.id)) >= limit) {
    throw badRequest("Seats limit reached")
  }
}

/** Refuses with 400 to leave a workspace without an ADMIN. */
export async function requireOtherAdmin(
  locked: Pick<Db, "kysely">,
  member: MemberAddress & { role: MemberRole },
): Promise<void> {
  if (member.role === "ADMIN" && !(await hasOtherAdmin(locked, member))) {
    throw badRequest("The last ADMIN cannot be removed or demoted")
  }
}
