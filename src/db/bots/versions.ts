/** Keeps drafts as versions, which never change, and reads them. */
import { type SqlBool, sql } from "kysely"
import { batchSize } from "../../lib/batches.ts"
import type { Db } from "../connection/openDatabase.ts"
import { anyText } from "../schema/anyOf.ts"
import type { VersionOrigin } from "../schema/versionTables.ts"
import { type BotChange, type BotRow, updateBot } from "./bots.ts"
import { makeRoom } from "./versionQuota.ts"
import { findWholeBot, withLockedBot } from "./withLockedBot.ts"

/** A flow as a version stores it. */
export type VersionContent = {
  schemaVersion: string
  /** SHA-256 of version and payload; threads, which make it, know no buffers. */
  contentHash: Uint8Array
  /** JSON of a `VersionPayload`. */
  payload: string
}

export type NewVersion = VersionContent & {
  botId: string
  /** Its id, used when no earlier one has this content: a UUIDv7. */
  versionId: string
  /** Null for the bot that the first start of a service publishes. */
  authorId: string | null
  /** Replaces the note of an earlier version with this content; absent: that note stays. */
  note?: string | undefined
  /** Max bytes of all versions of the workspace; absent: unlimited. */
  maxBytes?: number | undefined
}

/** An origin is only replaced by a later one of these: live versions stay in the history. */
const origins: readonly VersionOrigin[] = ["restore", "keep", "publish"]

/**
 * Returns the version of a locked bot with this content: an earlier one, or a new one if there is room. Numbers
 * count from 1 within the bot.
 */
export async function keepVersion(db: Db, made: NewVersion, origin: VersionOrigin) {
  const { kysely } = db
  const { botId, versionId: id, authorId, note, maxBytes, ...flow } = made
  const content = { ...flow, contentHash: Buffer.from(flow.contentHash) }
  const weaker = origins.slice(0, origins.indexOf(origin))
  const known = await kysely
    .updateTable("botVersions")
    .set({
      ...(note !== undefined && { note }),
      origin: sql<VersionOrigin>`case when origin = ${anyText(weaker)} then ${origin} else origin end`,
    })
    .where("botId", "=", botId)
    .where("contentHash", "=", content.contentHash)
    .returning(["id", "number", "origin"])
    .executeTakeFirst()
  // It is kept for as long after the last time as after the first.
  if (known?.origin === "restore") await countAsNew(db, known.id)
  if (known) return known
  const last = await kysely
    .selectFrom("botVersions")
    .select(({ fn }) => fn.max("number").as("number"))
    .where("botId", "=", botId)
    .executeTakeFirst()
  const number = (last?.number ?? 0) + 1
  const row = { id, botId, number, authorId, origin, note: note ?? null, ...content }
  await kysely.insertInto("botVersions").values(row).execute()
  if (maxBytes !== undefined) await makeRoom(db, { botId, versionId: id, maxBytes })
  return { id, number }
}

async function countAsNew({ kysely }: Db, versionId: string): Promise<void> {
  await kysely
    .updateTable("botVersions")
    .set({ createdAt: sql<Date>`now()` })
    .where("id", "=", versionId)
    .execute()
}

/** Keeps a draft as a version. Returns undefined when there is no such bot or it is archived. */
export async function keepDraft(db: Db, draft: NewVersion) {
  return await withLockedBot(db, draft, (locked) => keepVersion(locked, draft, "keep"))
}

/** A draft to replace, and by whom. */
type Replacement = {
  botId: string
  /** Schema version of the draft for which the change was made. */
  version: string
  /** The draft must not have changed since this moment; absent: changes of others are replaced. */
  updatedAt?: Date | undefined
  /** Id and author of the version that keeps the draft, and most bytes of all versions. */
  versionId: string
  authorId: string
  maxBytes?: number | undefined
}

/**
 * Replaces a draft, which is kept as a version first. `replace` gets it as it is, and says how it is
 * kept and what to change. Returns undefined, with nothing written, when the bot is archived or the
 * draft has changed.
 */
export async function replaceDraft(
  db: Db,
  { version, updatedAt, ...kept }: Replacement,
  replace: (draft: BotRow) => Promise<{ content: VersionContent; change: BotChange }>,
): Promise<BotRow | undefined> {
  const { botId } = kept
  return await withLockedBot(db, { botId }, async (locked, bot) => {
    if (bot.version !== version) return undefined
    if (updatedAt !== undefined && bot.updatedAt > updatedAt) return undefined
    const draft = await findWholeBot(locked, botId)
    const { content, change } = await replace(draft)
    await keepVersion(locked, { ...content, ...kept }, "restore")
    return await updateBot(locked, { botId, version }, change)
  })
}

