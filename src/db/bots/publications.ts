/** Changes which version of a bot is live, and keeps the history of these changes. */
import { sql } from "kysely"
import { endPreviewsOf } from "../chats/previews.ts"
import type { Db } from "../connection/openDatabase.ts"
import { type BotEventRow, insertBotEvent } from "../events/outbox.ts"
import type { PublicationKind } from "../schema/versionTables.ts"
import { archiveBot, nextRevision } from "./bots.ts"
import { insertEdit } from "./edits.ts"
import { keepVersion, type NewVersion, type VersionAddress } from "./versions.ts"
import { withLockedBot } from "./withLockedBot.ts"

export type NewPublication = NewVersion &
  Pick<LiveEntry, "publishedBotId" | "eventOf"> & {
    /** Public id to give to a bot that has none. */
    publicId: string
  }

/** The outcome of a publication. */
export type Published = {
  /** The version that runs now. */
  versionId: string
  /** Counts from 1 within the bot. */
  number: number
  publicId: string
}

/**
 * Publishes a bot: makes a version unless one has this content, gives it a public id unless it has
 * one, and has new chats run the version. Returns undefined when there is no such bot or it is
 * archived.
 */
export async function publish(db: Db, made: NewPublication): Promise<Published | undefined> {
  const { publishedBotId, publicId: freePublicId, eventOf, ...version } = made
  const { botId } = version
  return await withLockedBot(db, { botId }, async (locked, bot) => {
    const { id: versionId, number } = await keepVersion(locked, version, "publish")
    const publicId = bot.publicId ?? freePublicId
    if (bot.publicId === null) await giveAddress(locked, { botId, publicId })
    const went = { versionId, number, publishedBotId, eventOf }
    await putLive(locked, { ...version, ...went, kind: "publish" })
    return { versionId, number, publicId }
  })
}

/** An edit like others, so that it conflicts with none; without an author, so it cannot be undone. */
async function giveAddress(locked: Db, { botId, publicId }: { botId: string; publicId: string }) {
  const { revision } = await locked.kysely
    .updateTable("bots")
    .set({ publicId, revision: nextRevision })
    .where("id", "=", botId)
    .returning("revision")
    .executeTakeFirstOrThrow()
  await insertEdit(locked, {
    botId,
    revision,
    kind: "edit",
    target: null,
    authorId: null,
    edits: [{ type: "bot.set", publicId }],
    inverses: [{ type: "bot.set", publicId: null }],
    elements: ["bot.publicId"],
  })
}

/** Has new chats run a version that was live before. Returns false when the bot is archived. */
export async function rollBack(db: Db, made: Omit<LiveEntry, "kind">): Promise<boolean> {
  const isDone = await withLockedBot(db, made, async (locked) => {
    await putLive(locked, { ...made, kind: "rollback" })
    return true
  })
  return isDone ?? false
}

/** Names a bot and who changes it. */
type BotAuthor = { botId: string; authorId: string }

/** Unpublishes a bot; its versions stay. Returns false when it was not published. */
export async function unpublish(db: Db, made: BotAuthor): Promise<boolean> {
  return (await withLockedBot(db, made, (locked) => takeOff(locked, made))) ?? false
}

/** Unpublishes and archives a bot, in the bin or not, and ends its previews. Returns false when there is nothing to archive. */
export async function unpublishAndArchive(db: Db, made: BotAuthor): Promise<boolean> {
  const isDone = await withLockedBot(db, { botId: made.botId, alsoInBin: true }, async (locked) => {
    await takeOff(locked, made)
    await archiveBot(locked, made.botId)
    await endPreviewsOf(locked, made.botId)
    return true
  })
  return isDone ?? false
}

/** An entry of the history that names a version. */
type LiveEntry = VersionAddress & {
  kind: Exclude<PublicationKind, "unpublish">
  /** Id of the publication, used unless the bot is published already: 24 characters. */
  publishedBotId: string
  versionId: string
  authorId: string | null
  note?: string | undefined
  /** Makes the webhook event that is written with it. Absent: no event. */
  eventOf?: ((version: { number: number }) => BotEventRow) | undefined
}

async function putLive(locked: Db, entry: LiveEntry): Promise<void> {
  const { publishedBotId: id, botId, versionId, kind, authorId, note = null } = entry
  const at = await nextMoment(locked, botId)
  await locked.kysely
    .insertInto("publishedBots")
    .values({ id, botId, versionId, createdAt: at, updatedAt: at })
    .onConflict((conflict) =>
      conflict.column("botId").doUpdateSet(({ ref }) => ({
        versionId: ref("excluded.versionId"),
        updatedAt: ref("excluded.updatedAt"),
      })),
    )
    .execute()
  const row = { botId, at, kind, versionId, authorId, note }
  await locked.kysely.insertInto("publications").values(row).execute()
  if (entry.eventOf) await insertBotEvent(locked, entry.eventOf(entry))
}

async function takeOff(locked: Db, { botId, authorId }: BotAuthor): Promise<boolean> {
  const at = await nextMoment(locked, botId)
  const result = await locked.kysely
    .deleteFrom("publishedBots")
    .where("botId", "=", botId)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) return false
  const row = { botId, at, kind: "unpublish" as const, versionId: null, authorId, note: null }
  await locked.kysely.insertInto("publications").values(row).execute()
  return true
}

/** The time of the next entry: later than all other entries of the bot, even if the clock was set back. */
async function nextMoment(locked: Db, botId: string): Promise<Date> {
  const next = sql<Date>`greatest(clock_timestamp(), max(at) + interval '1 millisecond')`
  const { at } = await locked.kysely
    .selectFrom("publications")
    .select(sql<Date>`${next}::timestamptz(3)`.as("at"))
    .where("botId", "=", botId)
    .executeTakeFirstOrThrow()
  return at
}

/** An entry of the history; no number: unpublished; no author: not known, or the account is gone. */
export type PublicationRow = Awaited<ReturnType<typeof listPublications>>[number]

/** The part of a history to list: before or after a moment; absent: from the newest entry. */
type PublicationListing = {
  botId: string
  before?: Date | undefined
  after?: Date | undefined
  limit: number
}

export async function listPublications(
  db: Db,
  { botId, before, after, limit }: PublicationListing,
) {
  let query = db.kysely
    .selectFrom("publications as p")
    .leftJoin("botVersions as v", "v.id", "p.versionId")
    .leftJoin("users as u", "u.id", "p.authorId")
    .select(["p.at", "p.kind", "v.number", "p.note"])
    .select(["u.id as authorId", "u.name as authorName", "u.email as authorEmail"])
    .where("p.botId", "=", botId)
    .orderBy("p.at", "desc")
    .limit(limit)
  if (before !== undefined) query = query.where("p.at", "<", before)
  if (after !== undefined) query = query.where("p.at", ">", after)
  return await query.execute()
}
