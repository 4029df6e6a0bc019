/** Stored form of the options that ask a model for the next message of a conversation. */
import { z } from "zod"
import { messageOptionSchema } from "./messageSchema.ts"
import {
  actionOption,
  credentialsOption,
  itemMappingSchema,
  numberOrVariable,
  text,
} from "./serviceSchema.ts"
import { toolSchema } from "./toolSchema.ts"

/** Parts of an answer that variables can receive. */
export const completionItems = [
  "Message content",
  "Total tokens",
  "Prompt tokens",
  "Completion tokens",
] as const

/** Members of the options of every block that completes chats. */
export const completionShape = {
  credentialsId: credentialsOption,
  model: text("Name of the model"),
  messages: z.array(messageOptionSchema).optional().describe("The conversation so far"),
  tools: z.array(toolSchema).optional().describe("Functions that the model may call"),
  temperature: numberOrVariable("How freely to answer; default the provider's"),
  responseMapping: itemMappingSchema(completionItems, "CompletionMapping"),
}

/** Options of a block that completes chats and does nothing else. */
export const completionOptionsSchema = z
  .object({ action: actionOption(["Create chat completion"]), ...completionShape })
  .meta({ id: "ChatCompletionOptions", description: "A conversation for a model to go on with" })

/** The same with an address that another one replaces. */
export type CompletionOptions = z.infer<typeof completionOptionsSchema> & {
  baseUrl?: string | undefined
  apiVersion?: string | undefined
  systemMessage?: string | undefined
  maxTokens?: number | string | undefined
}
