/** PATCH /api/v1/workspaces/{workspaceId}/invitations/{invitationId} */
import { findInvitation, updateInvitation } from "../../db/people/invitations.ts"
import { badRequest, notFound } from "../../errors.ts"
import { manageWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema, invitationAddressSchema, roleSchema } from "./memberSchema.ts"
import { requireSeat } from "./rules.ts"

/** Changes the role of an invitation. */
export const updateInvitationProcedure = tokenOperation(
  "PATCH /api/v1/workspaces/{workspaceId}/invitations/{invitationId}",
  {
    operationId: "updateInvitation",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Change the role of an invitation",
    description:
      "For ADMINs, 403 for other roles. 400 when an invited guest needs a seat and none is free.",
  },
)
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
    await manageWorkspace(ctx, address.workspaceId, async (locked, workspace) => {
      const invitation = await findInvitation(locked, address)
      if (invitation === undefined) throw notFound("Invitation")
      const { planLimits } = ctx.settings
      await requireSeat(locked, workspace, { from: invitation.role, to, planLimits })
      const isChanged = await updateInvitation(locked, { ...address, role: to })
      if (!isChanged) throw notFound("Invitation")
    })
    return { message: "success" as const }
  })
