/** DELETE /api/v1/workspaces/{workspaceId} */
import { z } from "zod"
import { deleteWorkspace, withWorkspace } from "../../db/people/workspaces.ts"
import { archiveResults } from "../../db/results/results.ts"
import { notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema } from "./memberSchema.ts"
import { workspaceIdSchema } from "./schema.ts"

/** Deletes a workspace for good; a job deletes the rest of what was recorded for its bots. */
export const deleteProcedure = tokenOperation("DELETE /api/v1/workspaces/{workspaceId}", {
  operationId: "deleteWorkspace",
  tag: "Workspaces",
  summary: "Delete a workspace",
  description:
    "For ADMINs, 404 for everybody else. Deletes its bots, results, folders, themes, credentials, members and invitations for good.",
})
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(doneSchema)
  .mutation(async ({ ctx, input: { workspaceId } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const request = { workspaceId, userId: ctx.user.id }
    const botIds = await withWorkspace(ctx.db, request, async (locked, facts) => {
      if (facts?.role !== "ADMIN") throw notFound("Workspace")
      return await deleteWorkspace(locked, workspaceId)
    })
    // Afterwards: no new chat can start by then.
    for (const botId of botIds) {
      await archiveResults(ctx.db, botId, "all")
      await ctx.uploads.files.removeBot(botId)
    }
    return { message: "success" as const }
  })
