/** Turns stored bots into responses. */
import { withoutCredentials } from "../../bots/sanitise.ts"
import { flowOfDraft } from "../../bots/storedFlow.ts"
import type { BotRow } from "../../db/bots/bots.ts"
import type { ResultsTablePreferences } from "../../engine/schema/resultsTablePreferences.ts"
import { presentRow } from "../presentRow.ts"
import { type Bot, botSchema } from "./schema.ts"

/** A bot as its editors see it. */
export function presentBot(row: BotRow): Bot {
  return presentRow(botSchema, {
    ...row,
    ...flowOfDraft(row),
    resultsTablePreferences: row.resultsTablePreferences as ResultsTablePreferences | null,
    whatsAppCredentialsId: row.whatsappCredentialsId,
  })
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
