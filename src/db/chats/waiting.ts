/** Finds the sessions that may wait for a call: the last one of a result, the previews of a user. */
import type { Db } from "../connection/open.ts"

/** Id of the last session of a result; undefined: there is no such result, or it is archived. */
export async function findLastSessionId(db: Db, resultId: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("results")
    .select("lastChatSessionId")
    .where("resultId", "=", resultId)
    .where("isArchived", "=", false)
    .executeTakeFirst()
  return row?.lastChatSessionId ?? undefined
}

/** Most previews of one user that are looked at. */
const maxPreviews = 20

/** Ids of the previews that a user started, the one that was last active first. */
export async function listPreviewIds(db: Db, ownerUserId: string): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("previewSessions")
    .select("id")
    .where("ownerUserId", "=", ownerUserId)
    .orderBy("updatedAt", "desc")
    .limit(maxPreviews)
    .execute()
  return rows.map(({ id }) => id)
}
