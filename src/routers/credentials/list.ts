/** GET /api/v1/credentials */
import { z } from "zod"
import { listCredentials } from "../../db/people/credentials.ts"
import { tokenOperation } from "../trpc.ts"
import { admittedOwner, credentialSchema, ownerMembers } from "./schema.ts"

/** Lists the credentials of a workspace, or the caller's own, newest first. */
export const listProcedure = tokenOperation("GET /api/v1/credentials", {
  operationId: "listCredentials",
  admits: ["workspaceEditors", "accounts"],
  tag: "Credentials",
  summary: "List the credentials of a workspace, or the caller's own",
  description:
    "Names, types and allowed hosts, newest first: those of a workspace for those who may edit bots, " +
    "those of the scope `user` for the caller alone.",
})
  .input(
    z.object({
      ...ownerMembers,
      type: z.string().max(255).optional().describe("Only those of this type"),
    }),
  )
  .output(z.object({ credentials: z.array(credentialSchema).describe("Newest first") }))
  .query(async ({ ctx, input }) => {
    const need = ctx.user.isPlatformAdmin ? "see" : "edit"
    const owner = await admittedOwner(ctx, input, need)
    return { credentials: await listCredentials(ctx.db, owner, input.type) }
  })
