/** Speaks to a Dify app, which keeps the conversation and decides on its model. */
import { pick, pickText } from "../../engine/blocks/json.ts"
import {
  type Dialogue,
  type PreparedAsk,
  ProviderError,
  type Reply,
  type StreamReader,
  textOf,
  usageOf,
} from "./protocol.ts"

/** Opens a dialogue; agent apps answer bit by bit only, so all of them are asked to. */
export function openDifyChat(ask: PreparedAsk): Dialogue {
  const query = textOf(ask.messages.findLast(({ role }) => role === "user")?.content ?? "")
  return {
    alwaysStreams: true,
    request: () => ({
      url: `${ask.baseUrl}/v1/chat-messages`,
      headers: { authorization: `Bearer ${ask.apiKey}` },
      body: {
        query,
        inputs: ask.app?.inputs ?? {},
        user: ask.app?.user ?? "",
        response_mode: "streaming",
        files: [],
        ...(ask.conversationId ? { conversation_id: ask.conversationId } : {}),
      },
    }),
    read() {
      throw new ProviderError("The app does not answer bit by bit")
    },
    reader: openReader,
    add() {},
  }
}

function openReader(): StreamReader {
  const reply: Reply = { text: "", toolCalls: [] }
  return {
    take(event) {
      const type = pickText(event, "event")
      if (type === "error") {
        throw new ProviderError(pickText(event, "message") ?? "The answer broke off")
      }
      const conversationId = pickText(event, "conversation_id")
      if (conversationId) reply.conversationId = conversationId
      const usage = pick(event, "metadata", "usage")
      const counted = usageOf(
        pick(usage, "prompt_tokens"),
        pick(usage, "completion_tokens"),
        pick(usage, "total_tokens"),
      )
      if (counted) reply.usage = counted
      // Moderation takes back what was said; what the client has shown stays.
      if (type === "message_replace") reply.text = pickText(event, "answer") ?? ""
      const isText = type === "message" || type === "agent_message"
      const text = isText ? (pickText(event, "answer") ?? "") : ""
      reply.text += text
      return text
    },
    reply: () => reply,
  }
}
