/** Reads and writes users, and creates the account that a new user starts with. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { NewRow, Row, RowChange } from "../schema/tables.ts"
import { insertMember } from "./members.ts"
import { insertToken } from "./tokens.ts"

export type UserRow = Row<"users">

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return await db.kysely.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst()
}

/** Finds a user by email address, stored in lower case. Returns undefined when there is none. */
export async function findUserByEmail(db: Source, email: string): Promise<UserRow | undefined> {
  return await db.kysely
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirst()
}

/** Lists the users whose accounts are not disabled, oldest first, at most `limit`. */
export async function listEldestUsers(db: Db, limit: number): Promise<UserRow[]> {
  return await db.kysely
    .selectFrom("users")
    .selectAll()
    .where("disabledAt", "is", null)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(limit)
    .execute()
}

/** Whether there is an account. */
export async function hasUsers(db: Source): Promise<boolean> {
  const row = await db.kysely.selectFrom("users").select("id").limit(1).executeTakeFirst()
  return row !== undefined
}

/** Changes to a user; undefined members stay as they are. */
type UserChanges = Pick<RowChange<"users">, "name" | "image"> & {
  /** Members to merge into the stored ones; null removes one. */
  preferences: Readonly<Record<string, string | null | undefined>>
}

/** Changes a user. Returns undefined when there is no such user. */
export async function updateUser(db: Db, id: string, { preferences, ...changes }: UserChanges) {
  const merged = sql<string>`jsonb_strip_nulls(preferences || ${JSON.stringify(preferences)}::jsonb)`
  return await db.kysely
    .updateTable("users")
    .set({ ...changes, preferences: merged, updatedAt: sql<Date>`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst()
}

/** Runs a change of a user in a transaction. Changes of one user run one after the other. */
export async function withUser<Result>(
  db: Db,
  userId: string,
  change: (locked: Source) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(db, async (kysely) => {
    // Not `for update`: new members refer to the user, and may hold a lock that this waits for.
    await sql`select id from users where id = ${userId} for no key update`.execute(kysely)
    return await change({ kysely })
  })
}

/** Creates a user without a workspace. Returns false when the address has an account. */
export async function insertUser(
  db: Source,
  user: Pick<NewRow<"users">, "id" | "email" | "name" | "emailVerifiedAt" | "isOperator">,
): Promise<boolean> {
  const made = await db.kysely
    .insertInto("users")
    .values(user)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst()
  return made !== undefined
}

/** A user, the workspace that they administer, and a token of theirs. The first user is always an operator. */
export type NewAccount = {
  user: Pick<NewRow<"users">, "id" | "email" | "name" | "isOperator">
  workspace: Pick<NewRow<"workspaces">, "id" | "name" | "plan">
  token: Omit<NewRow<"apiTokens">, "ownerId">
}

/**
 * Creates an account as a whole; invitations to its email address wait for it. Returns false, with
 * nothing created, when the address already has one.
 */
export async function insertAccount(db: Db, account: NewAccount): Promise<boolean> {
  return await inTransaction(db, async (kysely) => await insertParts({ kysely }, account))
}

/**
 * Creates the first account of an empty service as a whole. Returns false, with nothing created, when
 * there is one. If several processes call it at once, only one creates it.
 */
export async function insertFirstAccount(db: Db, account: NewAccount): Promise<boolean> {
  // Checked without the lock first: every start but the first ends here.
  if (await hasUsers(db)) return false
  return await inTransaction(db, async (kysely) => {
    // Waits for other writers of users, and keeps them out until this transaction ends.
    await sql`lock table users in share row exclusive mode`.execute(kysely)
    if (await hasUsers({ kysely })) return false
    return await insertParts({ kysely }, account)
  })
}

async function insertParts(db: Source, { user, workspace, token }: NewAccount): Promise<boolean> {
  const isOperator = user.isOperator ?? !(await hasUsers(db))
  if (!(await insertUser(db, { ...user, isOperator }))) return false
  await db.kysely
    .insertInto("workspaces")
    .values({ ...workspace, creatorId: user.id })
    .execute()
  await insertMember(db, { workspaceId: workspace.id, userId: user.id, role: "ADMIN" })
  await insertToken(db, { ...token, ownerId: user.id })
  return true
}
