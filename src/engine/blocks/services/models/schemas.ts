/** Stored form of the options that ask models: messages, functions, completions, generated variables. */
import { z } from "zod"
import { listOf } from "../../../schema/lists.ts"
import {
  entryIdSchema,
  hinted,
  idSchema,
  namedObject,
  optional,
  variableIdSchema,
} from "../../../schema/sharedMembers.ts"
import { credentialsOption, itemMappingSchema, outcomeItem } from "../serviceBlock.ts"

export const messageRoles = ["system", "user", "assistant", "Dialogue"] as const

/** Members of a message, for every kind of it. */
export const messageShape = {
  id: idSchema.optional().describe("Id of the message"),
  role: optional.oneOf(
    "Role of the author; Dialogue: a whole conversation from a list variable",
    messageRoles,
  ),
  content: optional.template("Text of the message"),
  dialogueVariableId: optional.variableId("Dialogue: list of the alternating messages"),
  startsBy: optional.oneOf("Dialogue: role of the first message", ["user", "assistant"], "user"),
}

const messageSchema = namedObject("ModelMessageOption", "A message for a model", messageShape)

export type MessageOption = z.infer<typeof messageSchema>

const parameterSchema = namedObject("ModelToolParameter", "An argument of a function", {
  id: idSchema.optional().describe("Id of the parameter"),
  type: optional.oneOf("Type of the argument", ["string", "number", "boolean", "enum"], "string"),
  name: optional.template("Name of the argument"),
  description: optional.template("Description for the model"),
  required: optional.flag("Whether it is required", true),
  values: optional.list("Allowed values of an enum", z.string()),
})

export const toolSchema = namedObject(
  "ModelToolOption",
  "A function of the author that a model may call",
  {
    id: idSchema.optional().describe("Id of the function"),
    type: z.literal("function").optional().describe("Always function"),
    name: optional.template("Name of the function; needed"),
    description: optional.template("Description for the model"),
    parameters: optional.list("Its arguments", parameterSchema),
    code: optional.hinted(
      "Body in JavaScript, arguments as variables; needed; may hold {{variables}}",
      { code: "javascript", template: true },
    ),
  },
)

export type ToolOption = z.infer<typeof toolSchema>

/** Max servers of one block: all are asked for their tools before the model. */
const maxServers = 5

const mcpServerSchema = namedObject(
  "McpServerOption",
  "An MCP server with tools that a model may call",
  {
    id: entryIdSchema.optional(),
    credentialsId: optional.hinted("Credential of the server; needed", { credentials: "mcp" }),
    tools: optional.list(
      "Names of the tools that are offered; absent or empty: all",
      z.string().meta(hinted("Name of a tool", { tool: true })),
    ),
  },
)

export type McpServerOption = z.infer<typeof mcpServerSchema>

/** Parts of an answer that variables can receive. */
export const completionItems = [
  "Message content",
  "Total tokens",
  "Prompt tokens",
  "Completion tokens",
  outcomeItem,
] as const

/** Options of every block that completes chats. */
export const completionShape = {
  credentialsId: credentialsOption,
  model: optional.template("Name of the model"),
  messages: optional.list("The conversation so far", messageSchema),
  tools: optional.list("Functions that the model may call", toolSchema),
  mcpServers: listOf(mcpServerSchema, maxServers)
    .optional()
    .describe(`MCP servers whose tools the model may call, at most ${maxServers}`),
  temperature: optional.numberOrVariable("How freely to answer; default the provider's"),
  responseMapping: itemMappingSchema(completionItems, "CompletionMapping"),
}

/** Options of every block that has a model fill variables from a text, besides model and credential. */
export const extractionShape = {
  prompt: optional.template("Generate variables: text to extract the values from"),
  variablesToExtract: optional.list(
    "Generate variables: the variables to fill",
    namedObject("VariableToExtract", "A variable for a model to fill", {
      id: entryIdSchema.optional(),
      type: optional.oneOf(
        "Type of the value; array: a list of texts",
        ["string", "number", "boolean", "array", "enum"],
        "string",
      ),
      variableId: variableIdSchema.optional(),
      description: optional.template("Description for the model"),
      isRequired: optional.flag("Whether it is required", true),
      values: optional.list("Allowed values of an enum", z.string()),
    }),
  ),
}

/** The address of a model, for options that can set it. */
type ModelAddress = {
  model?: string | undefined
  baseUrl?: string | undefined
  apiVersion?: string | undefined
}

const completionSchema = z.object(completionShape)
const extractionSchema = z.object(extractionShape)

export type CompletionOptions = z.infer<typeof completionSchema> &
  ModelAddress & {
    systemMessage?: string | undefined
    maxTokens?: number | string | undefined
  }

export type ExtractionOptions = z.infer<typeof extractionSchema> & ModelAddress
