/** Speaks OpenAI chat completions, which most providers understand. */
import { pick, pickList, pickText } from "../../engine/blocks/json.ts"
import {
  type Dialogue,
  dataUrl,
  type PreparedAsk,
  type PreparedMessage,
  ProviderError,
  type Reply,
  type StreamReader,
  type ToolCall,
  usageOf,
} from "./protocol.ts"

/** Opens a dialogue. */
export function openChatCompletions(ask: PreparedAsk): Dialogue {
  const messages: object[] = ask.messages.map(messageOf)
  return {
    request: (isStreamed) => ({
      url: urlOf(ask),
      headers: headersOf(ask),
      body: { ...bodyOf(ask), messages, ...(isStreamed ? streamOptions(ask) : {}) },
    }),
    read(data) {
      const message = pick(data, "choices", 0, "message")
      if (typeof message !== "object") throw new ProviderError("The answer holds no message")
      return {
        text: pickText(message, "content") ?? "",
        toolCalls: pickList(message, "tool_calls").map((call) => ({
          id: pickText(call, "id") ?? "",
          name: pickText(call, "function", "name") ?? "",
          arguments: pickText(call, "function", "arguments") ?? "",
        })),
        ...readUsage(data),
      }
    },
    reader: openReader,
    add({ text, toolCalls }, results) {
      const calls = toolCalls.map(({ id, name, arguments: json }) => ({
        id,
        type: "function",
        function: { name, arguments: json },
      }))
      messages.push({ role: "assistant", content: text || null, tool_calls: calls })
      for (const { call, text: content } of results) {
        messages.push({ role: "tool", tool_call_id: call.id, content })
      }
    },
  }
}

function urlOf({ baseUrl, apiVersion }: PreparedAsk): string {
  const query = apiVersion ? `?${new URLSearchParams({ "api-version": apiVersion })}` : ""
  return `${baseUrl}/chat/completions${query}`
}

/** Azure looks for the key in a header of its own. */
function headersOf({ apiKey, apiVersion }: PreparedAsk): Record<string, string> {
  const authorization = `Bearer ${apiKey}`
  return apiVersion ? { authorization, "api-key": apiKey } : { authorization }
}

function bodyOf(ask: PreparedAsk): object {
  const { model, temperature, maxTokens, tools, answerSchema } = ask
  // OpenAI's newer models refuse `max_tokens`, other providers know nothing else.
  const limit = isOpenAi(ask) ? "max_completion_tokens" : "max_tokens"
  return {
    model,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
    ...(tools?.length
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, ...(description ? { description } : {}), parameters },
          })),
        }
      : {}),
    ...(answerSchema
      ? {
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", schema: answerSchema, strict: true },
          },
        }
      : {}),
  }
}

/** Mistral counts tokens unasked, and refuses members that it does not know. */
function streamOptions(ask: PreparedAsk): object {
  const isStrict = hostOf(ask).endsWith("mistral.ai")
  return { stream: true, ...(isStrict ? {} : { stream_options: { include_usage: true } }) }
}

function isOpenAi(ask: PreparedAsk): boolean {
  return hostOf(ask).endsWith("openai.com")
}

function hostOf({ baseUrl }: PreparedAsk): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ""
}

function messageOf({ role, content, name }: PreparedMessage): object {
  const parts =
    typeof content === "string"
      ? content
      : content.map((part) =>
          "text" in part
            ? { type: "text", text: part.text }
            : { type: "image_url", image_url: { url: dataUrl(part.picture) } },
        )
  return { role, content: parts, ...(name ? { name } : {}) }
}

function readUsage(data: unknown): Pick<Reply, "usage"> {
  const usage = usageOf(
    pick(data, "usage", "prompt_tokens"),
    pick(data, "usage", "completion_tokens"),
    pick(data, "usage", "total_tokens"),
  )
  return usage ? { usage } : {}
}

function openReader(): StreamReader {
  const reply: Reply = { text: "", toolCalls: [] }
  const calls = new Map<unknown, ToolCall>()
  return {
    take(event) {
      const refusal = pickText(event, "error", "message")
      if (refusal !== undefined) throw new ProviderError(refusal)
      Object.assign(reply, readUsage(event))
      const delta = pick(event, "choices", 0, "delta")
      for (const part of pickList(delta, "tool_calls")) addPart(calls, part)
      reply.toolCalls = [...calls.values()]
      const text = pickText(delta, "content") ?? ""
      reply.text += text
      return text
    },
    reply: () => reply,
  }
}

/** The first part of a call names it, further ones continue its arguments. */
function addPart(calls: Map<unknown, ToolCall>, part: unknown): void {
  const key = pick(part, "index") ?? pick(part, "id") ?? 0
  const call = calls.get(key) ?? { id: "", name: "", arguments: "" }
  call.id ||= pickText(part, "id") ?? ""
  call.name ||= pickText(part, "function", "name") ?? ""
  call.arguments += pickText(part, "function", "arguments") ?? ""
  calls.set(key, call)
}
