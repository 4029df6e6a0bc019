/** Stored form of the OpenAI block. */
import { z } from "zod"
import { optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { voices } from "../models/openAiApi.ts"
import { completionItems, completionShape, extractionShape, toolSchema } from "../models/schemas.ts"
import { actionOption, itemMappingSchema } from "../serviceBlock.ts"

export const actions = {
  complete: "Create chat completion",
  askModel: "Ask Model",
  askAssistant: "Ask Assistant",
  extract: "Generate variables",
  speak: "Create speech",
  transcribe: "Create transcription",
} as const

const askModelShape = {
  message: optional.template("Ask Model, Ask Assistant: message of the user"),
  instructions: optional.template("Ask Model: system message. Create speech: how to speak"),
  responseIdVariableId: optional.variableId(
    "Ask Model: variable that keeps the conversation going",
  ),
  fileSearchVectorStoreIds: optional.list("Ask Model: stores of files to search", z.string()),
  fileSearchMaxNumResults: optional.numberOrVariable("Ask Model: max passages found, 1 to 50"),
  fileSearchScoreThreshold: optional.numberOrVariable("Ask Model: min score of a passage, 0 to 1"),
  webSearchEnabled: optional.flag("Ask Model: whether to search the web"),
  codeInterpreterEnabled: optional.flag("Ask Model: whether to run code"),
  functions: optional.list("Ask Model, Ask Assistant: functions that may be called", toolSchema),
}

const askAssistantShape = {
  assistantId: optional.template("Ask Assistant: id of the assistant"),
  threadVariableId: optional.variableId("Ask Assistant: variable that keeps the id of the thread"),
  threadId: optional
    .template("Ask Assistant: id of the thread; older bots")
    .meta({ deprecated: true }),
  additionalInstructions: optional.template("Ask Assistant: additional instructions"),
}

const audioShape = {
  input: optional.template("Create speech: text to speak"),
  voice: optional.template(`Create speech: ${voices.join(", ")}`),
  saveUrlInVariableId: optional.variableId("Create speech: variable for the address of the MP3"),
  url: optional.template("Create transcription: address of the recording"),
  transcriptionVariableId: optional.variableId("Create transcription: variable for the text"),
}

export const openaiBlockSchema = blockSchemaOf("openai", {
  options: optional.named("OpenAiServiceOptions", "Options of a request to OpenAI", {
    action: actionOption(Object.values(actions)),
    baseUrl: optional.template("Root of the API; default https://api.openai.com/v1"),
    apiVersion: optional
      .template("Version of the API on Azure; older bots")
      .meta({ deprecated: true }),
    ...completionShape,
    ...extractionShape,
    prompt: optional.template("Generate variables: source text. Create transcription: a hint"),
    ...askModelShape,
    ...askAssistantShape,
    ...audioShape,
    responseMapping: itemMappingSchema([
      ...completionItems,
      "Message",
      "Response ID",
      "Thread ID",
    ]).describe("Variables to fill; without an item: the text of the answer"),
  }),
}).meta({ id: "OpenAiServiceBlock" })

export type OpenaiBlock = z.infer<typeof openaiBlockSchema>
export type OpenAiOptions = NonNullable<OpenaiBlock["options"]>
