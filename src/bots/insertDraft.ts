/** Stores a new bot, sanitised for its workspace. */
import { type BotRow, insertBot, isAddressTaken } from "../db/bots/bots.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { WorkspaceRow } from "../db/people/workspaces.ts"
import type { Flow } from "../engine/bot.ts"
import type { ResultsTablePreferences } from "../engine/schema/resultsTablePreferences.ts"
import { sanitiseFlow } from "./sanitiseFlow.ts"
import { publicIdTaken, refuseViolations } from "./violations.ts"

/** A bot to store; omitted members are null. */
export type Draft = {
  id: string
  flow: Flow
  name: string
  icon?: string | null | undefined
  folderId?: string | null | undefined
  selectedThemeTemplateId?: string | null | undefined
  resultsTablePreferences?: ResultsTablePreferences | null | undefined
  publicId?: string | null | undefined
}

/** Stores a draft. A folder that the workspace does not have is ignored. */
export async function insertDraft(db: Db, workspace: WorkspaceRow, draft: Draft): Promise<BotRow> {
  const { flow, resultsTablePreferences, ...columns } = draft
  const { id: workspaceId, plan } = workspace
  const { id: exceptBy, publicId } = draft
  if (publicId && (await isAddressTaken(db, { publicId, exceptBy }))) throw publicIdTaken(publicId)
  const sanitised = await sanitiseFlow(db, flow, { workspaceId, plan, isNew: true })
  const { version, events, groups, edges, variables, theme, settings } = sanitised
  const bot = {
    ...columns,
    version,
    events,
    groups,
    edges,
    variables,
    theme,
    settings,
    workspaceId,
    resultsTablePreferences: resultsTablePreferences && JSON.stringify(resultsTablePreferences),
  }
  return await refuseViolations(insertBot(db, bot), bot)
}
