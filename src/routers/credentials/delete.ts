/** DELETE /api/v1/credentials/{credentialsId} */
import { z } from "zod"
import { deleteCredential, findCredentialFacts } from "../../db/people/credentials.ts"
import { tokenOperation } from "../trpc.ts"
import { admitToCredential, credentialIdSchema, credentialsIdSchema } from "./schema.ts"

/** Deletes a credential; bots that use it continue without it. */
export const deleteProcedure = tokenOperation("DELETE /api/v1/credentials/{credentialsId}", {
  operationId: "deleteCredential",
  tag: "Credentials",
  summary: "Delete a credential",
  description: "Bots that name it skip what they would have used it for, with a log.",
})
  .input(z.object({ credentialsId: credentialIdSchema }))
  .output(credentialsIdSchema)
  .mutation(async ({ ctx, input }) => {
    const id = input.credentialsId
    const found = await findCredentialFacts(ctx.db, { id, userId: ctx.user.id })
    await deleteCredential(ctx.db, admitToCredential(found, ctx.user))
    return { credentialsId: id }
  })
