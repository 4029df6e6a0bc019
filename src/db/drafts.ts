/** Reads the flow of a draft for a preview that links to it. */

import type { BotRow } from "./bots.ts"
import { draftColumns, flowOf, readFlowRows } from "./flowRows.ts"
import type { Db } from "./open.ts"

/** The columns that a flow is made of. */
export type DraftRow = Pick<
  BotRow,
  "version" | "events" | "groups" | "edges" | "variables" | "theme" | "settings"
>

/** The draft of a bot of that workspace; undefined: it has none, or it is archived. */
export async function findDraft(
  db: Db,
  { botId, workspaceId }: { botId: string; workspaceId: string },
): Promise<DraftRow | undefined> {
  const rows = await db.kysely
    .selectFrom("bots")
    .innerJoinLateral(flowOf(draftColumns), (join) => join.onTrue())
    .select(["version", "flow.lines"])
    .where("id", "=", botId)
    .where("workspaceId", "=", workspaceId)
    .where("isArchived", "=", false)
    .orderBy("flow.number")
    .execute()
  const [row] = rows
  return row && { version: row.version, ...(await readFlowRows(rows)) }
}