export type ListedVersion = {
  id: string
  number: number
  createdAt: Date
  note: string | null
  origin: VersionOrigin
  /** Null: the account is gone, or there was none. */
  authorId: string | null
  authorName: string | null
  authorEmail: string | null
  isLive: boolean
  /** When it last went live; null: never. */
  liveFrom: Date | null
  liveUntil: Date | null
}

export type VersionAddress = { botId: string; number: number }

/** Which versions to list: those below a number; absent: from the newest on. */
type VersionListing = { botId: string; before?: number | undefined; limit: number }

/** Lists versions, newest first, without their flows. */
export async function listVersions(db: Db, { botId, before, limit }: VersionListing) {
  const { rows } = await sql<ListedVersion>`select v.id, v.number, v.created_at as "createdAt",
    v.note, v.origin, u.id as "authorId", u.name as "authorName", u.email as "authorEmail",
    live.bot_id is not null as "isLive",
    coalesce(first.at, live.updated_at) as "liveFrom",
    case when live.bot_id is null then next.at end as "liveUntil"
  from bot_versions v
  left join users u on u.id = v.author_id
  left join published_bots live on live.version_id = v.id
  left join lateral (
    select max(at) as at from publications where version_id = v.id
  ) last on true
  left join lateral (
    select at from publications
    where bot_id = v.bot_id and at < last.at and version_id is distinct from v.id
    order by at desc limit 1
  ) other on true
  left join lateral (
    select min(at) as at from publications
    where bot_id = v.bot_id and at > coalesce(other.at, '-infinity') and at <= last.at
  ) first on true
  left join lateral (
    select min(at) as at from publications where bot_id = v.bot_id and at > last.at
  ) next on true
  where v.bot_id = ${botId} and ${isBefore(before)}
  order by v.number desc limit ${limit}`.execute(db.kysely)
  return rows
}

function isBefore(number: number | undefined) {
  // A caller's number may be too large for the column.
  return number === undefined ? sql<SqlBool>`true` : sql<SqlBool>`v.number < ${number}::bigint`
}

export type VersionRow = NonNullable<Awaited<ReturnType<typeof findVersion>>>

/** Finds a version with its flow. Returns undefined when the bot has none with this number. */
export async function findVersion(db: Db, { botId, number }: VersionAddress) {
  return await db.kysely
    .selectFrom("botVersions")
    .select(["id", "createdAt", "origin", "schemaVersion", "payload"])
    .where("botId", "=", botId)
    .where("number", "=", number)
    .executeTakeFirst()
}

export type FlowRow = NonNullable<Awaited<ReturnType<typeof findFlow>>>

/** Reads the flow of a version. Returns undefined when it is gone. */
export async function findFlow(db: Db, versionId: string) {
  return await db.kysely
    .selectFrom("botVersions")
    .select(["botId", "schemaVersion", "payload"])
    .where("id", "=", versionId)
    .executeTakeFirst()
}

/** Lists versions of other bots in the workspace of a bot, each bot's newest first. */
export async function listVersionsBeside(
  db: Db,
  { botId, otherIds, limit }: { botId: string; otherIds: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("botVersions")
    .innerJoin("bots", "bots.id", "botVersions.botId")
    .select("botVersions.id")
    .where("bots.id", "in", [...otherIds])
    .where(
      "bots.workspaceId",
      "=",
      sql<string>`(select workspace_id from bots where id = ${botId})`,
    )
    .orderBy("bots.id")
    .orderBy("botVersions.number", "desc")
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The numbers of versions by their ids; those of versions that are gone are missing. */
export async function findVersionNumbers(
  db: Db,
  versionIds: readonly string[],
): Promise<Map<string, number>> {
  if (versionIds.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom("botVersions")
    .select(["id", "number"])
    .where("id", "in", [...new Set(versionIds)])
    .execute()
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/**
 * Deletes drafts that a restore replaced before a moment, and that were neither published nor kept on
 * request since; at most a batch. Returns how many were deleted.
 */
export async function purgeReplacedDrafts(db: Db, before: Date): Promise<number> {
  // The origin is checked again: one may have been kept while this waited for its row.
  const { numAffectedRows } = await sql`
    delete from bot_versions where origin = 'restore' and id in (
      select id from bot_versions v where origin = 'restore' and created_at < ${before}
        and not exists (select from published_bots where version_id = v.id)
        and not exists (select from publications where version_id = v.id)
      order by id limit ${sql.lit(batchSize)})`.execute(db.kysely)
  return Number(numAffectedRows ?? 0n)
}
