/** Inputs for creating and changing bots. */
import { z } from "zod"
import {
  edgesSchema,
  eventsSchema,
  groupsSchema,
  schemaVersionSchema,
  variablesSchema,
} from "../engine/bot.ts"
import {
  botNameSchema,
  changedMembers,
  commonMembers,
  publicIdSchema,
} from "../engine/schema/botMembers.ts"
import { settingsSchema } from "../engine/schema/settings.ts"
import { themeSchema } from "../engine/schema/theme.ts"

/** Earlier times are refused here, because the database cannot compare those before 4713 BC. */
const firstTime = Date.parse("0000-01-01T00:00:00Z")

const folderIdSchema = z
  .string()
  .max(255)
  .nullish()
  .describe("Folder of the same workspace; null: none")

export const newBotSchema = z
  .object({
    ...commonMembers,
    folderId: folderIdSchema,
    name: botNameSchema.default("My bot").describe("Name"),
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
    description: "A bot to create, in the latest version; all members are optional",
  })

/** A change of a bot: omitted members stay, others are replaced whole. */
export const botChangesSchema = z
  .object({
    ...changedMembers,
    folderId: folderIdSchema,
    version: schemaVersionSchema.optional().describe("Version of the flow that is sent"),
    events: eventsSchema.nullish().describe("Entry points; null leaves them"),
    groups: groupsSchema.optional(),
    edges: edgesSchema.optional(),
    variables: variablesSchema.optional(),
    theme: themeSchema.nullish().describe("Theme; null leaves it"),
    settings: settingsSchema.nullish().describe("Settings; null leaves them"),
    riskLevel: z
      .unknown()
      .optional()
      .describe("Ignored: only the operator sets it")
      .meta({ override: { type: ["number", "null"], format: "double" } }),
    updatedAt: z
      .string()
      .max(64)
      .refine((text) => Date.parse(text) >= firstTime, { message: "must be a time in ISO 8601" })
      .meta({ format: "date-time" })
      .nullish()
      .describe("The `updatedAt` that was read; 409 when the bot has changed since"),
  })
  .meta({ id: "BotChanges", description: "Changes of a bot; omitted members stay" })

export type BotChanges = z.infer<typeof botChangesSchema>
