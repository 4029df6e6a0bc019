/** PATCH /api/v1/workspaces/{workspaceId}/invitations/{invitationId} */
import { findInvitation, updateInvitation } from "../../db/people/invitations.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { badRequest, notFound } from "../../shared/errors.ts"
import { admitToWorkspace } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import { doneSchema, invitationAddressSchema, roleSchema } from "./memberSchema.ts"
import { requireSeat } from "./rules.ts"

/** Invites somebody to another role. */
export const updateInvitationProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "PATCH",
      path: "/api/v1/workspaces/{workspaceId}/invitations/{invitationId}",
      operationId: "updateInvitation",
      tags: ["Workspaces"],
      summary: "Change the role of an invitation",
      description:
        "For ADMINs, 403 for other roles. 400 when an invited guest needs a seat and none is free.",
    },
  })
  .input(
    invitationAddressSchema.extend({
      type: roleSchema.optional().describe("Role that the person will have; needed"),
      role: roleSchema.optional().describe("Stands in for `type` when that is absent"),
    }),
  )
  .output(doneSchema)
  .mutation(async ({ ctx, input }) => {
    const { type, role, ...address } = input
    const to = type ?? role
    if (to === undefined) throw badRequest("The member type is missing")
    const request = { workspaceId: address.workspaceId, userId: ctx.user.id }
    await withWorkspace(ctx.db, request, async (locked, facts) => {
      const workspace = admitToWorkspace(facts, ctx.user, "manage")
      const invitation = await findInvitation(locked, address)
      if (invitation === undefined) throw notFound("Invitation")
      const { planLimits } = ctx.settings
      await requireSeat(locked, workspace, { from: invitation.role, to, planLimits })
      const isChanged = await updateInvitation(locked, { ...address, role: to })
      if (!isChanged) throw notFound("Invitation")
    })
    return { message: "success" as const }
  })
