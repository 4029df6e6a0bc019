/** Reads the flow of a draft for a preview that links to it. */

import { sql } from "kysely"
import type { Db } from "../connection/open.ts"
import { flowMembers } from "../schema/flowColumns.ts"
import type { BotRow } from "./bots.ts"

/** The columns that a flow is made of. */
export type DraftRow = Pick<
  BotRow,
  "version" | "events" | "groups" | "edges" | "variables" | "theme" | "settings"
>

/**
 * The draft of a bot of that workspace as one user sees it: who edits there, works on that bot, or
 * looks at what its author shares with everybody. Undefined: no such bot for them, or it is archived.
 */
export async function findDraft(
  db: Db,
  { botId, workspaceId, userId }: { botId: string; workspaceId: string; userId: string },
): Promise<DraftRow | undefined> {
  return await db.kysely
    .selectFrom("bots")
    .select(["version", ...flowMembers])
    .where("id", "=", botId)
    .where("workspaceId", "=", workspaceId)
    .where("isArchived", "=", false)
    .where(isSeenBy(userId))
    .executeTakeFirst()
}

/** No joins: whoever has two of these rights would get the flow twice. */
function isSeenBy(userId: string) {
  return sql<boolean>`(
    exists (select from workspace_members m where m.workspace_id = bots.workspace_id
      and m.user_id = ${userId} and m.role in ('ADMIN', 'MEMBER'))
    or exists (select from bot_collaborators c where c.bot_id = bots.id and c.user_id = ${userId})
    or coalesce(bots.settings #>> '{publicShare,isEnabled}' = 'true', false))`
}
