/** Reads which version of a bot is published. */
import { sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"
import type { Row } from "../schema/tables.ts"
import type { VersionPayload } from "../schema/versionTables.ts"
import { type BotRequest, botWithFacts } from "./bots.ts"

/** The published version of a bot. */
export type PublicationRow = {
  id: string
  /** Of the first publication since the bot was last unpublished. */
  createdAt: Date
  /** Of the latest publication. */
  updatedAt: Date
  schemaVersion: Row<"botVersions">["schemaVersion"]
  payload: VersionPayload
}

/**
 * Finds a bot's publication and the facts about the bot. Returns undefined when there is no such
 * bot.
 */
export async function findPublication(db: Db, request: BotRequest) {
  const row = await botWithFacts(db, request)
    .leftJoin("publishedBots", "publishedBots.botId", "bots.id")
    .leftJoin("botVersions", "botVersions.id", "publishedBots.versionId")
    .select([
      "publishedBots.id as publishedBotId",
      "publishedBots.createdAt as publishedAt",
      "publishedBots.updatedAt as republishedAt",
      "botVersions.schemaVersion",
      "botVersions.payload",
    ])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { publishedBotId: id, publishedAt, republishedAt, schemaVersion, payload, ...facts } = row
  const found = { id, createdAt: publishedAt, updatedAt: republishedAt, schemaVersion, payload }
  // The join finds all of these columns or none.
  return { ...facts, publication: id === null ? undefined : (found as PublicationRow) }
}

/** Facts for a chat page. Returns undefined when no published bot has the public id. */
export async function findChatPage(db: Db, publicId: string) {
  return await db.kysely
    .selectFrom("bots")
    .innerJoin("publishedBots", "publishedBots.botId", "bots.id")
    .innerJoin("workspaces", "workspaces.id", "bots.workspaceId")
    .select(["bots.name", "bots.icon", "publishedBots.versionId", "workspaces.isSuspended"])
    .select(sql<boolean>`(bots.is_closed or bots.closed_reason is not null)`.as("isClosed"))
    .where("bots.publicId", "=", publicId)
    .where("bots.isArchived", "=", false)
    .executeTakeFirst()
}
