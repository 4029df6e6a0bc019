/** parley token: create, generate, list and revoke API tokens. */
import { notify } from "../db/connection/notifications.ts"
import type { Db } from "../db/connection/open.ts"
import { listTokens, revokeTokens } from "../db/people/tokens.ts"
import { findOnlyUser, findUserByEmail, type UserRow } from "../db/people/users.ts"
import { newToken } from "../routers/apiTokens.ts"
import { createToken, normaliseEmail } from "../routers/user/accounts.ts"
import { columns } from "./columns.ts"
import { command, print, tell } from "./command.ts"
import { withDatabase } from "./withDatabase.ts"

/** Makes a token for an existing user. */
export const createTokenCommand = command({
  name: "token create",
  description: "Create a token; standard output gets nothing but the token",
  args: {
    email: { type: "string", description: "Whose (the only user's)" },
    name: { type: "string", description: "Name of the token", default: "Command line" },
    expires: { type: "string", description: "When it stops working: 2027-01-31 (never)" },
  },
  run: async ({ email, name, expires }, environment) => {
    const expiresAt = expires === undefined ? undefined : futureDate(expires)
    await withDatabase(environment, async ({ database }) => {
      const owner = await findOwner(database, email)
      const { id, token } = await createToken(database, owner.id, { name, expiresAt })
      tell(`Created the token ${id} of ${owner.email}. Keep it: it is shown this once.`)
      print(token)
    })
  },
})

function futureDate(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new Error(`"${text}" is not a date such as 2027-01-31.`)
  if (date.getTime() <= Date.now()) throw new Error(`${text} is in the past.`)
  return date
}

/** Prints a token that nobody has yet: for PARLEY_BOOTSTRAP_TOKEN of a machine to come. */
export const generateTokenCommand = command({
  name: "token generate",
  description: "Print a fresh token for PARLEY_BOOTSTRAP_TOKEN, without storing it",
  args: {},
  run: async () => print(newToken()),
})

/** Lists the tokens of a user, without their secrets. */
export const listTokensCommand = command({
  name: "token list",
  description: "List the tokens of a user, newest first",
  args: { email: { type: "string", description: "Whose (the only user's)" } },
  run: async ({ email }, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const owner = await findOwner(database, email)
      const tokens = await listTokens(database, owner.id)
      if (tokens.length === 0) return tell(`${owner.email} has no tokens.`)
      const rows = tokens.map(({ id, hint, name, createdAt, lastUsedAt, expiresAt }) => [
        id,
        `...${hint}`,
        printDay(createdAt) ?? "",
        printDay(lastUsedAt) ?? "never",
        printDay(expiresAt) ?? "never",
        name,
      ])
      for (const line of columns([titles, ...rows])) print(line)
    })
  },
})

const titles = ["ID", "ENDS IN", "CREATED", "LAST USED", "EXPIRES", "NAME"]

function printDay(time: Date | null): string | undefined {
  return time?.toISOString().slice(0, 10)
}

/** Revokes one token, or all of a user. */
export const revokeTokensCommand = command({
  name: "token revoke",
  description: "Revoke a token, or all of a user",
  args: {
    id: { type: "string", description: "Id of the token, as `parley token list` shows it" },
    all: { type: "boolean", description: "All tokens of the user" },
    email: { type: "string", description: "Whose, with --all (the only user's)" },
  },
  run: async ({ id, all, email }, environment) => {
    if ((id === undefined) === (all !== true)) {
      throw new Error("Say which token: --id and its id, or --all for all of a user.")
    }
    await withDatabase(environment, async ({ database }) => {
      const selection =
        id === undefined ? { ownerId: (await findOwner(database, email)).id } : { tokenId: id }
      const revoked = await revokeTokens(database, selection)
      if (id !== undefined && revoked.length === 0) {
        throw new Error(`There is no token with the id ${id}.`)
      }
      for (const token of revoked) await notify(database, "token_revoked", token.id)
      const names = revoked.map((token) => `${token.name} (...${token.hint})`).join(", ")
      tell(
        revoked.length === 0
          ? "There was no token to revoke."
          : `Revoked ${names}. Running servers refuse it within 30 seconds.`,
      )
    })
  },
})

/** The user with a mail address, or the only one there is; otherwise it throws a sentence. */
async function findOwner(db: Db, email: string | undefined): Promise<UserRow> {
  const user =
    email === undefined ? await findOnlyUser(db) : await findUserByEmail(db, normaliseEmail(email))
  if (user !== undefined) return user
  throw new Error(
    email === undefined
      ? "There is no single user whose tokens could be meant: name one with --email."
      : `Nobody has the mail address ${email}: make an account with \`parley user create\`.`,
  )
}
