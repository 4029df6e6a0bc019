/** Stored form of the OpenAI block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { completionShape } from "../completionSchema.ts"
import { extractionShape } from "../extractionSchema.ts"
import { voices } from "../openAiApi.ts"
import {
  actionOption,
  itemMappingSchema,
  numberOrVariable,
  text,
  variableOption,
} from "../serviceSchema.ts"
import { toolSchema } from "../toolSchema.ts"

/** Every action. */
export const actions = {
  complete: "Create chat completion",
  askModel: "Ask Model",
  askAssistant: "Ask Assistant",
  extract: "Generate variables",
  speak: "Create speech",
  transcribe: "Create transcription",
} as const

const askModelShape = {
  message: text("Ask Model, Ask Assistant: what the user says"),
  instructions: text("Ask Model: what the model is told first. Create speech: how to speak"),
  responseIdVariableId: variableOption("Ask Model: variable that keeps the conversation going"),
  fileSearchVectorStoreIds: z
    .array(z.string())
    .optional()
    .describe("Ask Model: stores of files to search"),
  fileSearchMaxNumResults: numberOrVariable("Ask Model: passages found at most, 1 to 50"),
  fileSearchScoreThreshold: numberOrVariable("Ask Model: least score of a passage, 0 to 1"),
  webSearchEnabled: z.boolean().optional().describe("Ask Model: whether to search the web"),
  codeInterpreterEnabled: z.boolean().optional().describe("Ask Model: whether to run code"),
  functions: z
    .array(toolSchema)
    .optional()
    .describe("Ask Model, Ask Assistant: functions that may be called"),
}

const askAssistantShape = {
  assistantId: text("Ask Assistant: id of the assistant"),
  threadVariableId: variableOption("Ask Assistant: variable that keeps the id of the thread"),
  threadId: text("Ask Assistant: id of the thread; older bots"),
  additionalInstructions: text("Ask Assistant: what it is told besides"),
}

const audioShape = {
  input: text("Create speech: what to say"),
  voice: text(`Create speech: ${voices.join(", ")}`),
  saveUrlInVariableId: variableOption("Create speech: variable for the address of the MP3"),
  url: text("Create transcription: address of the recording"),
  transcriptionVariableId: variableOption("Create transcription: variable for the text"),
}

const optionsSchema = z
  .object({
    action: actionOption(Object.values(actions)),
    baseUrl: text("Root of the API; default https://api.openai.com/v1"),
    apiVersion: text("Version of the API on Azure; older bots"),
    ...completionShape,
    ...extractionShape,
    prompt: text("Generate variables: what to draw from. Create transcription: a hint"),
    ...askModelShape,
    ...askAssistantShape,
    ...audioShape,
    responseMapping: itemMappingSchema([
      "Message content",
      "Total tokens",
      "Prompt tokens",
      "Completion tokens",
      "Message",
      "Response ID",
      "Thread ID",
    ]).describe("Variables to fill; without an item: the text of the answer"),
  })
  .meta({ id: "OpenAiServiceOptions", description: "What to ask OpenAI" })

export type OpenAiOptions = z.infer<typeof optionsSchema>

export const openaiBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("openai").describe("OpenAI"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "OpenAiServiceBlock", description: "Asks models of OpenAI" })

export type OpenaiBlock = z.infer<typeof openaiBlockSchema>
