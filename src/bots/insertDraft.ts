/** Stores a new bot, sanitised for its workspace. */
import { type BotRow, insertBot } from "../db/bots/bots.ts"
import type { Db } from "../db/connection/open.ts"
import { listKnownCredentials } from "../db/people/credentials.ts"
import { recordActivity, type WorkspaceRow } from "../db/people/workspaces.ts"
import type { Flow, Group } from "../engine/bot.ts"
import type { ResultsTablePreferences } from "../engine/schema/resultsTablePreferences.ts"
import type { Plan } from "../plans.ts"
import {
  credentialsIn,
  sanitiseSettings,
  withKnownCredentials,
  withSessionFlags,
} from "./sanitise.ts"
import { refuseViolations } from "./violations.ts"

/** A bot to store. */
export type Draft = {
  id: string
  flow: Flow
  name: string
  icon: string | null
  folderId: string | null
  selectedThemeTemplateId: string | null
  resultsTablePreferences: ResultsTablePreferences | null
  publicId: string | null
}

/** Stores a draft. A folder that the workspace does not have is ignored. */
export async function insertDraft(db: Db, workspace: WorkspaceRow, draft: Draft): Promise<BotRow> {
  const { flow, resultsTablePreferences, ...columns } = draft
  const { id: workspaceId, plan } = workspace
  const ids = credentialsIn(flow.groups)
  const known = new Set(await listKnownCredentials(db, { workspaceId, ids }))
  const bot = {
    ...columns,
    ...flowColumns(flow, withKnownCredentials(flow.groups, known, plan), plan),
    workspaceId,
    resultsTablePreferences: resultsTablePreferences && JSON.stringify(resultsTablePreferences),
  }
  const row = await refuseViolations(insertBot(db, bot))
  await recordActivity(db, workspaceId)
  return row
}

function flowColumns(flow: Flow, groups: Group[], plan: Plan) {
  return {
    version: flow.version,
    events: flow.events,
    groups,
    edges: flow.edges,
    variables: withSessionFlags(flow.variables, groups),
    theme: flow.theme,
    settings: sanitiseSettings(flow.settings, { plan, isNew: true }),
  }
}
