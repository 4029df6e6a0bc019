/** Operations on credentials; secrets are never in responses. */

import { TRPCError } from "@trpc/server"
import { z } from "zod"
import { credentialLimit } from "../../bots/extractCredentials.ts"
import type { Source } from "../../db/connection/openDatabase.ts"
import {
  type CredentialFacts,
  type CredentialOwner,
  countCredentials,
  deleteCredential,
  findCredentialFacts,
  insertCredential,
  listCredentials,
  maxCredentials,
  updateCredential,
  withCredential,
} from "../../db/people/credentials.ts"
import { withUser } from "../../db/people/users.ts"
import { maxAllowedHosts, readAllowedHost } from "../../effects/credentials/credentialHosts.ts"
import {
  type CredentialData,
  credentialTypes,
  leadsElsewhere,
  parseCredentialData,
  publicMembers,
  secretMembers,
} from "../../effects/credentials/credentialTypes.ts"
import { listOf, mapOf } from "../../engine/schema/lists.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { badRequest, forbidden, notFound } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import {
  type AuthContext,
  editWorkspace,
  isEditor,
  requireWorkspace,
  type WorkspaceNeed,
} from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { isTargeted, reaches, requireWholeAccount } from "../../people/grants.ts"
import { exampleDates, exampleIds } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

export const credentialIdSchema = z.string().min(1).max(64).describe("Id of the credential")

const credentialNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .describe("Name by which people know it")

const credentialTypeSchema = z
  .enum(credentialTypes)
  .meta({ id: "CredentialType", description: "Service that the credential is for" })

const credentialScopeSchema = z.enum(["workspace", "user"]).meta({
  id: "CredentialScope",
  description: "`workspace`: for its bots; `user`: for the caller alone, and for no bot",
})

const ownerMembers = {
  scope: credentialScopeSchema.optional().describe("Whose credentials; absent: `workspace`"),
  workspaceId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Id of the workspace; required unless the scope is `user`"),
}

const credentialDataSchema = mapOf(z.string(), z.unknown()).describe(
  "Members of its type: keys, addresses, passwords",
)

/** Hosts in a request. */
const newAllowedHostsSchema = listOf(
  z
    .string()
    .trim()
    .min(1)
    .max(260)
    .refine((host) => readAllowedHost(host) !== undefined, {
      message:
        "must be a host with or without a port, such as llm.example.com or llm.example.com:8443: " +
        "no scheme, no path, no wildcard",
    }),
  maxAllowedHosts,
).describe(
  "Hosts that its secrets may be sent to, besides those of its provider and of its data; without " +
    "a port, the default port of HTTPS and HTTP",
)

/** Hosts as they are stored: normalised, each once. */
function readAllowedHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.flatMap((host) => readAllowedHost(host) ?? []))]
}

const credentialSchema = namedObject("Credential", "A credential, without its data", {
  id: z.string().describe("Id of the credential"),
  type: z.string().describe("Service that it is for"),
  name: z.string().describe("Name by which people know it"),
  allowedHosts: z
    .array(z.string())
    .describe("Hosts that its secrets may be sent to besides its provider's, in lower case"),
})

const credentialsIdSchema = z.object({
  credentialsId: z.string().describe("Id of the credential"),
})

/** Validates data for a type, and drops unknown members; throws a 400 with issues. */
function readData(type: string, data: CredentialData): CredentialData {
  const read = parseCredentialData(type, data)
  if (!read) throw badRequest("`credentials.type` is not a known type of credential")
  if (read.success) return read.data
  const path = ["credentials", "data"]
  const issues = read.error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
  throw new TRPCError({ code: "BAD_REQUEST", cause: new z.ZodRealError(issues) })
}

/**
 * The owner of the credentials that a request is about. Throws a 404 when the caller lacks access to the
 * workspace, and a 400 when the request names none.
 */
async function admittedOwner(
  ctx: AuthContext,
  { scope, workspaceId }: { scope?: string | undefined; workspaceId?: string | undefined },
  need: WorkspaceNeed,
): Promise<CredentialOwner> {
  if (scope === "user") {
    requireWholeAccount(ctx.user)
    return { userId: ctx.user.id }
  }
  if (workspaceId === undefined) {
    const issue = {
      code: "invalid_type",
      path: ["workspaceId"],
      message: "is required unless the scope is `user`",
    }
    throw badRequest("`workspaceId` is missing: it is required unless `scope` is `user`", [issue])
  }
  await requireWorkspace(ctx, workspaceId, need)
  return { workspaceId }
}

