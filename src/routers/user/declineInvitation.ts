/** POST /api/v1/users/me/invitations/{invitationId}/decline */
import { takeInvitation } from "../../db/people/invitations.ts"
import { notFound } from "../../shared/errors.ts"
import { tokenProcedure } from "../trpc.ts"
import { doneSchema } from "../workspace/memberSchema.ts"
import { ownInvitationAddressSchema } from "./invitationSchema.ts"

/** Declines an invitation. */
export const declineInvitationProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/v1/users/me/invitations/{invitationId}/decline",
      operationId: "declineInvitation",
      tags: ["Users"],
      summary: "Decline an invitation",
      description: "Its seat becomes free. 404 when it was taken back or answered before.",
    },
  })
  .input(ownInvitationAddressSchema)
  .output(doneSchema)
  .mutation(async ({ ctx, input: { invitationId } }) => {
    const { email } = ctx.user
    if (!(await takeInvitation(ctx.db, { invitationId, email }))) throw notFound("Invitation")
    return { message: "success" as const }
  })
