/** Bots in requests and responses. */

import { z } from "zod"
import { forGuests } from "../../bots/sanitise.ts"
import { flowOfDraft } from "../../bots/storedFlow.ts"
import type { BotRow } from "../../db/bots/bots.ts"
import {
  edgesSchema,
  eventsSchema,
  groupsSchema,
  schemaVersionSchema,
  variablesSchema,
} from "../../engine/bot.ts"
import {
  type ResultsTablePreferences,
  resultsTablePreferencesSchema,
} from "../../engine/schema/resultsTablePreferences.ts"
import { settingsSchema } from "../../engine/schema/settings.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { themeSchema } from "../../engine/schema/theme.ts"
import { userModeSchema } from "../../people/access.ts"
import { presentRow } from "../presentRow.ts"
import { revisionSchema, timestampSchema } from "../sharedSchemas.ts"

/** The common members of drafts and published bots. */
export const flowMembers = {
  version: schemaVersionSchema,
  events: eventsSchema.nullable().describe("Entry points; null before version 6"),
  groups: groupsSchema,
  edges: edgesSchema,
  variables: variablesSchema,
  theme: themeSchema,
  settings: settingsSchema,
}

/** A bot as its editors see it. */
export const botSchema = namedObject("Bot", "A bot: its draft, its addresses and its settings", {
  ...flowMembers,
  id: z.string().describe("Id of the bot"),
  name: z.string().describe("Name"),
  selectedThemeTemplateId: z.string().nullable().describe("Theme template; null: none"),
  createdAt: timestampSchema("When it was created"),
  updatedAt: timestampSchema("When it was last changed; send it back with a change"),
  revision: revisionSchema,
  icon: z.string().nullable().describe("Emoji or address of a picture; null: none"),
  folderId: z.string().nullable().describe("Folder; null: at the root of the workspace"),
  publicId: z.string().nullable().describe("Address of the bot in chats; null: none"),
  customDomain: z.string().nullable().describe("Host, optionally with a path; null: none"),
  workspaceId: z.string().describe("Workspace that it belongs to"),
  resultsTablePreferences: resultsTablePreferencesSchema.nullable(),
  isArchived: z.boolean().describe("Whether it was deleted"),
  isClosed: z.boolean().describe("Whether new chats are refused"),
  closedReason: z
    .string()
    .optional()
    .describe(
      "Why the operator of the service has closed the bot: new chats are refused, also when `isClosed` " +
        "is false; absent: the operator has not",
    ),
  whatsAppCredentialsId: z.string().nullable().describe("Credential of the channel; null: none"),
  riskLevel: z
    .number()
    .nullable()
    .describe("Set by the operator, or by their list of words at publish; null: not assessed"),
})

export type Bot = z.infer<typeof botSchema>

export const listedBotSchema = botSchema
  .pick({ id: true, name: true, icon: true, createdAt: true, publicId: true, folderId: true })
  .extend({
    isClosed: botSchema.shape.isClosed,
    updatedAt: timestampSchema("When it was last changed"),
    publishedBotId: z.string().optional().describe("Id of what is published; absent: nothing"),
    deletedAt: timestampSchema("When it was moved to the bin; absent: it is not there").optional(),
    purgesAt: timestampSchema(
      "Until when it can be restored, before it is deleted for good; absent: it is not in the bin",
    ).optional(),
    accessRight: userModeSchema,
  })
  .meta({ id: "ListedBot", description: "A bot in a list" })

/** A bot as its editors see it. */
export function presentBot(row: BotRow): Bot {
  return presentRow(botSchema, {
    ...row,
    ...flowOfDraft(row),
    resultsTablePreferences: row.resultsTablePreferences as ResultsTablePreferences | null,
    whatsAppCredentialsId: row.whatsappCredentialsId,
  })
}

/** The same for callers who may only view and copy it. */
export function presentToGuest(row: BotRow): Bot {
  const { closedReason: _, ...bot } = presentBot(row)
  return {
    ...forGuests(bot),
    whatsAppCredentialsId: null,
    riskLevel: null,
    resultsTablePreferences: null,
    folderId: null,
    selectedThemeTemplateId: null,
    customDomain: null,
  }
}
