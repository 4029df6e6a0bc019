/** Reads the flow of a draft for a preview that links to it. */
import { sql } from "kysely"
import type { Db } from "../connection/open.ts"
import { flowMembers } from "../schema/flowColumns.ts"
import { type BotRow, isShared } from "./bots.ts"

/** The columns that a flow is made of. */
export type DraftRow = Pick<BotRow, "version" | (typeof flowMembers)[number]>

/**
 * Finds the draft of a bot in a workspace for a user who may see it: an editor of the workspace, a
 * collaborator on the bot, or anybody when its author shares it. Returns undefined when there is no
 * such bot for the user, or when it is archived.
 */
export async function findDraft(
  db: Db,
  { botId, workspaceId, userId }: { botId: string; workspaceId: string; userId: string },
): Promise<DraftRow | undefined> {
  return await db.kysely
    .selectFrom("bots")
    .select(["version", ...flowMembers])
    .where((eb) => eb.and({ id: botId, workspaceId, isArchived: false }))
    .where(isSeenBy(userId))
    .executeTakeFirst()
}

/** No joins: a user with two of these rights would get the flow twice. */
function isSeenBy(userId: string) {
  return sql<boolean>`(
    exists (select from workspace_members m where m.workspace_id = bots.workspace_id
      and m.user_id = ${userId} and m.role in ('ADMIN', 'MEMBER'))
    or exists (select from bot_collaborators c where c.bot_id = bots.id and c.user_id = ${userId})
    or ${isShared})`
}
