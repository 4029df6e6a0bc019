/** Looks up folders of a workspace. */
import type { Db } from "../connection/open.ts"

/** Whether a workspace has a folder of that id. */
export async function hasFolder(
  db: Db,
  { workspaceId, folderId }: { workspaceId: string; folderId: string },
): Promise<boolean> {
  const row = await db.kysely
    .selectFrom("folders")
    .select("id")
    .where("id", "=", folderId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
  return row !== undefined
}
