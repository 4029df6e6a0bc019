/** POST /api/v1/users/me/invitations/{invitationId}/accept */
import { z } from "zod"
import { findInvitingWorkspace, takeInvitation } from "../../db/people/invitations.ts"
import { findMember, insertMember } from "../../db/people/members.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { badRequest, notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { memberSchema, presentMember } from "../workspace/memberSchema.ts"
import { ownInvitationAddressSchema } from "./schema.ts"

/** Makes the caller a member of a workspace that has invited them. */
export const acceptInvitationProcedure = tokenOperation(
  "POST /api/v1/users/me/invitations/{invitationId}/accept",
  {
    operationId: "acceptInvitation",
    admits: "itsAccount",
    tag: "Users",
    summary: "Accept an invitation",
    description:
      "With the role of the invitation, whose seat has been kept. 404 when it was taken back or " +
      "answered before.",
  },
)
  .input(ownInvitationAddressSchema)
  .output(z.object({ member: memberSchema }))
  .mutation(async ({ ctx, input: { invitationId } }) => {
    const { id: userId, email } = ctx.user
    const workspaceId = await findInvitingWorkspace(ctx.db, { invitationId, email })
    if (workspaceId === undefined) throw notFound("Invitation")
    const address = { workspaceId, userId }
    return await withWorkspace(ctx.db, address, async (locked, facts) => {
      const role = await takeInvitation(locked, { invitationId, email })
      if (role === undefined) throw notFound("Invitation")
      if (facts?.role) throw badRequest("Already a member")
      await insertMember(locked, { ...address, role })
      const member = await findMember(locked, address)
      if (member === undefined) throw notFound("Member")
      return { member: presentMember(member) }
    })
  })
