/** Converts messages, functions and results for the AI SDK (provider specification 3). */
import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider"
import { defined } from "../../lib/presentMembers.ts"
import {
  type PreparedAsk,
  type PreparedMessage,
  type PreparedPart,
  type Reply,
  readArguments,
  type ToolResult,
  textOf,
} from "./dialogue.ts"

/** Converts a message. Only chat completions have names. */
export function messageOf({ role, content, name }: PreparedMessage): LanguageModelV3Message {
  const providerOptions: SharedV3ProviderOptions = name ? { openaiCompatible: { name } } : {}
  if (role === "system") return { role, content: textOf(content), providerOptions }
  if (role === "assistant") {
    return { role, content: [{ type: "text", text: textOf(content) }], providerOptions }
  }
  const parts = (typeof content === "string" ? [{ text: content }] : content).map(partOf)
  // The library turns a single text into the whole message, and drops the options beside the list.
  if (parts.length === 1)
    return { role, content: parts.map((part) => ({ ...part, providerOptions })) }
  return { role, content: parts, providerOptions }
}

function partOf(part: PreparedPart): LanguageModelV3TextPart | LanguageModelV3FilePart {
  if ("text" in part) return { type: "text", text: part.text }
  const { mediaType, base64 } = part.picture
  return { type: "file", mediaType, data: base64 }
}

/** Converts settings, the author's functions, and the form of the answer. */
export function settingsOf(ask: PreparedAsk): Settings {
  const { temperature, maxTokens, tools = [], answerSchema } = ask
  return {
    ...defined({ temperature, maxOutputTokens: maxTokens }),
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      ...(description ? { description } : {}),
      inputSchema: parameters as JSONSchema7,
    })),
    ...(answerSchema
      ? { responseFormat: { type: "json", name: "answer", schema: answerSchema as JSONSchema7 } }
      : {}),
  }
}

type Settings = Pick<
  LanguageModelV3CallOptions,
  "temperature" | "maxOutputTokens" | "responseFormat"
> & { tools: LanguageModelV3FunctionTool[] }

export function resultsMessage(results: readonly ToolResult[]): LanguageModelV3Message {
  return {
    role: "tool",
    content: results.map(({ call, text }) => ({
      type: "tool-result",
      toolCallId: call.id,
      toolName: call.name,
      output: { type: "text", value: text },
    })),
  }
}

/** Converts the answer in which the model called functions. */
export function replyMessage(
  { text, toolCalls }: Reply,
  reasoning: Iterable<LanguageModelV3ReasoningPart>,
): LanguageModelV3Message {
  return {
    role: "assistant",
    content: [
      ...reasoning,
      ...(text ? [{ type: "text" as const, text }] : []),
      ...toolCalls.map((call) => ({
        type: "tool-call" as const,
        toolCallId: call.id,
        toolName: call.name,
        // Arguments that are not an object cannot be repeated; the result says so.
        input: readArguments(call) ?? {},
      })),
    ],
  }
}
