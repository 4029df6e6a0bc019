/** Finds whose tokens a command is about. */
import type { Db } from "../db/connection/open.ts"
import { findOnlyUser, findUserByEmail, type UserRow } from "../db/people/users.ts"
import { normaliseEmail } from "../routers/user/accounts.ts"

/** The user with a mail address, or the only user there is; anything else is an error to tell. */
export async function findOwner(db: Db, email: string | undefined): Promise<UserRow> {
  const user = email === undefined ? await findOnlyUser(db) : await findByEmail(db, email)
  if (user !== undefined) return user
  throw new Error(
    email === undefined
      ? "There is no single user whose tokens could be meant: name one with --email."
      : `Nobody has the mail address ${email}: make an account with \`parley user create\`.`,
  )
}

async function findByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return await findUserByEmail(db, normaliseEmail(email))
}
