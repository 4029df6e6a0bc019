/** Reads and writes the sessions of people who signed in with a browser: hashes, owners, and when they end. */
import { sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"
import type { NewRow, Row } from "../schema/tables.ts"
import type { TokenOwner } from "./tokens.ts"

/** A session as its owner may see it: without the hash. */
export type UserSessionRow = Omit<Row<"userSessions">, "secretHash" | "userId">

const shown = ["id", "method", "userAgent", "createdAt", "lastUsedAt", "expiresAt"] as const

/** Max sessions per user; a new one deletes the oldest. */
export const maxSessions = 50

/** Whose a session is; `tokenId` is the id of the session. */
export type SessionOwner = Pick<TokenOwner, "tokenId" | "expiresInMs" | "userId" | "email">

/** Finds the owner of a session. Returns undefined when it is unknown, ended or expired, or its person disabled. */
export async function findSessionOwner(db: Db, hash: Buffer): Promise<SessionOwner | undefined> {
  // Behind every call with a cookie that this process does not remember.
  const text = `select s.id as "tokenId",
  (extract(epoch from s.expires_at - now()) * 1000)::float8 as "expiresInMs",
  u.id as "userId", u.email
from user_sessions s join users u on u.id = s.user_id and u.disabled_at is null
where s.secret_hash = $1 and s.expires_at > now()`
  const rows = await db.run<SessionOwner>({ name: "find_session_owner", text }, [hash])
  return rows[0]
}

/** Stores a session; the oldest of a person who has too many are deleted. */
export async function insertUserSession({ kysely }: Db, session: NewRow<"userSessions">) {
  const { userId } = session
  await sql`delete from user_sessions where id in (
    select id from user_sessions where user_id = ${userId}
    order by created_at desc, id offset ${sql.lit(maxSessions - 1)})`.execute(kysely)
  await kysely.insertInto("userSessions").values(session).execute()
}

/** Lists the sessions of a person that have not ended, newest first. */
export async function listUserSessions({ kysely }: Db, userId: string): Promise<UserSessionRow[]> {
  return await kysely
    .selectFrom("userSessions")
    .select(shown)
    .where("userId", "=", userId)
    .where("expiresAt", ">", sql<Date>`now()`)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute()
}

/** Ends a session of a person for good. Returns it; undefined when they have no such session. */
export async function deleteUserSession(
  { kysely }: Db,
  { id, userId }: { id: string; userId: string },
): Promise<UserSessionRow | undefined> {
  return await kysely
    .deleteFrom("userSessions")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .returning(shown)
    .executeTakeFirst()
}
