/** DELETE /api/v1/workspaces/{workspaceId}/invitations/{invitationId} */
import { deleteInvitation } from "../../db/people/invitations.ts"
import { notFound } from "../../errors.ts"
import { manageWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema, invitationAddressSchema } from "./memberSchema.ts"

/** Revokes an invitation. */
export const deleteInvitationProcedure = tokenOperation(
  "DELETE /api/v1/workspaces/{workspaceId}/invitations/{invitationId}",
  {
    operationId: "deleteInvitation",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Take an invitation back",
    description: "For ADMINs, 403 for other roles. Its seat becomes free.",
  },
)
  .input(invitationAddressSchema)
  .output(doneSchema)
  .mutation(async ({ ctx, input: address }) => {
    await manageWorkspace(ctx, address.workspaceId, async (locked) => {
      if (!(await deleteInvitation(locked, address))) throw notFound("Invitation")
    })
    return { message: "success" as const }
  })
