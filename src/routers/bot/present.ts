/** Turns stored bots into responses. */
import { withoutCredentials } from "../../bots/sanitise.ts"
import { flowOfDraft } from "../../bots/storedFlow.ts"
import type { BotRow } from "../../db/bots/bots.ts"
import type { ResultsTablePreferences } from "../../engine/schema/resultsTablePreferences.ts"
import { printTimes } from "../sharedSchemas.ts"
import type { Bot } from "./schema.ts"

/** A bot as its editors see it. */
export function presentBot(row: BotRow): Bot {
  return {
    ...flowOfDraft(row),
    id: row.id,
    name: row.name,
    selectedThemeTemplateId: row.selectedThemeTemplateId,
    ...printTimes(row),
    icon: row.icon,
    folderId: row.folderId,
    publicId: row.publicId,
    customDomain: row.customDomain,
    workspaceId: row.workspaceId,
    resultsTablePreferences: row.resultsTablePreferences as ResultsTablePreferences | null,
    isArchived: row.isArchived,
    isClosed: row.isClosed,
    whatsAppCredentialsId: row.whatsappCredentialsId,
    riskLevel: row.riskLevel,
  }
}

/** The same for callers who may only look at it and copy it. */
export function presentToGuest(row: BotRow): Bot {
  const bot = presentBot(row)
  return {
    ...bot,
    groups: withoutCredentials(bot.groups),
    whatsAppCredentialsId: null,
    riskLevel: null,
    resultsTablePreferences: null,
    folderId: null,
    selectedThemeTemplateId: null,
    customDomain: null,
  }
}
