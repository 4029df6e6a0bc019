/** Reads what a chat page needs to know before it is shown. */
import type { Db } from "../connection/open.ts"

/** Returns undefined when no published bot has the public id. */
export async function findChatPage(db: Db, publicId: string) {
  return await db.kysely
    .selectFrom("bots")
    .innerJoin("publishedBots", "publishedBots.botId", "bots.id")
    .innerJoin("workspaces", "workspaces.id", "bots.workspaceId")
    .select(["bots.name", "bots.isClosed", "publishedBots.versionId", "workspaces.isSuspended"])
    .where((eb) => eb.and({ "bots.publicId": publicId, "bots.isArchived": false }))
    .executeTakeFirst()
}
