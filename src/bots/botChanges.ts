/** What callers send to create a bot, and to change one. */
import { z } from "zod"
import {
  edgesSchema,
  eventsSchema,
  groupsSchema,
  schemaVersionSchema,
  variablesSchema,
} from "../engine/bot.ts"
import { resultsTablePreferencesSchema } from "../engine/schema/resultsTablePreferences.ts"
import { settingsSchema } from "../engine/schema/settings.ts"
import { themeSchema } from "../engine/schema/theme.ts"
import { publicIdSchema } from "./address.ts"

const nameSchema = z.string().min(1).max(255)
const iconSchema = z.string().max(2048).nullable()

const draftMembers = {
  icon: iconSchema.describe("Emoji or address of a picture; null: none").optional(),
  selectedThemeTemplateId: z.string().max(255).nullish().describe("Theme template; null: none"),
  resultsTablePreferences: resultsTablePreferencesSchema.nullish(),
  folderId: z.string().max(255).nullish().describe("Folder of the same workspace; null: none"),
}

/** A bot to create. */
export const newBotSchema = z
  .object({
    ...draftMembers,
    name: nameSchema.default("My bot").describe("Name"),
    events: eventsSchema.optional(),
    groups: groupsSchema.default([]),
    edges: edgesSchema.default([]),
    variables: variablesSchema.default([]),
    theme: themeSchema.default({}),
    settings: settingsSchema.default({}),
    publicId: publicIdSchema.nullish(),
  })
  .meta({
    id: "BotToCreate",
    description: "A bot to make, in the latest version; all may be left out",
  })

/** A change of a bot: members left out stay, others are replaced whole. */
export const botChangesSchema = z
  .object({
    ...draftMembers,
    version: schemaVersionSchema.optional().describe("Version of the flow that is sent"),
    name: nameSchema.optional().describe("Name"),
    events: eventsSchema.nullish().describe("Entry points; null leaves them"),
    groups: groupsSchema.optional(),
    edges: edgesSchema.optional(),
    variables: variablesSchema.optional(),
    theme: themeSchema.nullish().describe("Theme; null leaves it"),
    settings: settingsSchema.nullish().describe("Settings; null leaves them"),
    publicId: publicIdSchema.nullish().describe("Address of the bot in chats; null removes it"),
    customDomain: z
      .string()
      .max(255)
      .nullish()
      .describe("Host, perhaps with a path; null removes it"),
    isClosed: z.boolean().optional().describe("Whether new chats are refused"),
    whatsAppCredentialsId: z
      .string()
      .max(255)
      .nullish()
      .describe("Credential of the same workspace; null removes it"),
    riskLevel: z
      .unknown()
      .optional()
      .describe("Ignored: only the operator sets it")
      .meta({ override: { type: ["number", "null"], format: "double" } }),
    updatedAt: z
      .string()
      .max(64)
      .refine((text) => !Number.isNaN(Date.parse(text)), { message: "must be a time in ISO 8601" })
      .meta({ format: "date-time" })
      .nullish()
      .describe("The `updatedAt` that was read; 409 when the bot has changed since"),
  })
  .meta({ id: "BotChanges", description: "What to change of a bot; members left out stay" })

export type BotChanges = z.infer<typeof botChangesSchema>
