/** GET /api/v1/workspaces/{workspaceId}/invitations */
import { z } from "zod"
import { listInvitations } from "../../db/people/invitations.ts"
import { requireWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { invitationSchema, presentInvitation } from "./memberSchema.ts"
import { workspaceIdSchema } from "./schema.ts"

/** Lists the pending invitations into a workspace. */
export const listInvitationsProcedure = tokenOperation(
  "GET /api/v1/workspaces/{workspaceId}/invitations",
  {
    operationId: "listInvitations",
    admits: "workspaceViewers",
    tag: "Workspaces",
    summary: "List the invitations into a workspace",
    description:
      "For members of any role; guests see no mail addresses. Those that wait for an answer, oldest " +
      "first.",
  },
)
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(z.object({ invitations: z.array(invitationSchema).describe("Oldest first") }))
  .query(async ({ ctx, input: { workspaceId } }) => {
    const { role } = await requireWorkspace(ctx, workspaceId, "see")
    const invitations = await listInvitations(ctx.db, workspaceId)
    const viewer = { userId: ctx.user.id, role }
    return { invitations: invitations.map((row) => presentInvitation(row, viewer)) }
  })
