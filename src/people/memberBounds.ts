/** Bounds on the members of a workspace: its seats, its size, and its last ADMIN. */
import type { Source } from "../db/connection/openDatabase.ts"
import { countPeople, hasOtherAdmin, type MemberAddress } from "../db/people/members.ts"
import type { WorkspaceRow } from "../db/people/workspaces.ts"
import type { MemberRole } from "../db/schema/tables.ts"
import { AppError } from "../lib/errors.ts"
import { type PlanLimits, seatsLimitOf } from "../lib/plans.ts"

/** Max members of a workspace, together with those who are invited. */
export const maxPeople = 2_000

/** A role before and after; absent: not a member. */
type RoleChange = { from?: MemberRole | undefined; to: MemberRole }

/** Throws a 400 when the change needs a seat or a place and none is free. */
export async function requireSeat(
  locked: Source,
  workspace: WorkspaceRow,
  { from, to, planLimits }: RoleChange & { planLimits: PlanLimits | undefined },
): Promise<void> {
  const { people, seats } = await countPeople(locked, workspace.id)
  if (from === undefined && people >= maxPeople) {
    throw new AppError(
      "MEMBER_LIMIT_REACHED",
      `A workspace has at most ${maxPeople} members, guests and invitations`,
      { data: { limit: maxPeople } },
    )
  }
  const hadSeat = from !== undefined && from !== "GUEST"
  if (to === "GUEST" || hadSeat) return
  const limit = seatsLimitOf(workspace, planLimits)
  if (limit != null && seats >= limit)
    throw new AppError("SEAT_LIMIT_REACHED", "Seats limit reached", { data: { limit } })
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
