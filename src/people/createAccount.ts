/** Creates accounts: a user with a workspace and a token. */
import type { Db } from "../db/connection/openDatabase.ts"
import { countTokens, insertToken, type TokenRow } from "../db/people/tokens.ts"
import { insertAccount, insertFirstAccount, withUser } from "../db/people/users.ts"
import { AppError } from "../lib/errors.ts"
import { newId } from "../lib/ids.ts"
import { type Plan, usualPlan } from "../lib/plans.ts"
import { hashToken, hintOf, isToken, newToken } from "./apiTokens.ts"
import type { Grant } from "./caller.ts"
import { plainEmail } from "./mailAddress.ts"

const firstEmail = "admin@parley.local"
const workspaceName = "My workspace"
const tokenName = "First token"

/** Max tokens of an account that are not revoked. */
export const maxTokens = 500

/** A new account; absent members get defaults. */
type AccountOptions = {
  email: string
  name?: string | undefined
  workspaceName?: string | undefined
  tokenName?: string | undefined
  /** Plan of the workspace; UNLIMITED by default. */
  plan?: Plan | undefined
  /** True: an operator of the service; the first user is one anyway. */
  isOperator?: true | undefined
}

/** A new token; absent members get defaults, and no limits. */
type TokenOptions = { name?: string | undefined } & Partial<Grant>

type CreatedAccount = {
  email: string
  tokenId: string
  /** The secret, which cannot be read again. */
  token: string
  workspaceId: string
}

/** The account of the first start; absent members get defaults. */
type FirstUserOptions = Partial<Pick<AccountOptions, "email" | "plan">> & {
  /** A token to use instead of a new one, for machines that must know it in advance. */
  token?: string | undefined
}

/**
 * Creates the first user, workspace and token of a service. Resolves to undefined when there are users.
 * Processes may call it concurrently. Throws when the given token is invalid.
 */
export async function ensureFirstUser(
  db: Db,
  { email, token, plan }: FirstUserOptions = {},
): Promise<CreatedAccount | undefined> {
  if (token !== undefined && !isToken(token)) {
    throw new Error(
      "PARLEY_BOOTSTRAP_TOKEN is not an API token: its checksum is wrong. " +
        "Make one with `parley token generate`.",
    )
  }
  const account = accountFor({ email: email ?? firstEmail, plan }, token ?? newToken())
  return (await insertFirstAccount(db, account.rows)) ? account.made : undefined
}

/** Creates an account. Throws, with nothing created, when the email address has one. */
export async function createAccount(db: Db, wishes: AccountOptions): Promise<CreatedAccount> {
  const { rows, made } = accountFor(wishes, newToken())
  if (await insertAccount(db, rows)) return made
  const { email } = made
  throw new Error(
    `${email} has an account already: \`parley token create --email ${email}\` makes another token.`,
  )
}

/**
 * Creates a token for an existing user; its secret cannot be read again. Throws a 400 when the user has all
 * that they may have.
 */
export async function createToken(
  db: Db,
  ownerId: string,
  wishes: TokenOptions,
): Promise<TokenRow & { token: string }> {
  const token = newToken()
  const row = await withUser(db, ownerId, async (locked) => {
    if ((await countTokens(locked, ownerId)) >= maxTokens) {
      throw new AppError(
        "TOKEN_LIMIT_REACHED",
        `An account has at most ${maxTokens} API tokens: revoke some first`,
        { data: { limit: maxTokens } },
      )
    }
    return await insertToken(locked, { ...tokenRow(token, wishes), ownerId })
  })
  return { ...row, token }
}

/** The row of a token, without its owner. */
function tokenRow(token: string, { name = tokenName, ...limits }: TokenOptions) {
  const { scopes = null, workspaceId = null, botIds = null, expiresAt = null } = limits
  const grant = { scopes: scopes && [...scopes], workspaceId, botIds: botIds && [...botIds] }
  return {
    id: newId(),
    name,
    tokenHash: hashToken(token),
    hint: hintOf(token),
    ...grant,
    expiresAt,
  }
}

function accountFor(wishes: AccountOptions, token: string) {
  const email = plainEmail(wishes.email)
  const { isOperator } = wishes
  const user = { id: newId(), email, name: wishes.name ?? null, isOperator }
  const workspace = {
    id: newId(),
    name: wishes.workspaceName ?? workspaceName,
    plan: wishes.plan ?? usualPlan,
  }
  const row = tokenRow(token, { name: wishes.tokenName })
  return {
    rows: { user, workspace, token: row },
    made: { email, tokenId: row.id, token, workspaceId: workspace.id },
  }
}
