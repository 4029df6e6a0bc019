/** GET /api/v1/workspaces/{workspaceId}/members */
import { z } from "zod"
import { listMembers } from "../../db/people/members.ts"
import { requireWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { memberSchema, presentMember } from "./memberSchema.ts"
import { workspaceIdSchema } from "./schema.ts"

/** Lists the members of a workspace. */
export const listMembersProcedure = tokenOperation("GET /api/v1/workspaces/{workspaceId}/members", {
  operationId: "listMembers",
  admits: "workspaceViewers",
  tag: "Workspaces",
  summary: "List the members of a workspace",
  description:
    "For members of any role; guests see no mail address but their own. Those who joined first come " +
    "first.",
})
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(z.object({ members: z.array(memberSchema).describe("The members, guests among them") }))
  .query(async ({ ctx, input: { workspaceId } }) => {
    const { role } = await requireWorkspace(ctx, workspaceId, "see")
    const members = await listMembers(ctx.db, workspaceId)
    const viewer = { userId: ctx.user.id, role }
    return { members: members.map((member) => presentMember(member, viewer)) }
  })
