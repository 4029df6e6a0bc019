/** Stored form of the Dify block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { keyValueSchema } from "../../keyValues.ts"
import {
  actionOption,
  credentialsOption,
  itemMappingSchema,
  text,
  variableOption,
} from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Create Chat Message", "Query Knowledge Base"]),
    query: text("What the user says or what to look for"),
    conversationVariableId: variableOption("Variable that keeps the conversation going"),
    user: text("Id of the user at Dify; default one for all"),
    inputs: z.array(keyValueSchema).optional().describe("Inputs of the app"),
    datasetId: text("Query Knowledge Base: id of the dataset"),
    responseMapping: itemMappingSchema([
      "Message content",
      "Total tokens",
      "Prompt tokens",
      "Completion tokens",
      "Conversation ID",
      "Retrieved chunks",
    ]).describe("Variables to fill; without an item: the text of the answer or the chunks"),
  })
  .meta({ id: "DifyOptions", description: "What to ask a Dify app" })

export type DifyOptions = z.infer<typeof optionsSchema>

export const difyAiBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("dify-ai").describe("Dify"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "DifyBlock", description: "Asks a Dify app, or searches its knowledge" })

export type DifyAiBlock = z.infer<typeof difyAiBlockSchema>
