/** Says in the description of an operation who may call it: `x-admits` and `x-scope` in words. */
import type { Admission } from "../../people/admissions.ts"
import type { OperationScope } from "../../people/grants.ts"
import type { Json } from "./openapiSchemas.ts"

const callers: Readonly<Record<Admission, string>> = {
  anybody: "no token",
  visitors: "no token",
  accounts: "any account",
  itsAccount: "the account that it belongs to",
  workspaceViewers: "a member of the workspace",
  workspaceListers: "a member of the workspace",
  workspaceStaff: "an ADMIN or MEMBER of the workspace",
  workspaceEditors: "a member of the workspace who may edit",
  workspaceAdmins: "an ADMIN of the workspace",
  botViewers: "a person with a role at the bot, or any account while it is shared publicly",
  botReaders: "an ADMIN or MEMBER of the workspace, or a collaborator",
  botWriters: "a member who may edit, or a collaborator who may",
  botEditors: "a member who may edit",
  botCollaborators: "a collaborator",
  operators: "an operator of the service",
  flowPreviewers: "no token for a restricted preview, or a member who may edit",
}

/** Appends `Needs: a member who may edit; scope `bots:write`.` */
export function describeNeeds(operation: Json): void {
  const admits = operation["x-admits"] as readonly Admission[] | undefined
  const scope = operation["x-scope"] as OperationScope | undefined
  if (admits === undefined) return
  const who = [...new Set(admits.map((admission) => callers[admission]))].join(", or ")
  const needs = [who, ...(scope === undefined ? [] : [scopeWords(scope)])].join("; ")
  const { description } = operation
  operation.description = `${description ? `${description}\n\n` : ""}Needs: ${needs}.`
}

function scopeWords(scope: OperationScope): string {
  if (scope === "any") return "any scope"
  return scope === "unlimited" ? "a token without scopes" : `scope \`${scope}\``
}
