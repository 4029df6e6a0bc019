/** parley token revoke */
import type { Db } from "../db/connection/open.ts"
import { notifyTokenRevoked, revokeTokens, type TokenRow } from "../db/people/tokens.ts"
import { command, tell } from "./command.ts"
import { findOwner } from "./owner.ts"
import { withDatabase } from "./withDatabase.ts"

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
      const revoked =
        id === undefined ? await revokeAll(database, email) : await revokeOne(database, id)
      for (const token of revoked) await notifyTokenRevoked(database, token.id)
      const names = revoked.map((token) => `${token.name} (...${token.hint})`).join(", ")
      tell(
        revoked.length === 0
          ? "There was no token to revoke."
          : `Revoked ${names}. Running servers refuse it within 30 seconds.`,
      )
    })
  },
})

async function revokeAll(db: Db, email: string | undefined): Promise<TokenRow[]> {
  const owner = await findOwner(db, email)
  return await revokeTokens(db, { ownerId: owner.id })
}

async function revokeOne(db: Db, tokenId: string): Promise<TokenRow[]> {
  const revoked = await revokeTokens(db, { tokenId })
  if (revoked.length === 0) throw new Error(`There is no token with the id ${tokenId}.`)
  return revoked
}
