/** Assembles an answer from the parts that a model of the AI SDK returns, whole or streamed. */
import {
  InvalidResponseDataError,
  type LanguageModelV3Content,
  type LanguageModelV3ReasoningPart,
  type LanguageModelV3StreamPart,
  type LanguageModelV3ToolCall,
} from "@ai-sdk/provider"
import { pick } from "../../lib/foreignJson.ts"
import { ProviderError, type Reply, usageOf } from "./dialogue.ts"

export type Answer = {
  /** Everything so far; `conversationId` is the id of this answer. */
  reply: Reply
  /** The model's reasoning, by id; some models need it back. */
  reasoning: Map<string, LanguageModelV3ReasoningPart>
  /** Adds a part and returns its text, perhaps empty. Throws an error that the part reports. */
  take(part: LanguageModelV3Content | LanguageModelV3StreamPart): string
}

/** Real answers have fewer. The library searches all parts of a kind for each new one. */
const maxParts = 500

export function createAnswer(): Answer {
  const reply: Reply = { text: "", toolCalls: [] }
  const reasoning: Answer["reasoning"] = new Map()
  let begun = 0
  const addText = (text: string) => {
    reply.text += text
    return text
  }
  return {
    reply,
    reasoning,
    take(part) {
      if (part.type === "tool-input-start" || part.type === "reasoning-start") begun++
      if (Math.max(begun, reply.toolCalls.length) > maxParts) {
        throw new ProviderError("The answer has too many parts")
      }
      switch (part.type) {
        case "text":
          return addText(part.text)
        case "text-delta":
          return addText(part.delta)
        case "reasoning":
          addReasoning(reasoning, { ...part, id: `${reasoning.size}`, delta: part.text })
          break
        case "reasoning-start":
        case "reasoning-delta":
          addReasoning(reasoning, part)
          break
        case "tool-call":
          if (!part.providerExecuted) reply.toolCalls.push(callOf(part))
          break
        case "response-metadata":
          if (part.id) reply.conversationId = part.id
          break
        case "finish":
          finish(reply, part)
          break
        case "error":
          if (!lacksOnlyReason(part.error, reply)) throw part.error
      }
      return ""
    },
  }
}

type ReasoningPart = Pick<LanguageModelV3ReasoningPart, "providerOptions"> & {
  id: string
  delta?: string
  providerMetadata?: LanguageModelV3ReasoningPart["providerOptions"]
}

function addReasoning(reasoning: Answer["reasoning"], part: ReasoningPart): void {
  const { id, delta = "", providerMetadata } = part
  const existing = reasoning.get(id) ?? { type: "reasoning", text: "" }
  existing.text += delta
  if (providerMetadata) existing.providerOptions = providerMetadata
  reasoning.set(id, existing)
}

function callOf({ toolCallId, toolName, input }: LanguageModelV3ToolCall) {
  return { id: toolCallId, name: toolName, arguments: input }
}

type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>

function finish(reply: Reply, { usage, finishReason }: Finish): void {
  const { inputTokens, outputTokens, raw } = usage
  const counted = usageOf(inputTokens.total, outputTokens.total, pick(raw, "total_tokens"))
  if (counted) reply.usage = counted
  if (reply.text === "" && reply.toolCalls.length === 0) {
    if (finishReason.unified === "content-filter") throw new ProviderError("The answer is withheld")
    if (finishReason.unified === "length") {
      throw new ProviderError("The longest answer allowed ended before the text began")
    }
  }
  // The answer failed without reporting an error.
  if (finishReason.unified === "error" && finishReason.raw !== undefined) {
    throw new ProviderError("The answer broke off")
  }
}

/** Whether an error only means that the provider gave no reason for the end of the answer. */
function lacksOnlyReason(error: unknown, { text, toolCalls }: Reply): boolean {
  const isUnfinished = InvalidResponseDataError.isInstance(error) && error.data === undefined
  return isUnfinished && (text !== "" || toolCalls.length > 0)
}
