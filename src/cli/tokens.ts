/** parley token: create, generate, list and revoke API tokens. */
import { notify } from "../db/connection/notifications.ts"
import type { Db } from "../db/connection/open.ts"
import { listTokens, revokeTokens } from "../db/people/tokens.ts"
import { findOnlyUser, findUserByEmail, type UserRow } from "../db/people/users.ts"
import { newToken } from "../routers/apiTokens.ts"
import { createToken, normaliseEmail } from "../routers/user/accounts.ts"
import { printTable } from "./columns.ts"
import { command, print, tell } from "./command.ts"
import { withDatabase } from "./withDatabase.ts"

/** Makes a token for an existing user. */
export const createTokenCommand = command({
  name: "token create",
  description: "Create a token, and print it on standard output",
  args: {
    email: { type: "string", description: "Mail address of its user (the only user)" },
    name: { type: "string", description: "Name of the token", default: "Command line" },
    expires: {
      type: "string",
      description: "Date on which it expires, such as 2027-01-31 (never)",
    },
  },
  run: async ({ email, name, expires }, environment) => {
    const expiresAt = expires === undefined ? undefined : futureDate(expires)
    await withDatabase(environment, async ({ database }) => {
      const owner = await findOwner(database, email)
      const { id, token } = await createToken(database, owner.id, { name, expiresAt })
      tell(`Created the token ${id} of ${owner.email}. Keep it: it is shown only once.`)
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

/** Prints a token that belongs to nobody yet, for the PARLEY_BOOTSTRAP_TOKEN of a new machine. */
export const generateTokenCommand = command({
  name: "token generate",
  description: "Print a new token for PARLEY_BOOTSTRAP_TOKEN, without storing it",
  args: {},
  run: async () => print(newToken()),
})

/** Lists the tokens of a user, without their secrets. */
export const listTokensCommand = command({
  name: "token list",
  description: "List the tokens of a user, newest first",
  args: { email: { type: "string", description: "Mail address of its user (the only user)" } },
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
      printTable([titles, ...rows])
    })
  },
})

const titles = ["ID", "ENDS IN", "CREATED", "LAST USED", "EXPIRES", "NAME"]

function printDay(time: Date | null): string | undefined {
  return time?.toISOString().slice(0, 10)
}

/** Revokes one token, or all tokens of a user. */
export const revokeTokensCommand = command({
  name: "token revoke",
  description: "Revoke a token, or all tokens of a user",
  args: {
    id: { type: "string", description: "Id of the token, as `parley token list` shows it" },
    all: { type: "boolean", description: "All tokens of the user" },
    email: { type: "string", description: "Mail address of the user, with --all (the only user)" },
  },
  run: async ({ id, all, email }, environment) => {
    if ((id === undefined) === (all !== true)) {
      throw new Error("Choose a token with --id, or all tokens of a user with --all.")
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
          : `Revoked ${names}. Running servers stop accepting it within 30 seconds.`,
      )
    })
  },
})

/** The user with this mail address, or the only one there is. Throws a sentence if there is none. */
async function findOwner(db: Db, email: string | undefined): Promise<UserRow> {
  const user =
    email === undefined ? await findOnlyUser(db) : await findUserByEmail(db, normaliseEmail(email))
  if (user !== undefined) return user
  throw new Error(
    email === undefined
      ? "There is not exactly one user: choose one with --email."
      : `Nobody has the mail address ${email}: make an account with \`parley user create\`.`,
  )
}
