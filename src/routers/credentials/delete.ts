/** DELETE /api/v1/credentials/{credentialsId} */
import { z } from "zod"
import { deleteCredential } from "../../db/people/credentials.ts"
import { tokenOperation } from "../trpc.ts"
import { credentialIdSchema, credentialsIdSchema, requireCredential } from "./schema.ts"

/** Deletes a credential; bots that use it continue without it. */
export const deleteProcedure = tokenOperation("DELETE /api/v1/credentials/{credentialsId}", {
  operationId: "deleteCredential",
  admits: ["workspaceEditors", "itsAccount"],
  tag: "Credentials",
  summary: "Delete a credential",
  description: "Bots that name it skip what they would have used it for, with a log.",
})
  .input(z.object({ credentialsId: credentialIdSchema }))
  .output(credentialsIdSchema)
  .mutation(async ({ ctx, input: { credentialsId } }) => {
    await deleteCredential(ctx.db, await requireCredential(ctx, credentialsId))
    return { credentialsId }
  })