/** Stores a new credential; throws a 400 if its owner has reached the limit. */
async function addCredential(
  ctx: AuthContext,
  owner: CredentialOwner,
  credential: Parameters<typeof insertCredential>[1],
): Promise<void> {
  const add = async (locked: Source) => {
    if ((await countCredentials(locked, owner)) >= maxCredentials) throw credentialLimit()
    await insertCredential(locked, credential)
  }
  if ("userId" in owner) await withUser(ctx.db, owner.userId, add)
  else await editWorkspace(ctx, owner.workspaceId, add)
}

/**
 * Reads a credential, and admits its user, or editors of its workspace; others get a 404 as if there
 * were none.
 */
export async function requireCredential({ db, user }: AuthContext, credentialsId: string) {
  const facts = await findCredentialFacts(db, { id: credentialsId, userId: user.id })
  return admitted({ db, user }, facts)
}

/** The same with a lock, for a change that depends on what is stored. */
async function changeCredential<Result>(
  { db, user }: AuthContext,
  credentialsId: string,
  change: (locked: Source, facts: CredentialFacts) => Promise<Result>,
): Promise<Result> {
  return await withCredential(db, { id: credentialsId, userId: user.id }, (locked, facts) =>
    change(locked, admitted({ db, user }, facts)),
  )
}

function admitted({ db, user }: AuthContext, facts: CredentialFacts | undefined): CredentialFacts {
  if (!facts || !isAdmitted(facts, user)) throw notFound("Credential")
  if (facts.scope === "workspace") db.changeLog?.about(facts.workspaceId)
  return facts
}

function isAdmitted(facts: CredentialFacts, user: Caller): boolean {
  if (facts.scope === "user") return !isTargeted(user)
  const isOpen = !facts.isBlocked || user.isPlatformAdmin
  return isOpen && isEditor(facts) && reaches(user, facts)
}

const operation = operationsOf("Credentials")

const exampleCredential = {
  id: exampleIds.credentialsId,
  type: "http proxy",
  name: "Office",
  allowedHosts: [],
}

const newCredentialSchema = namedObject("CredentialToCreate", "A credential to create", {
  type: credentialTypeSchema,
  name: credentialNameSchema,
  data: credentialDataSchema,
  allowedHosts: newAllowedHostsSchema.optional(),
})

const detailedSchema = credentialSchema
  .extend({
    scope: credentialScopeSchema,
    workspaceId: z
      .string()
      .optional()
      .describe("Workspace whose bots may use it; absent: it belongs to the caller"),
    data: z
      .record(z.string(), z.unknown())
      .describe("The members that are not secret, such as a host or a sender"),
    createdAt: timestampSchema("When it was created"),
    updatedAt: timestampSchema("When it was last changed"),
  })
  .meta({ id: "CredentialDetails", description: "A credential without its secrets" })

const changesSchema = namedObject("CredentialChanges", "Changes to a credential", {
  name: credentialNameSchema.optional(),
  data: credentialDataSchema
    .optional()
    .describe("Members to replace; null removes a member, omitted members stay as they are"),
  allowedHosts: newAllowedHostsSchema
    .optional()
    .describe("Replaces the list of hosts; absent: unchanged"),
})

