/** Members of a bot that authors set besides its flow. */
import { z } from "zod"
import { resultsTablePreferencesSchema } from "./resultsTablePreferences.ts"

export const botNameSchema = z.string().min(1).max(255)

/** A public id in a request; slightly too long ids are refused with our own message. */
export const publicIdSchema = z
  .string()
  .max(2_550)
  .describe("Address of the bot in chats: a to z, 0 to 9 and single hyphens; unique in the service")

/** Members of every bot, new ones included. */
export const commonMembers = {
  icon: z
    .string()
    .max(2048)
    .nullable()
    .describe("Emoji or address of a picture; null: none")
    .optional(),
  selectedThemeTemplateId: z.string().max(255).nullish().describe("Theme template; null: none"),
  resultsTablePreferences: resultsTablePreferencesSchema.nullish(),
}

/** Members that changes of a bot may set; omitted ones stay. */
export const changedMembers = {
  ...commonMembers,
  name: botNameSchema.optional().describe("Name"),
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
}

/** The stored form of these members. */
export type BotMembers = {
  [Name in keyof typeof changedMembers]-?: Exclude<
    z.infer<(typeof changedMembers)[Name]>,
    undefined
  >
}
