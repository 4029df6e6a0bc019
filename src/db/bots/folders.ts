/** Reads and writes the folders of a workspace. */
import { sql } from "kysely"
import type { Source } from "../connection/openDatabase.ts"
import type { NewRow, Row } from "../schema/tables.ts"

export type FolderRow = Row<"folders">

type FolderAddress = { workspaceId: string; folderId: string }

/** Lists the folders of a workspace by name; for a guest those with bots that are shared with them. */
export async function listFolders(db: Source, workspaceId: string, guestId?: string) {
  let query = db.kysely
    .selectFrom("folders")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("name")
    .orderBy("id")
  if (guestId !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("bots")
          .innerJoin("botCollaborators", "botCollaborators.botId", "bots.id")
          .select("bots.id")
          .whereRef("bots.folderId", "=", "folders.id")
          .where("bots.isArchived", "=", false)
          .where("botCollaborators.userId", "=", guestId),
      ),
    )
  }
  return await query.execute()
}

export async function hasFolder(db: Source, { workspaceId, folderId }: FolderAddress) {
  const row = await db.kysely
    .selectFrom("folders")
    .select("id")
    .where("id", "=", folderId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertFolder(db: Source, folder: NewRow<"folders">): Promise<FolderRow> {
  return await db.kysely
    .insertInto("folders")
    .values(folder)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a folder; undefined members stay. Returns undefined when the workspace has none of this id. */
export async function updateFolder(
  db: Source,
  { workspaceId, folderId }: FolderAddress,
  changes: { name?: string | undefined; parentFolderId?: string | null | undefined },
): Promise<FolderRow | undefined> {
  return await db.kysely
    .updateTable("folders")
    .set({ ...changes, updatedAt: sql<Date>`now()` })
    .where("id", "=", folderId)
    .where("workspaceId", "=", workspaceId)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a folder of a workspace; its contents move to the parent folder. */
export async function dissolveFolder(
  db: Source,
  { workspaceId, id, parentFolderId }: Pick<FolderRow, "workspaceId" | "id" | "parentFolderId">,
): Promise<void> {
  // First, so that no bot comes in after those that are moved: the deletion would take it to the root.
  await db.kysely.selectFrom("folders").select("id").where("id", "=", id).forUpdate().execute()
  await db.kysely
    .updateTable("folders")
    .set({ parentFolderId })
    .where("parentFolderId", "=", id)
    .where("workspaceId", "=", workspaceId)
    .execute()
  await db.kysely
    .updateTable("bots")
    .set({ folderId: parentFolderId })
    .where("folderId", "=", id)
    .where("workspaceId", "=", workspaceId)
    .execute()
  await db.kysely
    .deleteFrom("folders")
    .where("id", "=", id)
    .where("workspaceId", "=", workspaceId)
    .execute()
}

/** Which bots of a workspace to move, and where to; null: into no folder. */
type BotMove = { workspaceId: string; botIds: readonly string[]; folderId: string | null }

/** Moves bots to a folder, which leaves their drafts as they are. Returns how many there were. */
export async function moveBots(db: Source, { workspaceId, botIds, folderId }: BotMove) {
  const result = await db.kysely
    .updateTable("bots")
    .set({ folderId })
    .where("id", "in", botIds)
    .where("workspaceId", "=", workspaceId)
    .where("isArchived", "=", false)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
