/**
 * Speaks the protocol of Dify apps, which keep the conversation and choose the model. The AI SDK has no
 * library for it.
 */
import { pick, pickText } from "../../lib/foreignJson.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import {
  type Dialogue,
  type DialogueOptions,
  type PreparedAsk,
  ProviderError,
  type Reply,
  textOf,
  usageOf,
} from "./dialogue.ts"
import { readEvents } from "./eventStream.ts"
import { refuse } from "./providerConnection.ts"

/** Creates a dialogue. All apps are asked to stream, because agent apps do nothing else. */
export function createDifyChat(ask: PreparedAsk, { fetch }: DialogueOptions): Dialogue {
  return {
    async *ask(signal) {
      try {
        return yield* askOnce(ask, fetch, signal)
      } catch (error) {
        const { conversationId, ...anew } = ask
        if (conversationId === undefined || !isForgotten(error)) throw error
        return yield* askOnce(anew, fetch, signal)
      }
    },
    add() {},
  }
}

async function* askOnce(
  ask: PreparedAsk,
  fetch: GuardedFetch,
  signal: AbortSignal,
): AsyncGenerator<string, Reply> {
  const response = await fetch(`${ask.baseUrl}/v1/chat-messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${ask.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(bodyOf(ask)),
    // A redirect must not carry the key elsewhere.
    redirect: "manual",
    signal,
  })
  await refuse(response)
  if (response.body === null) throw new ProviderError("The answer is empty")
  const reply: Reply = { text: "", toolCalls: [] }
  let hasEnded = false
  for await (const { data } of readEvents(response.body)) {
    const text = take(reply, data)
    if (text !== "") yield text
    if (pickText(data, "event") === "message_end") hasEnded = true
  }
  if (reply.text === "" && !hasEnded) throw new ProviderError("The answer broke off")
  return reply
}

/** Whether the app has no such conversation: it was deleted, or belongs to another user. */
function isForgotten(error: unknown): boolean {
  return (
    error instanceof ProviderError && error.status === 404 && /conversation/i.test(error.message)
  )
}

function bodyOf(ask: PreparedAsk): object {
  return {
    query: textOf(ask.messages.findLast(({ role }) => role === "user")?.content ?? ""),
    inputs: ask.app?.inputs ?? {},
    user: ask.app?.user ?? "",
    response_mode: "streaming",
    files: [],
    ...(ask.conversationId ? { conversation_id: ask.conversationId } : {}),
  }
}

/** Adds an event to the answer and returns its text, perhaps empty. */
function take(reply: Reply, event: unknown): string {
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
  // Moderation has replaced the text; what the client has already shown stays.
  if (type === "message_replace") reply.text = pickText(event, "answer") ?? ""
  const isText = type === "message" || type === "agent_message"
  const text = isText ? (pickText(event, "answer") ?? "") : ""
  reply.text += text
  return text
}
