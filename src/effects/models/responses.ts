/** Speaks OpenAI responses; the conversation is kept at the provider. */
import { pick, pickList, pickText } from "../../engine/blocks/json.ts"
import {
  type Dialogue,
  dataUrl,
  type PreparedAsk,
  type PreparedMessage,
  ProviderError,
  type Reply,
  type StreamReader,
  splitSystem,
  usageOf,
} from "./protocol.ts"

/** Opens a dialogue. */
export function openResponses(ask: PreparedAsk): Dialogue {
  const { system, said } = splitSystem(ask.messages)
  let input: object[] = said.map(messageOf)
  let previous = ask.conversationId
  return {
    request: (isStreamed) => ({
      url: `${ask.baseUrl}/responses`,
      headers: { authorization: `Bearer ${ask.apiKey}` },
      body: {
        ...bodyOf(ask),
        // Not carried over from the response that is continued.
        ...(system ? { instructions: system } : {}),
        input,
        ...(previous ? { previous_response_id: previous } : {}),
        ...(isStreamed ? { stream: true } : {}),
      },
    }),
    read: readResponse,
    reader: openReader,
    add({ conversationId }, results) {
      previous = conversationId
      input = results.map(({ call, text }) => ({
        type: "function_call_output",
        call_id: call.id,
        output: text,
      }))
    },
  }
}

function bodyOf(ask: PreparedAsk): object {
  const { model, temperature, maxTokens, answerSchema } = ask
  const tools = toolsOf(ask)
  return {
    model,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(answerSchema
      ? {
          text: {
            format: { type: "json_schema", name: "answer", schema: answerSchema, strict: true },
          },
        }
      : {}),
  }
}

function toolsOf({ tools = [], hosted }: PreparedAsk): object[] {
  const { fileSearch, webSearch, codeInterpreter } = hosted ?? {}
  const own = tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    ...(description ? { description } : {}),
    parameters,
    strict: false,
  }))
  const search = fileSearch && {
    type: "file_search",
    vector_store_ids: fileSearch.vectorStoreIds,
    ...(fileSearch.maxResults === undefined ? {} : { max_num_results: fileSearch.maxResults }),
    ...(fileSearch.scoreThreshold === undefined
      ? {}
      : { ranking_options: { score_threshold: fileSearch.scoreThreshold } }),
  }
  return [
    ...own,
    ...(search ? [search] : []),
    ...(webSearch ? [{ type: "web_search" }] : []),
    ...(codeInterpreter ? [{ type: "code_interpreter", container: { type: "auto" } }] : []),
  ]
}

function messageOf({ role, content }: PreparedMessage): object {
  if (typeof content === "string") return { role, content }
  const parts = content.map((part) =>
    "text" in part
      ? { type: "input_text", text: part.text }
      : { type: "input_image", image_url: dataUrl(part.picture) },
  )
  return { role, content: parts }
}

function readResponse(data: unknown): Reply {
  const refusal = pickText(data, "error", "message")
  if (refusal !== undefined) throw new ProviderError(refusal)
  if (!Array.isArray(pick(data, "output"))) throw new ProviderError("The answer holds no output")
  const output = pickList(data, "output")
  const texts = output
    .flatMap((item) => pickList(item, "content"))
    .map((part) => (pick(part, "type") === "output_text" ? (pickText(part, "text") ?? "") : ""))
  const calls = output.filter((item) => pick(item, "type") === "function_call")
  const usage = usageOf(
    pick(data, "usage", "input_tokens"),
    pick(data, "usage", "output_tokens"),
    pick(data, "usage", "total_tokens"),
  )
  const conversationId = pickText(data, "id")
  return {
    text: texts.join(""),
    toolCalls: calls.map((call) => ({
      id: pickText(call, "call_id") ?? "",
      name: pickText(call, "name") ?? "",
      arguments: pickText(call, "arguments") ?? "",
    })),
    ...(usage ? { usage } : {}),
    ...(conversationId ? { conversationId } : {}),
  }
}

function openReader(): StreamReader {
  let reply: Reply = { text: "", toolCalls: [] }
  return {
    take(event) {
      const type = pickText(event, "type") ?? ""
      if (type === "error" || type === "response.failed") {
        const words = pickText(event, "response", "error", "message") ?? pickText(event, "message")
        throw new ProviderError(words ?? "The answer broke off")
      }
      // The last event repeats everything, with the tokens that it took.
      if (type === "response.completed" || type === "response.incomplete") {
        reply = readResponse(pick(event, "response"))
        return ""
      }
      const text = type === "response.output_text.delta" ? (pickText(event, "delta") ?? "") : ""
      reply.text += text
      return text
    },
    reply: () => reply,
  }
}
