/** Reads the flow of a draft for a preview that links to it. */

import { inSlices } from "../slices.ts"
import type { BotRow } from "./bots.ts"
import { asLines, parseLists } from "./flowLists.ts"
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
  const row = await db.kysely
    .selectFrom("bots")
    .select(["version", "events", "variables", "theme", "settings"])
    .select([asLines("bots.groups").as("groups"), asLines("bots.edges").as("edges")])
    .where("id", "=", botId)
    .where("workspaceId", "=", workspaceId)
    .where("isArchived", "=", false)
    .executeTakeFirst()
  return row && { ...row, ...(await inSlices(parseLists(row))) }
}
