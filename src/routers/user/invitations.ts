/** Operations on the invitations that the caller has received. */

import { z } from "zod"
import {
  deleteInvitation,
  findInvitation,
  listOwnInvitations,
} from "../../db/people/invitations.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { notFound } from "../../errors.ts"
import { exampleAuthor, exampleBakery, exampleIds, exampleTime } from "../examples.ts"
import { done, doneSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { exampleMember, memberSchema, presentMember } from "../workspace/memberSchema.ts"
import { joinWorkspace } from "./joinWorkspace.ts"
import { ownInvitationAddressSchema, ownInvitationSchema, presentOwnInvitation } from "./schema.ts"

/** A user may have any number of invitations, since anybody may invite them. */
const limit = 100

export const ownInvitations = {
  listInvitations: tokenOperation("GET /users/me/invitations", {
    operationId: "listMyInvitations",
    admits: "accounts",
    tag: "Users",
    summary: "List your invitations",
    description: `Pending invitations for the caller's email address, the newest ${limit}.`,
    example: {
      response: {
        invitations: [
          {
            id: exampleIds.invitationId,
            type: "GUEST",
            workspace: exampleBakery,
            createdAt: exampleTime,
            updatedAt: exampleTime,
          },
        ],
      },
    },
  })
    .output(z.object({ invitations: z.array(ownInvitationSchema).describe("Newest first") }))
    .query(async ({ ctx }) => {
      const rows = await listOwnInvitations(ctx.db, { email: ctx.user.email, limit })
      return { invitations: rows.map(presentOwnInvitation) }
    }),

  acceptInvitation: tokenOperation("POST /users/me/invitations/{invitationId}/accept", {
    operationId: "acceptInvitation",
    admits: "itsAccount",
    tag: "Users",
    summary: "Accept an invitation",
    description:
      "Gives the caller the role of the invitation. 404 when it was withdrawn or already answered.",
    example: {
      response: {
        member: { ...exampleMember("GUEST", exampleAuthor), workspaceId: exampleBakery.id },
      },
    },
  })
    .input(ownInvitationAddressSchema)
    .output(z.object({ member: memberSchema }))
    .mutation(async ({ ctx, input: { invitationId } }) => {
      const { id: userId, email } = ctx.user
      const found = await findInvitation(ctx.db, { invitationId, email })
      if (found === undefined) throw notFound("Invitation")
      const person = { id: userId, email }
      const member = await joinWorkspace(ctx.db, { invitation: found, person })
      return { member: presentMember(member) }
    }),

  declineInvitation: tokenOperation("POST /users/me/invitations/{invitationId}/decline", {
    operationId: "declineInvitation",
    admits: "itsAccount",
    tag: "Users",
    summary: "Decline an invitation",
    description: "Frees the seat. 404 when it was withdrawn or already answered.",
    example: { response: done },
  })
    .input(ownInvitationAddressSchema)
    .output(doneSchema)
    .mutation(async ({ ctx, input: { invitationId } }) => {
      const { id: userId, email } = ctx.user
      const found = await findInvitation(ctx.db, { invitationId, email })
      if (found === undefined) throw notFound("Invitation")
      const { workspaceId } = found
      return await withWorkspace(ctx.db, { workspaceId, userId }, async (locked) => {
        const isDeleted = await deleteInvitation(locked, { invitationId, email })
        if (!isDeleted) throw notFound("Invitation")
        return done
      })
    }),
}
