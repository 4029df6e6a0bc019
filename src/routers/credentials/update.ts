/** PATCH /api/v1/credentials/{credentialsId} */
import { z } from "zod"
import { type CredentialFacts, updateCredential } from "../../db/people/credentials.ts"
import {
  type CredentialData,
  leadsElsewhere,
  secretMembers,
} from "../../effects/credentials/credentialTypes.ts"
import { forbidden, notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import {
  credentialDataSchema,
  credentialIdSchema,
  credentialNameSchema,
  credentialsIdSchema,
  newAllowedHostsSchema,
  readAllowedHosts,
  readData,
  requireCredential,
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
export const updateProcedure = tokenOperation("PATCH /api/v1/credentials/{credentialsId}", {
  operationId: "updateCredential",
  admits: ["workspaceEditors", "itsAccount"],
  tag: "Credentials",
  summary: "Change a credential",
  description:
    "For its user or those who may edit bots of its workspace. Nobody but its user and an ADMIN " +
    "lets stored secrets go elsewhere: others who add a host, or change the address or server in " +
    "the data, send all secrets again with it (403 otherwise).",
})
  .input(z.object({ credentialsId: credentialIdSchema, credentials: changesSchema }))
  .output(credentialsIdSchema)
  .mutation(async ({ ctx, input }) => {
    const id = input.credentialsId
    const facts = await requireCredential(ctx, id)
    const { name, data } = input.credentials
    const present = (ctx.cipher.open(id, facts) ?? {}) as CredentialData
    const next = data && readData(facts.type, merged(present, data))
    const allowedHosts =
      input.credentials.allowedHosts && readAllowedHosts(input.credentials.allowedHosts)
    requireSecrets(facts, { present, sent: data ?? {}, next: next ?? present, allowedHosts })
    const changes = { name, allowedHosts, ...(next && ctx.cipher.seal(id, next)) }
    if (!(await updateCredential(ctx.db, facts, changes))) throw notFound("Credential")
    return { credentialsId: id }
  })

type Change = {
  present: CredentialData
  /** Members of the data as they were sent. */
  sent: CredentialData
  next: CredentialData
  allowedHosts: readonly string[] | undefined
}

/**
 * Callers who neither own a credential nor manage its workspace must know the secrets to send them
 * elsewhere; otherwise anybody who edits bots could send them to a server of their own.
 */
function requireSecrets(facts: CredentialFacts, change: Change): void {
  const { present, sent, next, allowedHosts = [] } = change
  if (facts.scope === "user" || facts.role === "ADMIN") return
  const isHostNew = allowedHosts.some((host) => !facts.allowedHosts.includes(host))
  if (!isHostNew && !leadsElsewhere(facts.type, { from: present, to: next })) return
  const missing = secretMembers(facts.type, present).filter((name) => !Object.hasOwn(sent, name))
  if (missing.length === 0) return
  throw forbidden(
    "Only an ADMIN lets stored secrets go to another host. Others send them again in the same " +
      `request: ${missing.map((name) => `data.${name}`).join(", ")}`,
  )
}

function merged(present: CredentialData, changes: CredentialData): CredentialData {
  const members = Object.entries({ ...present, ...changes })
  return Object.fromEntries(members.filter(([, value]) => value !== null))
}
