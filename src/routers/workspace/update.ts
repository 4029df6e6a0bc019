/** PATCH /api/v1/workspaces/{workspaceId} */
import { z } from "zod"
import { updateWorkspace, withWorkspace } from "../../db/people/workspaces.ts"
import { admitToWorkspace } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import {
  presentWorkspace,
  workspaceIconSchema,
  workspaceIdSchema,
  workspaceNameSchema,
  workspaceSchema,
  workspaceSettingsSchema,
} from "./schema.ts"

/** Renames a workspace, or changes its icon or settings. */
export const updateProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "PATCH",
      path: "/api/v1/workspaces/{workspaceId}",
      operationId: "updateWorkspace",
      tags: ["Workspaces"],
      summary: "Update a workspace",
      description: "For ADMINs. Members that are absent stay as they are; 403 for other roles.",
    },
  })
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      name: workspaceNameSchema.optional(),
      icon: workspaceIconSchema.nullish().describe("Emoji or address of a picture; null: none"),
      settings: workspaceSettingsSchema
        .nullish()
        .describe("Settings, replaced as a whole; null: all defaults"),
    }),
  )
  .output(z.object({ workspace: workspaceSchema }))
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, name, icon, settings } = input
    const changes = {
      ...(name !== undefined && { name }),
      ...(icon !== undefined && { icon }),
      ...(settings !== undefined && { settings: settings && JSON.stringify(settings) }),
    }
    const request = { workspaceId, userId: ctx.user.id }
    const row = await withWorkspace(ctx.db, request, async (locked, facts) => {
      admitToWorkspace(facts, ctx.user, "manage")
      return await updateWorkspace(locked, workspaceId, changes)
    })
    return { workspace: presentWorkspace(row) }
  })
