/** POST /api/v1/credentials */
import { z } from "zod"
import { insertCredential } from "../../db/credentials.ts"
import { findWorkspace } from "../../db/workspaces.ts"
import { newId } from "../../ids.ts"
import { admitToWorkspace } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import {
  credentialDataSchema,
  credentialNameSchema,
  credentialsIdSchema,
  credentialTypeSchema,
  readData,
} from "./schema.ts"

const newCredentialSchema = z
  .object({ type: credentialTypeSchema, name: credentialNameSchema, data: credentialDataSchema })
  .meta({ id: "NewCredential", description: "A credential to keep" })

/** Keeps a credential, its data encrypted. */
export const createProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/v1/credentials",
      operationId: "createCredential",
      tags: ["Credentials"],
      summary: "Create a credential",
      description: "For bots of this workspace alone. Its data is encrypted and never given out.",
    },
  })
  .input(
    z.object({
      scope: z.literal("workspace").optional().describe("Who it belongs to"),
      workspaceId: workspaceIdSchema,
      credentials: newCredentialSchema,
    }),
  )
  .output(credentialsIdSchema)
  .mutation(async ({ ctx, input }) => {
    const { workspaceId } = input
    const facts = await findWorkspace(ctx.db, { workspaceId, userId: ctx.user.id })
    admitToWorkspace(facts, ctx.user, "edit")
    const { type, name, data } = input.credentials
    const id = newId()
    const sealed = ctx.cipher.seal(id, readData(type, data))
    await insertCredential(ctx.db, { id, workspaceId, type, name, ...sealed })
    return { credentialsId: id }
  })
