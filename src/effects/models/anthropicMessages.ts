/** Speaks Anthropic messages (API version 2023-06-01). */
import { pick, pickList, pickText } from "../../engine/blocks/json.ts"
import {
  type Dialogue,
  type PreparedAsk,
  type PreparedMessage,
  type PreparedPart,
  ProviderError,
  type Reply,
  type StreamReader,
  splitSystem,
  type ToolCall,
  usageOf,
} from "./protocol.ts"

// The API asks for a limit; this is what its older models can write at most.
const defaultMaxTokens = 4_096

/** The function by which a model is made to answer with values. */
const answerTool = "answer"

/** Opens a dialogue. */
export function openAnthropicMessages(ask: PreparedAsk): Dialogue {
  const { system, said } = splitSystem(ask.messages)
  const messages: object[] = said.map(messageOf)
  return {
    request: (isStreamed) => ({
      url: `${ask.baseUrl}/messages`,
      headers: { "x-api-key": ask.apiKey, "anthropic-version": "2023-06-01" },
      body: {
        ...bodyOf(ask),
        ...(system ? { system } : {}),
        messages,
        ...(isStreamed ? { stream: true } : {}),
      },
    }),
    read(data) {
      if (!Array.isArray(pick(data, "content"))) {
        throw new ProviderError("The answer holds no content")
      }
      const usage = readUsage(pick(data, "usage"))
      return replyOf(pickList(data, "content").map(blockOf), usage)
    },
    reader: openReader,
    add({ text, toolCalls }, results) {
      const spoken = text ? [{ type: "text", text }] : []
      const calls = toolCalls.map(({ id, name, arguments: json }) => ({
        type: "tool_use",
        id,
        name,
        input: parse(json),
      }))
      messages.push({ role: "assistant", content: [...spoken, ...calls] })
      const content = results.map(({ call, text: result }) => ({
        type: "tool_result",
        tool_use_id: call.id,
        content: result,
      }))
      messages.push({ role: "user", content })
    },
  }
}

function bodyOf(ask: PreparedAsk): object {
  const { model, temperature, maxTokens = defaultMaxTokens, tools = [], answerSchema } = ask
  const offered = tools.map(({ name, description, parameters }) => ({
    name,
    ...(description ? { description } : {}),
    input_schema: parameters,
  }))
  if (answerSchema) {
    const description = "Gives the answer"
    offered.push({ name: answerTool, description, input_schema: answerSchema })
  }
  return {
    model,
    max_tokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(offered.length > 0 ? { tools: offered } : {}),
    ...(answerSchema ? { tool_choice: { type: "tool", name: answerTool } } : {}),
  }
}

function messageOf({ role, content }: PreparedMessage): object {
  return { role, content: typeof content === "string" ? content : content.map(partOf) }
}

function partOf(part: PreparedPart): object {
  if ("text" in part) return { type: "text", text: part.text }
  const { mediaType, base64 } = part.picture
  return { type: "image", source: { type: "base64", media_type: mediaType, data: base64 } }
}

/** A piece of an answer: a text, or a call whose arguments are JSON. */
type Block = { text: string } | { call: ToolCall }

function blockOf(block: unknown): Block {
  if (pick(block, "type") !== "tool_use") return { text: pickText(block, "text") ?? "" }
  const json = JSON.stringify(pick(block, "input") ?? {})
  return { call: callOf(block, json) }
}

function callOf(block: unknown, json: string): ToolCall {
  return { id: pickText(block, "id") ?? "", name: pickText(block, "name") ?? "", arguments: json }
}

/** A call of the answering function is the answer itself. */
function replyOf(blocks: readonly Block[], usage: Reply["usage"]): Reply {
  const calls = blocks.flatMap((block) => ("call" in block ? [block.call] : []))
  const answer = calls.find(({ name }) => name === answerTool)
  const text = blocks.map((block) => ("text" in block ? block.text : "")).join("")
  return {
    text: answer ? answer.arguments : text,
    toolCalls: calls.filter(({ name }) => name !== answerTool),
    ...(usage ? { usage } : {}),
  }
}

function readUsage(usage: unknown): Reply["usage"] {
  return usageOf(pick(usage, "input_tokens"), pick(usage, "output_tokens"))
}

function openReader(): StreamReader {
  const blocks = new Map<unknown, Block>()
  const usage: Record<string, unknown> = {}
  return {
    take(event) {
      const type = pick(event, "type")
      if (type === "error") {
        throw new ProviderError(pickText(event, "error", "message") ?? "The answer broke off")
      }
      Object.assign(usage, pick(event, "message", "usage"), pick(event, "usage"))
      const index = pick(event, "index")
      if (type === "content_block_start") {
        const block = pick(event, "content_block")
        const isCall = pick(block, "type") === "tool_use"
        blocks.set(index, isCall ? { call: callOf(block, "") } : { text: "" })
      }
      const block = blocks.get(index)
      return type === "content_block_delta" && block ? addDelta(block, pick(event, "delta")) : ""
    },
    reply: () => replyOf([...blocks.values()], readUsage(usage)),
  }
}

function addDelta(block: Block, delta: unknown): string {
  if ("call" in block) {
    block.call.arguments += pickText(delta, "partial_json") ?? ""
    return ""
  }
  const text = pick(delta, "type") === "text_delta" ? (pickText(delta, "text") ?? "") : ""
  block.text += text
  return text
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json || "{}")
  } catch {
    return {}
  }
}
