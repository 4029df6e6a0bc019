/** GET /api/v1/credentials */
import { z } from "zod"
import { listCredentials } from "../../db/credentials.ts"
import { findWorkspace } from "../../db/workspaces.ts"
import { admitToWorkspace } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import { credentialSchema } from "./schema.ts"

/** Lists the credentials of a workspace, newest first. */
export const listProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/api/v1/credentials",
      operationId: "listCredentials",
      tags: ["Credentials"],
      summary: "List the credentials of a workspace",
      description: "Names and types alone, newest first, for those who may edit bots.",
    },
  })
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      type: z.string().optional().describe("Only those of this type"),
    }),
  )
  .output(z.object({ credentials: z.array(credentialSchema).describe("Newest first") }))
  .query(async ({ ctx, input }) => {
    const { workspaceId, type } = input
    const facts = await findWorkspace(ctx.db, { workspaceId, userId: ctx.user.id })
    admitToWorkspace(facts, ctx.user, ctx.user.isPlatformAdmin ? "see" : "edit")
    return { credentials: await listCredentials(ctx.db, { workspaceId, type }) }
  })
