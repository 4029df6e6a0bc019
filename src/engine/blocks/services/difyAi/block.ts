/** Dify: chats with an app and searches in a knowledge base. */
import { assignTo } from "../../../calls.ts"
import { pickList, pickText } from "../../../foreignJson.ts"
import { nonEmpty } from "../../../presentMembers.ts"
import { bearer, json, request } from "../../api.ts"
import { asObject } from "../../keyValues.ts"
import { usageItems } from "../models/completion.ts"
import {
  type ActionContext,
  calling,
  mapItems,
  type Results,
  refusal,
  type ServiceStep,
  savedText,
  serviceBlock,
  variableOfItem,
} from "../service.ts"
import { type DifyOptions, difyAiBlockSchema } from "./schema.ts"

type DifyAction = ActionContext<DifyOptions>

const baseUrl = "https://api.dify.ai"
const content = "Message content"
const chunks = "Retrieved chunks"

/** The user at Dify when the author names none. */
const defaultUser = "parley"

export const difyAiBlock = serviceBlock(difyAiBlockSchema, {
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

function keep(
  { options }: DifyAction,
  { text, usage, conversationId }: Results["model"],
): ServiceStep {
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
      `/v1/datasets/${encodeURIComponent(datasetId)}/retrieve`,
    ],
    headers: [bearer("knowledgeApiKey")],
    body: json({ query }),
  })
}
