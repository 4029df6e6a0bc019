/** GET /api/v1/workspaces/{workspaceId} */
import { z } from "zod"
import { findWorkspace } from "../../db/people/workspaces.ts"
import { admitToWorkspace, userModeSchema } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import { presentWorkspace, workspaceIdSchema, workspaceSchema } from "./schema.ts"

/** Reads a workspace and what the caller is to it. */
export const getProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/api/v1/workspaces/{workspaceId}",
      operationId: "getWorkspace",
      tags: ["Workspaces"],
      summary: "Get a workspace",
      description: "Mode `write` for an ADMIN, `read` for a MEMBER, `guest` for a GUEST.",
    },
  })
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(z.object({ workspace: workspaceSchema, currentUserMode: userModeSchema }))
  .query(async ({ ctx, input }) => {
    const request = { workspaceId: input.workspaceId, userId: ctx.user.id }
    const facts = await findWorkspace(ctx.db, request)
    const workspace = admitToWorkspace(facts, ctx.user, "see")
    return { workspace: presentWorkspace(workspace), currentUserMode: workspace.mode }
  })
