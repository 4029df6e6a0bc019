/** Stored form of the OpenAI block of older bots. */
import { z } from "zod"
import { namedObject, optional, variableIdSchema } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { voices } from "../../services/models/openAiApi.ts"
import { messageRoles, messageShape } from "../../services/models/schemas.ts"

/** Role of a message that stands for two lists, one of each side. */
const sequenceRole = "Messages sequence ✨"

const sequenceSchema = namedObject("MessageSequence", "Two lists that stand for a conversation", {
  assistantMessagesVariableId: optional.variableId("List of the assistant's messages"),
  userMessagesVariableId: optional.variableId("List of the user's messages"),
})

const messageSchema = namedObject("LegacyOpenAiMessage", "A message for a model of OpenAI", {
  ...messageShape,
  role: optional.oneOf("Role of the author, or a sequence of messages", [
    ...messageRoles,
    sequenceRole,
  ]),
  content: z
    .union([z.string(), sequenceSchema])
    .meta({ id: "LegacyOpenAiContent", description: "A text, or the two lists of a sequence" })
    .optional()
    .describe("Text of the message; of a sequence: its two variables"),
  name: optional.template("Name of the author"),
})

export type LegacyMessage = z.infer<typeof messageSchema>

export const openAiLegacyBlockSchema = blockSchemaOf("OpenAI", {
  options: optional.named("LegacyOpenAiOptions", "What to ask OpenAI", {
    credentialsId: optional.hinted("Credential of type openai", { credentials: "openai" }),
    baseUrl: optional.template("Root of the API; default https://api.openai.com/v1"),
    apiVersion: optional.template("Version of the API on Azure"),
    task: optional.oneOf("What to do; images are not made any more", [
      "Create chat completion",
      "Create speech",
      "Create image",
    ]),
    model: optional.template("Name of the model; chats default to gpt-3.5-turbo"),
    messages: optional.list("The conversation so far", messageSchema),
    advancedSettings: optional.object("Fine tuning", {
      temperature: optional.numberOrVariable("How freely to answer"),
    }),
    responseMapping: optional.entries("Variables to fill from the answer", {
      valueToExtract: optional.text(
        "Message content (default), Total, Prompt or Completion tokens, Outcome",
      ),
      variableId: variableIdSchema.optional(),
    }),
    input: optional.template("Create speech: what to say"),
    voice: optional.template(`Create speech: ${voices.join(", ")}`),
    saveUrlInVariableId: optional.variableId("Create speech: variable for the address of the MP3"),
    prompt: optional.template("Create image: what to draw"),
    advancedOptions: optional.object("Create image: fine tuning", {
      size: optional.template("Size of the image"),
    }),
  }),
}).meta({ id: "LegacyOpenAiBlock" })

export type OpenAiLegacyBlock = z.infer<typeof openAiLegacyBlockSchema>
export type LegacyOptions = NonNullable<OpenAiLegacyBlock["options"]>
