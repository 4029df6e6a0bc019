/** Credentials in requests and responses; secrets are never in the latter. */
import { TRPCError } from "@trpc/server"
import { z } from "zod"
import type { Source } from "../../db/connection/open.ts"
import {
  type CredentialFacts,
  type CredentialOwner,
  findCredentialFacts,
  withCredential,
} from "../../db/people/credentials.ts"
import { maxAllowedHosts, readAllowedHost } from "../../effects/credentials/credentialHosts.ts"
import {
  type CredentialData,
  credentialTypes,
  parseCredentialData,
} from "../../effects/credentials/credentialTypes.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { badRequest, notFound } from "../../errors.ts"
import { type AuthContext, isEditor, requireWorkspace, type WorkspaceNeed } from "../access.ts"
import type { Caller } from "../context.ts"
import { isTargeted, reaches, requireWholeAccount } from "../grants.ts"

export const credentialIdSchema = z.string().min(1).max(64).describe("Id of the credential")

export const credentialNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .describe("Name by which people know it")

export const credentialTypeSchema = z
  .enum(credentialTypes)
  .meta({ id: "CredentialType", description: "Service that the credential is for" })

export const credentialScopeSchema = z.enum(["workspace", "user"]).meta({
  id: "CredentialScope",
  description: "`workspace`: for its bots; `user`: for the caller alone, and for no bot",
})

export const ownerMembers = {
  scope: credentialScopeSchema.optional().describe("Whose credentials; absent: `workspace`"),
  workspaceId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Id of the workspace; required unless the scope is `user`"),
}

export const credentialDataSchema = z
  .record(z.string(), z.unknown())
  .describe("Members of its type: keys, addresses, passwords")

/** Hosts in a request. */
export const newAllowedHostsSchema = z
  .array(
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
  )
  .max(maxAllowedHosts)
  .describe(
    "Hosts that its secrets may be sent to, besides those of its provider and of its data; without " +
      "a port, the default port of HTTPS and HTTP",
  )

/** Hosts as they are stored: normalised, each once. */
export function readAllowedHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.flatMap((host) => readAllowedHost(host) ?? []))]
}

export const credentialSchema = namedObject("Credential", "A credential, without its data", {
  id: z.string().describe("Id of the credential"),
  type: z.string().describe("Service that it is for"),
  name: z.string().describe("Name by which people know it"),
  allowedHosts: z
    .array(z.string())
    .describe("Hosts that its secrets may be sent to besides its provider's, in lower case"),
})

export const credentialsIdSchema = z.object({
  credentialsId: z.string().describe("Id of the credential"),
})

/** Validates data for a type, and drops unknown members; throws a 400 with issues. */
export function readData(type: string, data: CredentialData): CredentialData {
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
export async function admittedOwner(
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

/**
 * Reads a credential, and admits its user, or editors of its workspace; others get a 404 as if there
 * were none.
 */
export async function requireCredential(
  { db, user }: AuthContext,
  credentialsId: string,
): Promise<CredentialFacts> {
  const facts = await findCredentialFacts(db, { id: credentialsId, userId: user.id })
  return admitted({ db, user }, facts)
}

/** The same for a change that nobody else may make meanwhile, since it depends on what is stored. */
export async function changeCredential<Result>(
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
