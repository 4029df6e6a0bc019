/** GET /api/v1/workspaces/{workspaceId} */
import { z } from "zod"
import { requireWorkspace, userModeSchema } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { presentWorkspace, workspaceIdSchema, workspaceSchema } from "./schema.ts"

/** Reads a workspace, and the caller's access to it. */
export const getProcedure = tokenOperation("GET /api/v1/workspaces/{workspaceId}", {
  operationId: "getWorkspace",
  admits: "workspaceViewers",
  tag: "Workspaces",
  summary: "Get a workspace",
  description: "Mode `write` for an ADMIN, `read` for a MEMBER, `guest` for a GUEST.",
})
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(z.object({ workspace: workspaceSchema, currentUserMode: userModeSchema }))
  .query(async ({ ctx, input }) => {
    const workspace = await requireWorkspace(ctx, input.workspaceId, "see")
    return { workspace: presentWorkspace(workspace), currentUserMode: workspace.mode }
  })
