/** Finds the user whom a command is about. */
import type { Db } from "../db/connection/open.ts"
import { findOnlyUser, findUserByEmail, type UserRow } from "../db/people/users.ts"
import { plainEmail } from "../routers/mailAddress.ts"

/** The user with this mail address, or the only one there is. Throws a sentence if there is none. */
export async function findOwner(db: Db, email: string | undefined): Promise<UserRow> {
  const user =
    email === undefined ? await findOnlyUser(db) : await findUserByEmail(db, plainEmail(email))
  if (user !== undefined) return user
  throw new Error(
    email === undefined
      ? "There is not exactly one user: choose one with --email."
      : `Nobody has the mail address ${email}: make an account with \`parley user create\`.`,
  )
}
