/** Finds the user whom a command is about. */
import type { Db } from "../db/connection/openDatabase.ts"
import { findUserByEmail, listEldestUsers, type UserRow } from "../db/people/users.ts"
import { plainEmail } from "../people/mailAddress.ts"

const maxNamed = 10

/**
 * The user with this mail address, or the only one there is. Throws a sentence if there is none, and for a
 * disabled one.
 */
export async function findOwner(db: Db, email: string | undefined): Promise<UserRow> {
  const user = email === undefined ? await onlyUser(db) : await findAnyUser(db, email)
  if (user.disabledAt === null) return user
  throw new Error(
    `The account of ${user.email} is disabled: enable it with \`parley user enable ${user.email}\`.`,
  )
}

/** The user with this mail address, disabled or not. Throws a sentence if there is none. */
export async function findAnyUser(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, plainEmail(email))
  if (user !== undefined) return user
  throw new Error(
    `No user has the mail address ${email}: make an account with \`parley user create --email ${email}\`.`,
  )
}

async function onlyUser(db: Db): Promise<UserRow> {
  const [first, ...others] = await listEldestUsers(db, maxNamed + 1)
  if (first && others.length === 0) return first
  if (!first) throw new Error("There are no users: make one with `parley user create --email`.")
  const named = [first, ...others].slice(0, maxNamed).map(({ email }) => `\n- ${email}`)
  const more = others.length >= maxNamed ? "\n- and more: see `parley user list`" : ""
  throw new Error(`There is not exactly one user: choose one with --email:${named.join("")}${more}`)
}
