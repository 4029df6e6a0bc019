/** Dify: chats with an app and searches in a knowledge base. */

import { pickList, pickText } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { assignTo } from "../../../calls.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { bearer, json, request, segment } from "../../api.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { asObject, keyValueSchema } from "../../keyValues.ts"
import { usageItems } from "../models/completion.ts"
import { completionItems } from "../models/schemas.ts"
import {
  type ActionOf,
  actionOption,
  calling,
  credentialsOption,
  itemMappingSchema,
  mapItems,
  type Results,
  refusal,
  type ServiceStep,
  savedText,
  serviceBlock,
  variableOfItem,
} from "../serviceBlock.ts"

const difyAiBlockSchema = blockSchemaOf("dify-ai", {
  options: optional.named("DifyOptions", "Options of a request to Dify", {
    credentialsId: credentialsOption,
    action: actionOption(["Create Chat Message", "Query Knowledge Base"]),
    query: optional.template("Message of the user, or text to search for"),
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
}).meta({ id: "DifyBlock" })

type DifyAction = ActionOf<typeof difyAiBlockSchema>

const baseUrl = "https://api.dify.ai"
const content = "Message content"
const chunks = "Retrieved chunks"

const defaultUser = "parley"

export const difyAiBlock = serviceBlock(difyAiBlockSchema, {
  catalogue: {
    label: "Dify",
    description: "Asks an app made with Dify, or searches its knowledge base",
    category: "ai",
    icon: "blocks",
  },
  actions: {
    "Create Chat Message": {
      activity: "While asking Dify",
      run: askApp,
      resume: { model: keep },
      // Only a mapping that names the content itself is streamed.
      streamsTo: ({ responseMapping }) => variableOfItem(responseMapping, content),
    },
    "Query Knowledge Base": {
      activity: "While searching the knowledge base",
      run: queryKnowledge,
      resume: {
        http: ({ options }, { data }) => {
          const found = pickList(data, "records").flatMap(
            (record) => pickText(record, "segment", "content") ?? [],
          )
          return { set: mapItems(options.responseMapping, chunks, { [chunks]: found }) }
        },
      },
    },
  },
})

function askApp({ options, credential, context }: DifyAction): ServiceStep {
  if (!options.query) return refusal("No query is given")
  return calling({
    kind: "model",
    protocol: "difyChat",
    credential,
    baseUrl,
    messages: [{ role: "user", content: options.query }],
    ...nonEmpty({ conversationId: savedText(options.conversationVariableId, context) }),
    app: { user: options.user ?? defaultUser, inputs: asObject(options.inputs) },
    maxSteps: 1,
  })
}

function keep({ options }: DifyAction, { text, usage, conversationId }: Results["model"]) {
  const tokens = usageItems(usage)
  return {
    set: [
      ...mapItems(options.responseMapping, content, {
        [content]: text,
        // Names that older bots use.
        Answer: text,
        "Total Tokens": tokens["Total tokens"],
        "Conversation ID": conversationId,
        ...tokens,
      }),
      ...(conversationId ? assignTo(options.conversationVariableId, conversationId) : []),
    ],
  }
}

function queryKnowledge(action: DifyAction): ServiceStep {
  const { datasetId, query } = action.options
  if (!datasetId) return refusal("No dataset is given")
  if (!query) return refusal("No query is given")
  return request(action, {
    method: "POST",
    url: [
      { secret: "apiEndpoint", fallback: baseUrl, as: "origin" },
      `/v1/datasets/${segment(datasetId)}/retrieve`,
    ],
    headers: [bearer("knowledgeApiKey")],
    body: json({ query }),
  })
}