export const credentials = {
  create: operation("POST /credentials", {
    operationId: "createCredential",
    admits: ["workspaceEditors", "accounts"],
    summary: "Create a credential",
    description:
      "Creates a credential for the bots of a workspace, or for the caller alone; no bot ever uses a " +
      "caller's own. Its data is encrypted, and secrets are never returned. They are only sent to the " +
      "provider (or the address in the data) and to `allowedHosts`, regardless of the flow. " +
      `A workspace has at most ${maxCredentials}, an account likewise.`,
    example: {
      request: {
        workspaceId: exampleIds.workspaceId,
        credentials: {
          type: "http proxy",
          name: "Office",
          data: { url: "http://proxy.example.com:8080" },
        },
      },
      response: { credentialsId: exampleIds.credentialsId },
    },
    input: { ...ownerMembers, credentials: newCredentialSchema },
    output: credentialsIdSchema,
  }).mutation(async ({ ctx, input }) => {
    const owner = await admittedOwner(ctx, input, "edit")
    const { type, name, data, allowedHosts: hosts = [] } = input.credentials
    const id = newId()
    const sealed = ctx.cipher.seal(id, readData(type, data))
    const allowedHosts = readAllowedHosts(hosts)
    await addCredential(ctx, owner, { id, ...owner, type, name, allowedHosts, ...sealed })
    return { credentialsId: id }
  }),

  list: operation("GET /credentials", {
    operationId: "listCredentials",
    admits: ["workspaceEditors", "accounts"],
    summary: "List the credentials of a workspace, or the caller's own",
    description:
      `Names, types and allowed hosts, newest first: at most ${maxCredentials}. Those of a workspace need ` +
      "the right to edit its bots; the scope `user` lists the caller's own.",
    example: {
      query: { workspaceId: exampleIds.workspaceId },
      response: { credentials: [exampleCredential] },
    },
    input: {
      ...ownerMembers,
      type: z.string().max(255).optional().describe("Only those of this type"),
    },
    output: { credentials: z.array(credentialSchema).describe("Newest first") },
  }).query(async ({ ctx, input }) => {
    const need = ctx.user.isPlatformAdmin ? "see" : "edit"
    const owner = await admittedOwner(ctx, input, need)
    return { credentials: await listCredentials(ctx.db, owner, input.type) }
  }),

  get: operation("GET /credentials/{credentialsId}", {
    operationId: "getCredential",
    admits: ["workspaceEditors", "itsAccount"],
    summary: "Get a credential",
    description:
      "For its owner, or those who may edit bots of its workspace. Secrets are left out.",
    example: {
      response: {
        credentials: {
          ...exampleCredential,
          scope: "workspace",
          workspaceId: exampleIds.workspaceId,
          data: {},
          ...exampleDates,
        },
      },
    },
    input: { credentialsId: credentialIdSchema },
    output: { credentials: detailedSchema },
  }).query(async ({ ctx, input }) => {
    const facts = await requireCredential(ctx, input.credentialsId)
    const workspaceId = facts.scope === "workspace" ? facts.workspaceId : null
    const opened = (ctx.cipher.open(facts.id, facts) ?? {}) as CredentialData
    const data = publicMembers(facts.type, opened)
    return { credentials: presentRow(detailedSchema, { ...facts, workspaceId, data }) }
  }),

  update: operation("PATCH /credentials/{credentialsId}", {
    operationId: "updateCredential",
    admits: ["workspaceEditors", "itsAccount"],
    summary: "Change a credential",
    description:
      "For its owner, or those who may edit bots of its workspace. Only the owner and ADMINs may send " +
      "stored secrets elsewhere: others who add a host, or change the address or server in the data, " +
      "must send all secrets again (403 otherwise).",
    example: {
      request: { credentials: { name: "Head office" } },
      response: { credentialsId: exampleIds.credentialsId },
    },
    input: { credentialsId: credentialIdSchema, credentials: changesSchema },
    output: credentialsIdSchema,
  }).mutation(async ({ ctx, input }) => {
    const id = input.credentialsId
    const { name, data } = input.credentials
    return await changeCredential(ctx, id, async (locked, facts) => {
      const present = (ctx.cipher.open(id, facts) ?? {}) as CredentialData
      const next = data && readData(facts.type, merged(present, data))
      const allowedHosts =
        input.credentials.allowedHosts && readAllowedHosts(input.credentials.allowedHosts)
      requireSecrets(facts, { present, sent: data ?? {}, next: next ?? present, allowedHosts })
      const changes = { name, allowedHosts, ...(next && ctx.cipher.seal(id, next)) }
      await updateCredential(locked, facts, changes)
      return { credentialsId: id }
    })
  }),

  delete: operation("DELETE /credentials/{credentialsId}", {
    operationId: "deleteCredential",
    admits: ["workspaceEditors", "itsAccount"],
    summary: "Delete a credential",
    description: "Bots that refer to it skip the blocks that need it, and log that.",
    example: { response: { credentialsId: exampleIds.credentialsId } },
    input: { credentialsId: credentialIdSchema },
    output: credentialsIdSchema,
  }).mutation(async ({ ctx, input: { credentialsId } }) => {
    const facts = await requireCredential(ctx, credentialsId)
    if (!(await deleteCredential(ctx.db, facts))) throw notFound("Credential")
    return { credentialsId }
  }),
}

type CredentialUpdate = {
  present: CredentialData
  /** Members of the data as they were sent. */
  sent: CredentialData
  next: CredentialData
  allowedHosts: readonly string[] | undefined
}

/**
 * Callers who neither own a credential nor manage its workspace must know the secrets to send them
 * elsewhere; otherwise anyone who edits bots could send them to a server of their own.
 */
function requireSecrets(facts: CredentialFacts, change: CredentialUpdate): void {
  const { present, sent, next, allowedHosts = [] } = change
  if (facts.scope === "user" || facts.role === "ADMIN") return
  const isHostNew = allowedHosts.some((host) => !facts.allowedHosts.includes(host))
  if (!isHostNew && !leadsElsewhere(facts.type, { from: present, to: next })) return
  const missing = secretMembers(facts.type, present).filter((name) => !Object.hasOwn(sent, name))
  if (missing.length === 0) return
  throw forbidden(
    "Only an ADMIN may send stored secrets to another host. Others must send them again in the same " +
      `request: ${missing.map((name) => `data.${name}`).join(", ")}`,
  )
}

function merged(present: CredentialData, changes: CredentialData): CredentialData {
  const members = Object.entries({ ...present, ...changes })
  return Object.fromEntries(members.filter(([, value]) => value !== null))
}
