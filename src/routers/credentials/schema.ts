/** Credentials on the wire: secrets come in and never go out. */
import { z } from "zod"
import type { CredentialFacts } from "../../db/credentials.ts"
import {
  type CredentialData,
  credentialTypes,
  parseCredentialData,
} from "../../effects/credentialTypes.ts"
import { flattenIssues } from "../../engine/lint/issues.ts"
import { badRequest, notFound } from "../../errors.ts"
import { isEditor } from "../access.ts"
import type { Caller } from "../context.ts"

export const credentialIdSchema = z.string().min(1).max(64).describe("Id of the credential")

export const credentialNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .describe("Name by which people know it")

export const credentialTypeSchema = z
  .enum(credentialTypes)
  .meta({ id: "CredentialType", description: "Service that the credential opens" })

export const credentialDataSchema = z
  .record(z.string(), z.unknown())
  .describe("Members of its type: keys, addresses, passwords")

export const credentialSchema = z
  .object({
    id: z.string().describe("Id of the credential"),
    type: z.string().describe("Service that it opens"),
    name: z.string().describe("Name by which people know it"),
  })
  .meta({ id: "Credential", description: "A credential of a workspace, without its data" })

export const credentialsIdSchema = z.object({
  credentialsId: z.string().describe("Id of the credential"),
})

/** Checks data for a type and drops what the type does not have; 400 with the issues otherwise. */
export function readData(type: string, data: CredentialData): CredentialData {
  const read = parseCredentialData(type, data)
  if (!read) throw badRequest("There is no such type of credential")
  if (read.success) return read.data
  const issues = flattenIssues(read.error.issues, data)
  throw badRequest(
    "The data of the credential is not complete",
    issues.map((issue) => ({ ...issue, path: ["data", ...issue.path] })),
  )
}

/** Lets those at a credential who may edit in its workspace; others get 404 as if there were none. */
export function admitToCredential(
  facts: CredentialFacts | undefined,
  caller: Caller,
): CredentialFacts {
  if (!facts || !isEditor(facts) || (facts.isBlocked && !caller.isPlatformAdmin)) {
    throw notFound("Credential")
  }
  return facts
}
