/** parley token create */
import { createToken } from "../routers/user/accounts.ts"
import { command, print, tell } from "./command.ts"
import { findOwner } from "./owner.ts"
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
      const { tokenId, token } = await createToken(database, owner.id, { name, expiresAt })
      tell(`Created the token ${tokenId} of ${owner.email}. Keep it: it is shown this once.`)
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
