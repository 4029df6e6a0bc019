/** Adds people to workspaces: of their own, by invitations, and when they sign in for the first time. */
import type { Db, Source } from "../db/connection/openDatabase.ts"
import { deleteInvitation } from "../db/people/invitations.ts"
import { findMember, insertMember, type Member } from "../db/people/members.ts"
import { countWorkspaces, withWorkspace } from "../db/people/workspaces.ts"
import { AppError, orNotFound } from "../lib/errors.ts"

/** Max workspaces of a member. */
export const maxWorkspaces = 1_000

/** Throws a 400 when the user is in all the workspaces they may be in. */
export async function requireRoomToJoin(locked: Source, userId: string): Promise<void> {
  if ((await countWorkspaces(locked, userId)) < maxWorkspaces) return
  throw new AppError(
    "WORKSPACE_LIMIT_REACHED",
    `An account is a member of at most ${maxWorkspaces} workspaces: leave one first`,
    { data: { limit: maxWorkspaces } },
  )
}

/** An invitation, and the person whom it names. */
type Accepted = {
  invitation: { id: string; workspaceId: string }
  person: { id: string; email: string }
}

/** Takes the invitation in exchange for its role. Throws when it is gone, and for members. */
export async function joinWorkspace(
  db: Db,
  { invitation: { id: invitationId, workspaceId }, person: { id: userId, email } }: Accepted,
): Promise<Member> {
  const address = { workspaceId, userId }
  return await withWorkspace(db, address, async (locked, facts) => {
    const taken = await deleteInvitation(locked, { invitationId, email })
    const { role } = orNotFound(taken, "Invitation")
    if (facts?.role) throw new AppError("MEMBER_EXISTS", "Already a member")
    // Without a lock on the user, who comes before workspaces in the order of locks: invitations accepted
    // at once may be a few too many.
    await requireRoomToJoin(locked, userId)
    await insertMember(locked, { ...address, role })
    return orNotFound(await findMember(locked, address), "Member")
  })
}
