/** GET /api/v1/credentials/{credentialsId} */
import { z } from "zod"
import { type CredentialData, openMembers } from "../../effects/credentials/credentialTypes.ts"
import { printTimes, timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import {
  credentialIdSchema,
  credentialSchema,
  credentialScopeSchema,
  requireCredential,
} from "./schema.ts"

const detailedSchema = credentialSchema
  .extend({
    scope: credentialScopeSchema,
    workspaceId: z
      .string()
      .optional()
      .describe("Workspace whose bots may use it; absent: it belongs to the caller"),
    data: z
      .record(z.string(), z.unknown())
      .describe("The members that are no secrets, such as a host or a sender"),
    createdAt: timestampSchema("When it was made"),
    updatedAt: timestampSchema("When it was last changed"),
  })
  .meta({ id: "CredentialDetails", description: "A credential without its secrets" })

/** Reads a credential without its secrets. */
export const getProcedure = tokenOperation("GET /api/v1/credentials/{credentialsId}", {
  operationId: "getCredential",
  admits: ["workspaceEditors", "itsAccount"],
  tag: "Credentials",
  summary: "Get a credential",
  description: "For its user or those who may edit bots of its workspace; secrets are left out.",
})
  .input(z.object({ credentialsId: credentialIdSchema }))
  .output(z.object({ credentials: detailedSchema }))
  .query(async ({ ctx, input }) => {
    const facts = await requireCredential(ctx, input.credentialsId)
    const { id, scope, type, name, allowedHosts } = facts
    const place = facts.scope === "workspace" ? { workspaceId: facts.workspaceId } : {}
    const data = openMembers(type, (ctx.cipher.open(id, facts) ?? {}) as CredentialData)
    const shown = { id, type, name, allowedHosts, scope, ...place, data, ...printTimes(facts) }
    return { credentials: shown }
  })
