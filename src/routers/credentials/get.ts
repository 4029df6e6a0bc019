/** GET /api/v1/credentials/{credentialsId} */
import { z } from "zod"
import { findCredentialFacts } from "../../db/credentials.ts"
import { type CredentialData, openMembers } from "../../effects/credentialTypes.ts"
import { timestampSchema } from "../timestamp.ts"
import { tokenProcedure } from "../trpc.ts"
import { admitToCredential, credentialIdSchema, credentialSchema } from "./schema.ts"

const detailedSchema = credentialSchema
  .extend({
    workspaceId: z.string().describe("Workspace whose bots may use it"),
    data: z
      .record(z.string(), z.unknown())
      .describe("The members that are no secrets, such as a host or a sender"),
    createdAt: timestampSchema("When it was made"),
    updatedAt: timestampSchema("When it was last changed"),
  })
  .meta({ id: "CredentialDetails", description: "A credential without its secrets" })

/** Reads a credential without its secrets. */
export const getProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/api/v1/credentials/{credentialsId}",
      operationId: "getCredential",
      tags: ["Credentials"],
      summary: "Get a credential",
      description: "For those who may edit bots of the workspace; secrets are left out.",
    },
  })
  .input(z.object({ credentialsId: credentialIdSchema }))
  .output(z.object({ credentials: detailedSchema }))
  .query(async ({ ctx, input }) => {
    const request = { id: input.credentialsId, userId: ctx.user.id }
    const facts = admitToCredential(await findCredentialFacts(ctx.db, request), ctx.user)
    const { id, type, name, workspaceId, createdAt, updatedAt } = facts
    const data = (ctx.cipher.open(id, facts) ?? {}) as CredentialData
    const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
    const shown = { id, type, name, workspaceId, data: openMembers(type, data), ...times }
    return { credentials: shown }
  })
