/** Makes versions: immutable copies of what a bot was when it was published. */
import { sql } from "kysely"
import type { Db } from "../connection/open.ts"

/** A version to publish. */
export type NewPublication = {
  botId: string
  /** Id of the version, used when no earlier one has this content: a UUIDv7. */
  versionId: string
  /** Id of the publication, used when the bot is not published: 24 characters. */
  publishedBotId: string
  /** Null for the bot that the first start of a service publishes. */
  authorId: string | null
  schemaVersion: string
  /** SHA-256 of version and payload. */
  contentHash: Buffer
  /** JSON of a `VersionPayload`. */
  payload: string
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
 * Publishes a bot in one statement: a version unless one has this content, a public id unless the
 * bot has one, and the pointer to the version. Returns undefined, with nothing written, when the
 * bot is archived or another publication of it ran at the same time and won.
 */
export async function publish(db: Db, made: NewPublication): Promise<Published | undefined> {
  const { rows } = await sql<Published>`with bot as (
    select id from bots where id = ${made.botId} and not is_archived for update
  ), known as (
    select v.id, v.number from bot_versions v join bot on bot.id = v.bot_id
    where v.content_hash = ${made.contentHash}
  ), made as (
    insert into bot_versions
      (id, bot_id, number, author_id, schema_version, content_hash, payload)
    select ${made.versionId}::uuid, bot.id,
      (select coalesce(max(number), 0) + 1 from bot_versions where bot_id = bot.id),
      ${made.authorId}, ${made.schemaVersion}, ${made.contentHash}, ${made.payload}::jsonb
    from bot where not exists (select from known)
    on conflict do nothing
    returning id, number
  ), version as (
    select id, number from known union all select id, number from made
  ), addressed as (
    update bots set public_id = coalesce(public_id, ${made.publicId})
    from version where bots.id = ${made.botId}
    returning public_id
  ), pointed as (
    insert into published_bots (id, bot_id, version_id)
    select ${made.publishedBotId}, ${made.botId}, version.id from version
    on conflict (bot_id) do update set version_id = excluded.version_id, updated_at = now()
    returning version_id
  )
  select version.id as "versionId", version.number, addressed.public_id as "publicId"
  from version, addressed, pointed`.execute(db.kysely)
  return rows[0]
}
