/** Stored form of the OpenAI block of older bots. */
import { z } from "zod"
import { idSchema, variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"
import { messageShape } from "../../services/messageSchema.ts"
import { voices } from "../../services/openAiApi.ts"
import {
  credentialsOption,
  numberOrVariable,
  text,
  variableOption,
} from "../../services/serviceSchema.ts"

/** Role of a message that stands for two lists, one of each side. */
export const sequenceRole = "Messages sequence ✨"

const sequenceSchema = z.object({
  assistantMessagesVariableId: variableOption("List of what the assistant said"),
  userMessagesVariableId: variableOption("List of what the user said"),
})

const messageSchema = z
  .object({
    ...messageShape,
    role: z
      .enum(["system", "user", "assistant", "Dialogue", sequenceRole])
      .optional()
      .describe("Who says it, or how a whole conversation is given"),
    content: z
      .union([z.string(), sequenceSchema])
      .optional()
      .describe("What is said; of a sequence: its two variables"),
    name: text("Name of who says it"),
  })
  .meta({ id: "LegacyOpenAiMessage", description: "A message for a model of OpenAI" })

export type LegacyMessage = z.infer<typeof messageSchema>

const optionsSchema = z
  .object({
    credentialsId: credentialsOption.describe("Credential of type openai"),
    baseUrl: text("Root of the API; default https://api.openai.com/v1"),
    apiVersion: text("Version of the API on Azure"),
    task: z
      .enum(["Create chat completion", "Create speech", "Create image"])
      .optional()
      .describe("What to do; images are not made any more"),
    model: text("Name of the model; chats default to gpt-3.5-turbo"),
    messages: z.array(messageSchema).optional().describe("The conversation so far"),
    advancedSettings: z
      .object({ temperature: numberOrVariable("How freely to answer") })
      .optional()
      .describe("Fine tuning"),
    responseMapping: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the entry"),
          valueToExtract: z
            .string()
            .optional()
            .describe("Message content (default), Total, Prompt or Completion tokens"),
          variableId: variableIdSchema.optional(),
        }),
      )
      .optional()
      .describe("Variables to fill from the answer"),
    input: text("Create speech: what to say"),
    voice: text(`Create speech: ${voices.join(", ")}`),
    saveUrlInVariableId: variableOption("Create speech: variable for the address of the MP3"),
    prompt: text("Create image: what to draw"),
    advancedOptions: z
      .object({ size: text("Size of the image") })
      .optional()
      .describe("Create image: fine tuning"),
  })
  .meta({ id: "LegacyOpenAiOptions", description: "What to ask OpenAI" })

export type LegacyOptions = z.infer<typeof optionsSchema>

export const openAiLegacyBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("OpenAI").describe("OpenAI, as older bots know it"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "LegacyOpenAiBlock", description: "Asks models of OpenAI" })

export type OpenAiLegacyBlock = z.infer<typeof openAiLegacyBlockSchema>
