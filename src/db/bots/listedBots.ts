/** Lists the bots of a workspace, without their flows. */
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { maxBytes } from "../../lib/responseSize.ts"
import type { Db } from "../connection/openDatabase.ts"
import { hasInAnySpelling } from "../results/anySpelling.ts"
import { isRestorable } from "./bin.ts"

export type ListedBot = Awaited<ReturnType<typeof listBots>>[number]

/** The newest first, those first that were changed last, or by name. */
export type BotOrder = "createdAt" | "updatedAt" | "name"

/**
 * Columns by order. No index has `updated_at`: each change of a draft would have to write to it, and a
 * workspace has few enough bots to sort them.
 */
const columns: Readonly<Record<BotOrder, RawBuilder<Date | string>>> = {
  createdAt: sql`bots.created_at`,
  updatedAt: sql`bots.updated_at`,
  // As much of it as lists show.
  name: sql`lower(left(bots.name, 100))`,
}

/**
 * About how many bytes of a list come before a bot. All but its icon is short; that may be a picture, and
 * a list is read no further than an answer holds.
 */
export function bytesBefore(order: RawBuilder<unknown>) {
  return sql<number | null>`sum(200 + coalesce(octet_length(bots.icon), 0)) over (
    order by ${order} rows between unbounded preceding and 1 preceding)`.as("bytesBefore")
}

/** Whether some of a bot is in the answer, or it is the first that is not. */
export const isRead = sql<SqlBool>`coalesce(bytes_before, 0) <= ${sql.lit(maxBytes)}`

export type BotListing = {
  workspaceId: string
  userId: string
  /** Whether to list those in the bin, instead of the others. */
  isInBin: boolean
  /** Only bots that the user collaborates on. */
  isGuest: boolean
  /** Null: those in no folder; absent: all. */
  folderId?: string | null | undefined
  /** Only bots with this in their names, in upper or lower case. */
  search?: string | undefined
  order: BotOrder
  /** Only bots that come after this one. */
  after?: { id: string; orderedBy: Date | string } | undefined
  limit?: number | undefined
}

/** The bots of a workspace that are not archived, or those in the bin, in an order. */
export async function listBots(db: Db, listing: BotListing) {
  const { workspaceId, userId, isInBin, isGuest, folderId, search, order, after, limit } = listing
  const column = columns[order]
  const direction = order === "name" ? "asc" : "desc"
  const way = sql.raw(direction)
  let query = db.kysely
    .selectFrom("bots")
    .leftJoin("publishedBots", "publishedBots.botId", "bots.id")
    .leftJoin("botCollaborators as c", (join) =>
      join.onRef("c.botId", "=", "bots.id").on("c.userId", "=", userId),
    )
    .where("bots.workspaceId", "=", workspaceId)
    // Written as in the indexes: the planner does not accept `= $n` as proof.
    .where(isInBin ? isRestorable : sql<SqlBool>`not bots.is_archived`)
    .select([
      "bots.id",
      "bots.name",
      "bots.icon",
      "bots.createdAt",
      "bots.updatedAt",
      "bots.publicId",
      "bots.folderId",
      "bots.isClosed",
      // When it was moved to the bin; null: it is not there.
      "bots.archivedAt as deletedAt",
      // Null: not published.
      "publishedBots.id as publishedBotId",
      "c.type as collaboration",
      column.as("orderedBy"),
      bytesBefore(sql`${column} ${way}, bots.id ${way}`),
    ])
    .orderBy(column, direction)
    .orderBy("bots.id", direction)
  if (isGuest) query = query.where("c.type", "is not", null)
  if (folderId !== undefined) query = query.where("bots.folderId", "is not distinct from", folderId)
  if (search) query = query.where(hasInAnySpelling(sql`bots.name`, search))
  if (after !== undefined) {
    const isLater = sql.raw(direction === "asc" ? ">" : "<")
    query = query.where(
      sql<SqlBool>`(${column}, bots.id) ${isLater} (${after.orderedBy}, ${after.id})`,
    )
  }
  if (limit !== undefined) query = query.limit(limit)
  return await db.kysely
    .selectFrom(query.as("listed"))
    .selectAll()
    .where(isRead)
    .orderBy("orderedBy", direction)
    .orderBy("id", direction)
    .execute()
}
