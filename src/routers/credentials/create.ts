/** POST /api/v1/credentials */
import { z } from "zod"
import { insertCredential } from "../../db/people/credentials.ts"
import { newId } from "../../ids.ts"
import { tokenOperation } from "../trpc.ts"
import {
  admittedOwner,
  credentialDataSchema,
  credentialNameSchema,
  credentialsIdSchema,
  credentialTypeSchema,
  newAllowedHostsSchema,
  ownerMembers,
  readAllowedHosts,
  readData,
} from "./schema.ts"

const newCredentialSchema = z
  .object({
    type: credentialTypeSchema,
    name: credentialNameSchema,
    data: credentialDataSchema,
    allowedHosts: newAllowedHostsSchema.optional(),
  })
  .meta({ id: "CredentialToCreate", description: "A credential to keep" })

/** Stores a credential with its data encrypted. */
export const createProcedure = tokenOperation("POST /api/v1/credentials", {
  operationId: "createCredential",
  admits: ["workspaceEditors", "accounts"],
  tag: "Credentials",
  summary: "Create a credential",
  description:
    "For the bots of a workspace alone, or for the caller alone. A caller's own credential is " +
    "never used by a bot. Its data is encrypted and never given out. Its secrets are sent to its " +
    "provider (or to the address in its data) and to `allowedHosts` alone, whatever a flow says.",
})
  .input(z.object({ ...ownerMembers, credentials: newCredentialSchema }))
  .output(credentialsIdSchema)
  .mutation(async ({ ctx, input }) => {
    const owner = await admittedOwner(ctx, input, "edit")
    const { type, name, data, allowedHosts: hosts = [] } = input.credentials
    const id = newId()
    const sealed = ctx.cipher.seal(id, readData(type, data))
    const allowedHosts = readAllowedHosts(hosts)
    await insertCredential(ctx.db, { id, ...owner, type, name, allowedHosts, ...sealed })
    return { credentialsId: id }
  })
