/** PATCH /api/v1/credentials/{credentialsId} */
import { z } from "zod"
import { findCredentialFacts, updateCredential } from "../../db/people/credentials.ts"
import type { CredentialData } from "../../effects/credentials/credentialTypes.ts"
import { notFound } from "../../shared/errors.ts"
import { tokenProcedure } from "../trpc.ts"
import {
  admitToCredential,
  credentialDataSchema,
  credentialIdSchema,
  credentialNameSchema,
  credentialsIdSchema,
  newAllowedHostsSchema,
  readAllowedHosts,
  readData,
} from "./schema.ts"

const changesSchema = z
  .object({
    name: credentialNameSchema.optional(),
    data: credentialDataSchema
      .optional()
      .describe("Members to replace; null removes one, members left out stay as they are"),
    allowedHosts: newAllowedHostsSchema
      .optional()
      .describe("All hosts besides its provider's from now on; absent: they stay"),
  })
  .meta({ id: "CredentialChanges", description: "What to change of a credential" })

/** Changes name, data or allowed hosts of a credential; its type stays. */
export const updateProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "PATCH",
      path: "/api/v1/credentials/{credentialsId}",
      operationId: "updateCredential",
      tags: ["Credentials"],
      summary: "Change a credential",
      description: "For its user or those who may edit bots of its workspace.",
    },
  })
  .input(z.object({ credentialsId: credentialIdSchema, credentials: changesSchema }))
  .output(credentialsIdSchema)
  .mutation(async ({ ctx, input }) => {
    const id = input.credentialsId
    const found = await findCredentialFacts(ctx.db, { id, userId: ctx.user.id })
    const facts = admitToCredential(found, ctx.user)
    const { name, data, allowedHosts } = input.credentials
    const present = (ctx.cipher.open(id, facts) ?? {}) as CredentialData
    const sealed = data && ctx.cipher.seal(id, readData(facts.type, merged(present, data)))
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(allowedHosts === undefined ? {} : { allowedHosts: readAllowedHosts(allowedHosts) }),
      ...sealed,
    }
    if (!(await updateCredential(ctx.db, facts, changes))) throw notFound("Credential")
    return { credentialsId: id }
  })

function merged(present: CredentialData, changes: CredentialData): CredentialData {
  const members = Object.entries({ ...present, ...changes })
  return Object.fromEntries(members.filter(([, value]) => value !== null))
}
