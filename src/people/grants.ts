/** What API tokens are limited to: scopes, and a workspace or bots. Decides what is within these limits. */
import { z } from "zod"
import { AppError } from "../lib/errors.ts"
import type { ProblemData } from "../lib/problemData.ts"
import type { Caller, Grant } from "./caller.ts"

/** What a token may be made for, by scope; none includes another. */
export const scopes = {
  "bots:read": "Read bots, drafts and versions, and list workspaces",
  "bots:write": "Create, change, preview, publish and delete bots",
  "results:read": "Read results, conversations, analytics and files of end users",
  "conversations:write": "Send messages into conversations and steer them",
  operator: "Operate the service: all its workspaces, bots and users, if the account may",
  admin:
    "Workspaces, members, credentials, webhooks and the account itself, and the deletion of results",
} as const satisfies Readonly<Record<string, string>>

export type Scope = keyof typeof scopes

/** What an operation takes; `any`: it is for every token, `unlimited`: for tokens without scopes. */
export type OperationScope = Scope | "any" | "unlimited"

export const scopeSchema = z
  .enum(Object.keys(scopes) as [Scope, ...Scope[]])
  .meta({ id: "Scope", description: "What a token may be made for; `x-scopes` says what each is" })

/** Operations have a tag, which says what their scope usually is; one may name another. */
export const usualScopes = {
  Workspaces: { read: "admin", change: "admin" },
  Bots: { read: "bots:read", change: "bots:write" },
  Catalogue: { read: "bots:read", change: "bots:write" },
  Results: { read: "results:read", change: "admin" },
  Webhooks: { read: "admin", change: "admin" },
  Users: { read: "admin", change: "admin" },
  Credentials: { read: "admin", change: "admin" },
  Conversations: { read: "results:read", change: "conversations:write" },
  Operator: { read: "operator", change: "operator" },
  Chat: { read: "conversations:write", change: "conversations:write" },
} as const satisfies Readonly<Record<string, { read: OperationScope; change: OperationScope }>>

export type Tag = keyof typeof usualScopes

export function hasScope({ grant }: Caller, scope: OperationScope): boolean {
  return scope === "any" || !grant?.scopes || grant.scopes.includes(scope)
}

/** Throws a 403 for a token without a scope. */
export function requireScope(caller: Caller, scope: OperationScope): void {
  if (hasScope(caller, scope)) return
  const message = `This takes an API token with the scope \`${scope}\``
  throw new AppError("SCOPE_MISSING", message, { data: { scope } })
}

/** Whether a caller's token is for a workspace, or for bots, alone. */
export function isTargeted({ grant }: Caller): boolean {
  return grant !== undefined && (grant.workspaceId !== null || grant.botIds !== null)
}

/** Whether a caller's token is for a workspace or, when a bot is named, for that bot. */
export function reaches(
  { grant }: Caller,
  { workspaceId, botId }: { workspaceId: string; botId?: string },
): boolean {
  if (grant === undefined) return true
  if (grant.botIds !== null) return botId !== undefined && grant.botIds.includes(botId)
  return grant.workspaceId === null || grant.workspaceId === workspaceId
}

/** Throws a 403 for a token that is for a workspace or bots alone. */
export function requireWholeAccount(caller: Caller): void {
  if (isTargeted(caller)) throw tooNarrow("place", "This takes an API token for the whole account")
}

/** What a new token is to be limited to; absent: nothing. */
export type GrantWishes = {
  scopes?: readonly Scope[] | undefined
  workspaceId?: string | undefined
  botIds?: readonly string[] | undefined
  expiresAt?: Date | undefined
}

/**
 * The limits of a token that a caller makes: what they ask for, and where they ask for nothing those of
 * their own token. Throws a 403 for more. `botIds` were found to be within the caller's reach.
 */
export function grantFor(caller: Caller, wishes: GrantWishes): Grant {
  const own = caller.grant
  const scopes = wishes.scopes ?? own?.scopes ?? null
  const beyond = scopes?.find((scope) => own?.scopes && !own.scopes.includes(scope))
  if (beyond !== undefined) {
    const words = `This API token cannot give the scope \`${beyond}\`, which it does not have`
    throw tooNarrow("scopes", words)
  }
  const expiresAt = wishes.expiresAt ?? own?.expiresAt ?? null
  if (own?.expiresAt && expiresAt && expiresAt > own.expiresAt) {
    throw tooNarrow("expiresAt", "This API token cannot make one that works longer than itself")
  }
  const isPlaced = wishes.workspaceId !== undefined || wishes.botIds !== undefined
  const { workspaceId = null, botIds = null } = isPlaced ? wishes : (own ?? {})
  return { scopes, workspaceId, botIds, expiresAt }
}

function tooNarrow(
  limitedBy: ProblemData["TOKEN_TOO_NARROW"]["limitedBy"],
  message: string,
): AppError {
  return new AppError("TOKEN_TOO_NARROW", message, { data: { limitedBy } })
}
