/** DELETE /api/v1/workspaces/{workspaceId}/members/{userId} */
import { deleteMember, findMember } from "../../db/people/members.ts"
import { notFound } from "../../errors.ts"
import { manageWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema, memberAddressSchema } from "./memberSchema.ts"
import { requireOtherAdmin } from "./rules.ts"

/** Removes a member, who loses all access at once. */
export const deleteMemberProcedure = tokenOperation(
  "DELETE /api/v1/workspaces/{workspaceId}/members/{userId}",
  {
    operationId: "deleteMember",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Remove a member",
    description:
      "For ADMINs, 403 for other roles. Bots that were shared with the member are so no more. 400 for the last ADMIN.",
  },
)
  .input(memberAddressSchema)
  .output(doneSchema)
  .mutation(async ({ ctx, input: address }) => {
    await manageWorkspace(ctx, address.workspaceId, async (locked) => {
      const member = await findMember(locked, address)
      if (member === undefined) throw notFound("Member")
      await requireOtherAdmin(locked, member)
      await deleteMember(locked, address)
    })
    return { message: "success" as const }
  })
