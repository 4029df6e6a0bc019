/** Stored form of the Dify block. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { completionItems } from "../models/schemas.ts"
import { actionOption, credentialsOption, itemMappingSchema } from "../serviceSchema.ts"

export const difyAiBlockSchema = blockSchemaOf("dify-ai", "Dify", {
  options: optional.named("DifyOptions", "What to ask a Dify app", {
    credentialsId: credentialsOption,
    action: actionOption(["Create Chat Message", "Query Knowledge Base"]),
    query: optional.template("What the user says or what to look for"),
    conversationVariableId: optional.variableId("Variable that keeps the conversation going"),
    user: optional.template("Id of the user at Dify; default one for all"),
    inputs: optional.list("Inputs of the app", keyValueSchema),
    datasetId: optional.template("Query Knowledge Base: id of the dataset"),
    responseMapping: itemMappingSchema([
      ...completionItems,
      "Conversation ID",
      "Retrieved chunks",
    ]).describe("Variables to fill; without an item: the text of the answer or the chunks"),
  }),
}).meta({ id: "DifyBlock", description: "Asks a Dify app, or searches its knowledge" })

export type DifyAiBlock = z.infer<typeof difyAiBlockSchema>
export type DifyOptions = NonNullable<DifyAiBlock["options"]>
