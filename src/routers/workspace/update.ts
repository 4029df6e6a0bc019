/** PATCH /api/v1/workspaces/{workspaceId} */
import { z } from "zod"
import { listKnownCredentials } from "../../db/people/credentials.ts"
import { updateWorkspace } from "../../db/people/workspaces.ts"
import { badRequest } from "../../errors.ts"
import { manageWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import {
  presentWorkspace,
  workspaceIconSchema,
  workspaceIdSchema,
  workspaceNameSchema,
  workspaceSchema,
  workspaceSettingsSchema,
} from "./schema.ts"

/** Changes the name, icon or settings of a workspace. */
export const updateProcedure = tokenOperation("PATCH /api/v1/workspaces/{workspaceId}", {
  operationId: "updateWorkspace",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "Update a workspace",
  description: "For ADMINs. Members that are absent stay as they are; 403 for other roles.",
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
    const changes = { name, icon, settings: settings && JSON.stringify(settings) }
    const { credentialsId: id } = settings?.groupTitlesAutoGeneration ?? {}
    const row = await manageWorkspace(ctx, workspaceId, async (locked) => {
      const known = id && (await listKnownCredentials(locked, { workspaceId, ids: [id] }))
      if (known && known.length === 0) throw badRequest("Credentials not found in the workspace")
      return await updateWorkspace(locked, workspaceId, changes)
    })
    return { workspace: presentWorkspace(row) }
  })
