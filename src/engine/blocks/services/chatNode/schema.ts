/** Stored form of the ChatNode block. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption, credentialsOption, itemMappingSchema } from "../serviceSchema.ts"

const optionsSchema = namedObject("ChatNodeOptions", "What to say to a bot at ChatNode", {
  credentialsId: credentialsOption,
  action: actionOption(["Send Message"]),
  botId: optional.template("Id of the bot at ChatNode"),
  threadId: optional.template("Id of the conversation to go on with"),
  message: optional.template("What the user says"),
  responseMapping: itemMappingSchema(["Message", "Thread ID"]),
})

export type ChatNodeOptions = z.infer<typeof optionsSchema>

export const chatNodeBlockSchema = blockSchemaOf("chat-node", "ChatNode", {
  options: optionsSchema.optional(),
}).meta({ id: "ChatNodeBlock", description: "Sends a message to a bot at ChatNode" })

export type ChatNodeBlock = z.infer<typeof chatNodeBlockSchema>
