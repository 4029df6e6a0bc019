/** Lists the bots of a workspace, without their flows. */
import { type SqlBool, sql } from "kysely"
import type { Db } from "../connection/open.ts"
import type { CollaborationType } from "../schema/tables.ts"
import type { BotRow } from "./bots.ts"

/** A line of a list of bots. */
export type ListedBot = Pick<
  BotRow,
  "id" | "name" | "icon" | "createdAt" | "updatedAt" | "publicId" | "folderId"
> & {
  /** Null: not published. */
  publishedBotId: string | null
  collaboration: CollaborationType | null
}

/** Which bots of a workspace to list. */
export type BotListing = {
  workspaceId: string
  userId: string
  /** Only bots that the user collaborates on. */
  isGuest: boolean
  /** Null: those in no folder; absent: all. */
  folderId?: string | null | undefined
  /** Only bots older than this one. */
  after?: Pick<BotRow, "id" | "createdAt"> | undefined
  limit?: number | undefined
}

/** The bots of a workspace that are not archived, newest first. */
export async function listBots(db: Db, listing: BotListing): Promise<ListedBot[]> {
  const { workspaceId, userId, isGuest, folderId, after, limit } = listing
  let query = db.kysely
    .selectFrom("bots")
    .leftJoin("publishedBots", "publishedBots.botId", "bots.id")
    .leftJoin("botCollaborators", (join) =>
      join
        .onRef("botCollaborators.botId", "=", "bots.id")
        .on("botCollaborators.userId", "=", userId),
    )
    .where("bots.workspaceId", "=", workspaceId)
    .where("bots.isArchived", "=", false)
    .select([
      "bots.id",
      "bots.name",
      "bots.icon",
      "bots.createdAt",
      "bots.updatedAt",
      "bots.publicId",
      "bots.folderId",
      "publishedBots.id as publishedBotId",
      "botCollaborators.type as collaboration",
    ])
    .orderBy("bots.createdAt", "desc")
    .orderBy("bots.id", "desc")
  if (isGuest) query = query.where("botCollaborators.type", "is not", null)
  if (folderId !== undefined) query = query.where("bots.folderId", "is not distinct from", folderId)
  if (after !== undefined) {
    query = query.where(
      sql<SqlBool>`(bots.created_at, bots.id) < (${after.createdAt}, ${after.id})`,
    )
  }
  if (limit !== undefined) query = query.limit(limit)
  return await query.execute()
}
