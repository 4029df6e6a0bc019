/** Reads and writes API tokens: their hashes, who owns them, and when they end. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { NewRow, Row } from "../schema/tables.ts"

/** A token as its owner may see it: without the hash. */
export type TokenRow = Omit<Row<"apiTokens">, "tokenHash" | "ownerId" | "revokedAt">

/** A token and the user that it acts for. */
export type TokenOwner = {
  tokenId: string
  /** By the database's clock, which all processes share; null: never. */
  expiresInMs: number | null
  userId: string
  email: string
} & Pick<Row<"apiTokens">, "scopes" | "workspaceId" | "botIds" | "expiresAt">

const shown = [
  "id",
  "name",
  "hint",
  "scopes",
  "workspaceId",
  "botIds",
  "createdAt",
  "lastUsedAt",
  "expiresAt",
] as const

/** Finds the owner of a token. Returns undefined when it is unknown, revoked or expired, or its owner disabled. */
export async function findTokenOwner(db: Db, hash: Buffer): Promise<TokenOwner | undefined> {
  // Behind every call with a token that this process does not remember.
  const text = `select t.id as "tokenId",
  (extract(epoch from t.expires_at - now()) * 1000)::float8 as "expiresInMs",
  u.id as "userId", u.email, t.scopes, t.workspace_id as "workspaceId", t.bot_ids as "botIds",
  t.expires_at as "expiresAt"
from api_tokens t join users u on u.id = t.owner_id and u.disabled_at is null
where t.token_hash = $1 and t.revoked_at is null
  and (t.expires_at is null or t.expires_at > now())`
  const rows = await db.run<TokenOwner>({ name: "find_token_owner", text }, [hash])
  return rows[0]
}

export async function insertToken(db: Source, token: NewRow<"apiTokens">): Promise<TokenRow> {
  return await db.kysely
    .insertInto("apiTokens")
    .values(token)
    .returning(shown)
    .executeTakeFirstOrThrow()
}

export async function countTokens(db: Source, ownerId: string): Promise<number> {
  const { count } = await db.kysely
    .selectFrom("apiTokens")
    .where("ownerId", "=", ownerId)
    .where("revokedAt", "is", null)
    .select(sql<string>`count(*)`.as("count"))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns those of the given ids that belong to bots, or to workspaces. */
export async function listKnownIds(db: Db, table: "bots" | "workspaces", ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db.kysely.selectFrom(table).select("id").where("id", "in", ids).execute()
  return rows.map(({ id }) => id)
}

/** Lists the tokens of a user, newest first: expired ones too, but not revoked ones. */
export async function listTokens(db: Db, ownerId: string): Promise<TokenRow[]> {
  return await db.kysely
    .selectFrom("apiTokens")
    .select(shown)
    .where("ownerId", "=", ownerId)
    .where("revokedAt", "is", null)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute()
}

/** Which tokens to revoke: one, all of a user, or one of a user. */
export type TokenSelection = { tokenId: string; ownerId?: string } | { ownerId: string }

/** Revokes tokens for good. Returns them, without those that were revoked before. */
export async function revokeTokens(db: Db, selection: TokenSelection): Promise<TokenRow[]> {
  let query = db.kysely
    .updateTable("apiTokens")
    .set({ revokedAt: sql<Date>`now()` })
    .where("revokedAt", "is", null)
  if ("tokenId" in selection) query = query.where("id", "=", selection.tokenId)
  if (selection.ownerId !== undefined) query = query.where("ownerId", "=", selection.ownerId)
  return await query.returning(shown).execute()
}

export type TokenUse = { tokenId: string; usedAt: Date }

/** Uses of tokens and of browser sessions. */
type Used = "api_tokens" | "user_sessions"

/** Records when each was last used; uses within a minute of each other count as one. */
export async function saveUses(db: Db, table: Used, uses: readonly TokenUse[]): Promise<void> {
  const ids = uses.map(({ tokenId }) => tokenId)
  const times = uses.map(({ usedAt }) => usedAt.toISOString())
  const before = uses.map(({ usedAt }) => new Date(usedAt.getTime() - 60_000).toISOString())
  const text = `update ${table} t set last_used_at = u.used_at
from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as u (id, used_at, minute_before)
where t.id = u.id and (t.last_used_at is null or t.last_used_at <= u.minute_before)`
  await db.run({ name: `save_${table}_uses`, text }, [ids, times, before])
}
