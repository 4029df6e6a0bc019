/** Writes who works on single bots beside the members of their workspaces. */
import type { Db } from "../connection/open.ts"

/** Names a collaboration. */
export type CollaboratorAddress = { botId: string; userId: string }

/**
 * Ends a collaboration and the previews that were begun with it, which carry credentials of the
 * workspace. False: there was none.
 */
export async function deleteCollaborator(
  db: Db,
  { botId, userId }: CollaboratorAddress,
): Promise<boolean> {
  return await db.kysely.transaction().execute(async (kysely) => {
    const { numDeletedRows } = await kysely
      .deleteFrom("botCollaborators")
      .where("botId", "=", botId)
      .where("userId", "=", userId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await kysely
      .deleteFrom("previewSessions")
      .where("botId", "=", botId)
      .where("ownerUserId", "=", userId)
      .execute()
    return true
  })
}
