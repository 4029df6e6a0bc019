/** DELETE /api/v1/workspaces/{workspaceId} */
import { z } from "zod"
import { deleteWorkspace } from "../../db/people/workspaces.ts"
import { archiveResults } from "../../db/results/results.ts"
import { manageWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { doneSchema } from "./memberSchema.ts"
import { workspaceIdSchema } from "./schema.ts"

/** Deletes a workspace for good; a job deletes the rest of what was recorded for its bots. */
export const deleteProcedure = tokenOperation("DELETE /api/v1/workspaces/{workspaceId}", {
  operationId: "deleteWorkspace",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "Delete a workspace",
  description:
    "For ADMINs, 403 for other roles. Deletes its bots, results, folders, themes, credentials, members and invitations for good.",
})
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(doneSchema)
  .mutation(async ({ ctx, input: { workspaceId } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const botIds = await manageWorkspace(ctx, workspaceId, (locked) =>
      deleteWorkspace(locked, workspaceId),
    )
    // Afterwards: no new chat can start by then.
    for (const botId of botIds) {
      await archiveResults(ctx.db, botId, "all")
      await ctx.uploads.files.removeBot(botId)
    }
    return { message: "success" as const }
  })
