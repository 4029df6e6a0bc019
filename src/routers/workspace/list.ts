/** GET /api/v1/workspaces */
import { z } from "zod"
import { listWorkspaces } from "../../db/people/workspaces.ts"
import { tokenOperation } from "../trpc.ts"
import { listedWorkspaceSchema } from "./schema.ts"

/** Lists the workspaces of the caller. */
export const listProcedure = tokenOperation("GET /api/v1/workspaces", {
  operationId: "listWorkspaces",
  admits: "accounts",
  tag: "Workspaces",
  summary: "List workspaces",
  description: "Those that the caller is a member of, in any role, oldest first.",
})
  .output(
    z.object({ workspaces: z.array(listedWorkspaceSchema).describe("The caller's workspaces") }),
  )
  .query(async ({ ctx }) => ({ workspaces: await listWorkspaces(ctx.db, ctx.user.id) }))
