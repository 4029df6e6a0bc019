/** POST /api/v1/workspaces/{workspaceId}/leave */
import { z } from "zod"
import { deleteMember } from "../../db/people/members.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema } from "./memberSchema.ts"
import { requireOtherAdmin } from "./rules.ts"
import { workspaceIdSchema } from "./schema.ts"

/** Ends the caller's membership. */
export const leaveProcedure = tokenOperation("POST /api/v1/workspaces/{workspaceId}/leave", {
  operationId: "leaveWorkspace",
  admits: "workspaceViewers",
  tag: "Workspaces",
  summary: "Leave a workspace",
  description:
    "For members of any role, also while the workspace is suspended. Bots of it that were shared " +
    "with the caller are so no more. 400 for the last ADMIN.",
})
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(doneSchema)
  .mutation(async ({ ctx, input: { workspaceId } }) => {
    const address = { workspaceId, userId: ctx.user.id }
    await withWorkspace(ctx.db, address, async (locked, facts) => {
      if (!facts?.role) throw notFound("Workspace")
      await requireOtherAdmin(locked, { ...address, role: facts.role })
      await deleteMember(locked, address)
    })
    return { message: "success" as const }
  })
