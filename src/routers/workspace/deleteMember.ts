/** DELETE /api/v1/workspaces/{workspaceId}/members/{userId} */
import { deleteMember, findMember } from "../../db/people/members.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { notFound } from "../../shared/errors.ts"
import { admitToWorkspace } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import { doneSchema, memberAddressSchema } from "./memberSchema.ts"
import { requireOtherAdmin } from "./rules.ts"

/** Removes a member, who at once has no access to anything in the workspace. */
export const deleteMemberProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/api/v1/workspaces/{workspaceId}/members/{userId}",
      operationId: "deleteMember",
      tags: ["Workspaces"],
      summary: "Remove a member",
      description:
        "For ADMINs, 403 for other roles. Bots that were shared with the member are so no more. 400 for the last ADMIN.",
    },
  })
  .input(memberAddressSchema)
  .output(doneSchema)
  .mutation(async ({ ctx, input: address }) => {
    const request = { workspaceId: address.workspaceId, userId: ctx.user.id }
    await withWorkspace(ctx.db, request, async (locked, facts) => {
      admitToWorkspace(facts, ctx.user, "manage")
      const member = await findMember(locked, address)
      if (member === undefined) throw notFound("Member")
      await requireOtherAdmin(locked, member)
      await deleteMember(locked, address)
    })
    return { message: "success" as const }
  })
