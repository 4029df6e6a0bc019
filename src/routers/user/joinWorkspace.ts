/** Makes an invited person a member: when they accept, and when they sign in for the first time. */
import type { Db } from "../../db/connection/open.ts"
import { deleteInvitation } from "../../db/people/invitations.ts"
import { findMember, insertMember, type Member } from "../../db/people/members.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { AppError, orNotFound } from "../../errors.ts"

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
    await insertMember(locked, { ...address, role })
    return orNotFound(await findMember(locked, address), "Member")
  })
}
