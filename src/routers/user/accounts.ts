/** Makes accounts: a user with a workspace of their own and a token to begin with. */
import type { Db } from "../../db/connection/open.ts"
import { insertToken } from "../../db/people/tokens.ts"
import {
  findUserByEmail,
  insertAccount,
  insertFirstAccount,
  type NewAccount,
} from "../../db/people/users.ts"
import { newId } from "../../shared/ids.ts"
import type { Plan } from "../../shared/plans.ts"
import { hashToken, hintOf, isToken, newToken } from "../../shared/tokens.ts"

const firstEmail = "admin@localhost"
const workspaceName = "My workspace"
const tokenName = "First token"

/** What an account can start with; absent members get defaults. */
export type AccountWishes = {
  email: string
  name?: string | undefined
  workspaceName?: string | undefined
  tokenName?: string | undefined
  /** Plan of the workspace; FREE unless told. */
  plan?: Plan | undefined
}

/** A token that was just made; its secret cannot be read again. */
export type MadeToken = { tokenId: string; token: string }

/** What was made of an account. */
export type MadeAccount = MadeToken & {
  email: string
  /** Absent: the user was there before, and only got a new token. */
  workspaceId?: string
}

/** What the first start may decide of the first account; absent members get defaults. */
export type FirstUserWishes = Partial<Pick<AccountWishes, "email" | "plan">> & {
  /** A token to store instead of a fresh one, for machines that must know it before. */
  token?: string | undefined
}

/**
 * Gives an empty service its first user, workspace and token. Undefined, and nothing made: it has
 * users already. Several processes may call it at once. Throws when the given token is not one.
 */
export async function ensureFirstUser(
  db: Db,
  { email, token, plan }: FirstUserWishes = {},
): Promise<Required<MadeAccount> | undefined> {
  if (token !== undefined && !isToken(token)) {
    throw new Error(
      "PARLEY_BOOTSTRAP_TOKEN is not an API token: its checksum is wrong. " +
        "Make one with `parley token generate`.",
    )
  }
  const account = accountFor({ email: email ?? firstEmail, plan }, token ?? newToken())
  return (await insertFirstAccount(db, account.rows)) ? account.made : undefined
}

/** Makes an account, or another token when the mail address has an account already. */
export async function createAccount(db: Db, wishes: AccountWishes): Promise<MadeAccount> {
  const account = accountFor(wishes, newToken())
  if (await insertAccount(db, account.rows)) return account.made
  const { email } = account.made
  const user = await findUserByEmail(db, email)
  if (user === undefined) throw new Error(`The account of ${email} was deleted meanwhile.`)
  return { ...(await createToken(db, user.id, { name: wishes.tokenName })), email }
}

/** Makes a token for an existing user. */
export async function createToken(
  db: Db,
  ownerId: string,
  wishes: { name?: string | undefined; expiresAt?: Date | undefined },
): Promise<MadeToken> {
  const token = newToken()
  const row = tokenRow(token, wishes)
  await insertToken(db, { ...row, ownerId })
  return { tokenId: row.id, token }
}

/** The row of a token, but for its owner. */
export function tokenRow(
  token: string,
  { name = tokenName, expiresAt }: { name?: string | undefined; expiresAt?: Date | undefined },
): NewAccount["token"] & { id: string } {
  const tokenHash = hashToken(token)
  return { id: newId(), name, tokenHash, hint: hintOf(token), expiresAt: expiresAt ?? null }
}

/** A mail address as it is stored and compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

function accountFor(
  wishes: AccountWishes,
  token: string,
): { rows: NewAccount; made: Required<MadeAccount> } {
  const email = normaliseEmail(wishes.email)
  const user = { id: newId(), email, name: wishes.name ?? null }
  const workspace = {
    id: newId(),
    name: wishes.workspaceName ?? workspaceName,
    plan: wishes.plan ?? "FREE",
  }
  const row = tokenRow(token, { name: wishes.tokenName })
  return {
    rows: { user, workspace, token: row },
    made: { email, tokenId: row.id, token, workspaceId: workspace.id },
  }
}
