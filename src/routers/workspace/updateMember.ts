/** PATCH /api/v1/workspaces/{workspaceId}/members/{userId} */
import { findMember, updateMember } from "../../db/people/members.ts"
import { notFound } from "../../errors.ts"
import { manageWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema, memberAddressSchema, roleSchema } from "./memberSchema.ts"
import { requireOtherAdmin, requireSeat } from "./rules.ts"

/** Changes the role of a member. */
export const updateMemberProcedure = tokenOperation(
  "PATCH /api/v1/workspaces/{workspaceId}/members/{userId}",
  {
    operationId: "updateMember",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Change the role of a member",
    description:
      "For ADMINs, 403 for other roles. 400 for the last ADMIN, and when a guest needs a seat and none is free.",
  },
)
  .input(memberAddressSchema.extend({ role: roleSchema }))
  .output(doneSchema)
  .mutation(async ({ ctx, input: { workspaceId, userId, role } }) => {
    await manageWorkspace(ctx, workspaceId, async (locked, workspace) => {
      const member = await findMember(locked, { workspaceId, userId })
      if (member === undefined) throw notFound("Member")
      const { planLimits } = ctx.settings
      await requireSeat(locked, workspace, { from: member.role, to: role, planLimits })
      if (role !== "ADMIN") await requireOtherAdmin(locked, member)
      await updateMember(locked, { workspaceId, userId, role })
    })
    return { message: "success" as const }
  })
