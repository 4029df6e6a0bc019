/** Stored form of the ChatNode block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { actionOption, credentialsOption, itemMappingSchema, text } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Send Message"]),
    botId: text("Id of the bot at ChatNode"),
    threadId: text("Id of the conversation to go on with"),
    message: text("What the user says"),
    responseMapping: itemMappingSchema(["Message", "Thread ID"]),
  })
  .meta({ id: "ChatNodeOptions", description: "What to say to a bot at ChatNode" })

export type ChatNodeOptions = z.infer<typeof optionsSchema>

export const chatNodeBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("chat-node").describe("ChatNode"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "ChatNodeBlock", description: "Sends a message to a bot at ChatNode" })

export type ChatNodeBlock = z.infer<typeof chatNodeBlockSchema>
