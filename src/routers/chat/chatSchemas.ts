/** Inputs and outputs of chat calls. */

import { z } from "zod"
import { schemaVersionSchema } from "../../engine/bot.ts"
import { chatInputSchema } from "../../engine/chatInput.ts"
import {
  chatLogsSchema,
  chatMessageSchema,
  clientActionSchema,
  dynamicThemeSchema,
} from "../../engine/payload.ts"
import { mapOf } from "../../engine/schema/lists.ts"
import { messageSchema } from "../../engine/schema/message.ts"
import { languageSchema, settingsSchema } from "../../engine/schema/settings.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { themeSchema } from "../../engine/schema/theme.ts"
import { botIdSchema } from "../sharedSchemas.ts"
import { previewTraceSchema } from "./previewTrace.ts"

const maxPrefilled = 200

export const textFormatSchema = z
  .enum(["richText", "markdown"])
  .meta({ id: "TextFormat", description: "How texts are written" })
  .default("richText")
  .describe("How texts are written in this answer; default richText")

/** The members that every start shares. */
export const startShape = {
  message: messageSchema
    .nullish()
    .describe("First message; answers the first input when nothing is shown before it"),
  isStreamEnabled: z
    .boolean()
    .default(false)
    .describe("True: the client reads answers of language models from the stream endpoint"),
  isOnlyRegistering: z
    .boolean()
    .default(false)
    .describe("True: opens the session without running anything"),
  prefilledVariables: mapOf(z.string(), z.unknown(), maxPrefilled)
    .nullish()
    .describe(
      "Values by variable name; names that the bot does not know are ignored. Without an API token, names and values may take 64 kB in total",
    ),
  language: languageSchema
    .nullish()
    .describe(
      "What the client shows its own texts in. The service uses it for what it says itself where `settings.general.language` of the bot does not decide; absent: English",
    ),
  textBubbleContentFormat: textFormatSchema,
}

export const chatStepShape = {
  lastMessageNewFormat: z
    .string()
    .optional()
    .describe("The reply as it was saved, if that differs from what was sent"),
  messages: z.array(chatMessageSchema).describe("What to show, in order"),
  isReplyTaken: z
    .literal(false)
    .optional()
    .describe(
      "`false`: `input` waits, not the input that the reply named in `metadata.inputId`, so it changed nothing",
    ),
  input: chatInputSchema.optional().describe("The input that waits for a reply; absent: none"),
  clientSideActions: z
    .array(clientActionSchema)
    .optional()
    .describe("What the client is to do, in order"),
  logs: chatLogsSchema.optional(),
  dynamicTheme: dynamicThemeSchema.optional(),
  progress: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe("Progress of the chat in percent; absent when no progress is shown"),
}

export const chatStepSchema = namedObject("ChatStep", "How a chat responds to a message", {
  ...chatStepShape,
  state: z
    .literal("paused")
    .optional()
    .describe("The chat is paused: the message was kept for the team, as `acceptsPaused` asked"),
  messageId: z
    .string()
    .optional()
    .describe("Id of the message that was kept; later messages of the chat have greater ones"),
  trace: previewTraceSchema.optional().describe("Trace of the turn; only if it is traced"),
})

export const runtimeBotSchema = z
  .object({
    id: z.string().describe("Id of the bot"),
    name: z.string().optional().describe("Name of the bot; absent in previews"),
    version: schemaVersionSchema.describe("Version in which the flow is stored"),
    theme: themeSchema.describe("Theme, variables replaced"),
    settings: settingsSchema.describe("The settings that concern a client"),
    publishedAt: z.iso.datetime().optional().describe("When it was published; absent in previews"),
  })
  .meta({ id: "RuntimeBot", description: "The bot that runs, reduced to what clients need" })

/** Largest body of a call from outside. */
export const maxCallBytes = 1024 * 1024

/** The members of every call from outside. */
export const calledBlockShape = {
  botId: botIdSchema,
  blockId: z.string().describe("Id of the block at which the chat waits"),
  body: mapOf(z.string(), z.unknown()).describe(
    "What the block maps to variables; a body that is not JSON counts as `{}`",
  ),
}

export const webhookTakenSchema = z.object({ message: z.string().describe("`OK`") })
