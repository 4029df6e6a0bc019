/** POST /api/v1/users/me/invitations/{invitationId}/decline */
import { findInvitingWorkspace, takeInvitation } from "../../db/people/invitations.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema } from "../workspace/memberSchema.ts"
import { ownInvitationAddressSchema } from "./schema.ts"

/** Declines an invitation. */
export const declineInvitationProcedure = tokenOperation(
  "POST /api/v1/users/me/invitations/{invitationId}/decline",
  {
    operationId: "declineInvitation",
    admits: "itsAccount",
    tag: "Users",
    summary: "Decline an invitation",
    description: "Its seat becomes free. 404 when it was taken back or answered before.",
  },
)
  .input(ownInvitationAddressSchema)
  .output(doneSchema)
  .mutation(async ({ ctx, input: { invitationId } }) => {
    const { id: userId, email } = ctx.user
    const workspaceId = await findInvitingWorkspace(ctx.db, { invitationId, email })
    if (workspaceId === undefined) throw notFound("Invitation")
    return await withWorkspace(ctx.db, { workspaceId, userId }, async (locked) => {
      const role = await takeInvitation(locked, { invitationId, email })
      if (role === undefined) throw notFound("Invitation")
      return { message: "success" as const }
    })
  })
