/** A whole conversation with a bot of three questions: what most measurements of chats are about. */
import { place, say } from "../../scripts/drills/flowParts.ts"

/** What a bot of three questions is told, in order. */
export const replies = ["Ann Example", "ann@example.com", "I would like to know more about prices"]

/** Turns of one conversation: the start and each reply. */
export const turnsPerConversation = replies.length + 1

const ask = (id: string, type: string, variableId: string) => ({
  id,
  type,
  options: { variableId },
})

/** Asks for a name, an address and a topic, and thanks. */
export const threeQuestionFlow = {
  version: "6.1",
  name: "Three questions",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: place }],
  groups: [
    {
      id: "person",
      title: "Person",
      graphCoordinates: place,
      blocks: [
        say("hello", "Hi! What is your name?"),
        ask("name", "text input", "v1"),
        say("greeting", "Nice to meet you, {{Name}}. Where can we reach you?"),
        { ...ask("email", "email input", "v2"), outgoingEdgeId: "e2" },
      ],
    },
    {
      id: "topic",
      title: "Topic",
      graphCoordinates: place,
      blocks: [
        say("question", "What is it about?"),
        ask("about", "text input", "v3"),
        say("thanks", "Thank you, {{Name}}. We will write to {{Email}} about it."),
      ],
    },
  ],
  edges: [
    { id: "e1", from: { eventId: "start" }, to: { groupId: "person" } },
    { id: "e2", from: { blockId: "email" }, to: { groupId: "topic" } },
  ],
  variables: [
    { id: "v1", name: "Name" },
    { id: "v2", name: "Email" },
    { id: "v3", name: "Topic" },
  ],
}

/** Holds one conversation over REST from start to end; returns the id of its session. */
export async function converse(address: string, publicId: string): Promise<string> {
  const { sessionId } = await post(`${address}/api/v1/bots/${publicId}/startChat`, {})
  for (const message of replies) {
    await post(`${address}/api/v1/sessions/${sessionId}/continueChat`, { message })
  }
  return String(sessionId)
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (response.status !== 200) throw new Error(`${url}: ${JSON.stringify(answer)}`)
  return answer
}
