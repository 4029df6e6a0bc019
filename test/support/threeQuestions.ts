/** A whole conversation with a bot of three questions: what most measurements of chats are about. */
import { ask, bot, group, say } from "./bots.ts"

/** The answers to the three questions, in order. */
export const replies = ["Ann Example", "ann@example.com", "I would like to know more about prices"]

/** Turns of one conversation: the start and each reply. */
export const turnsPerConversation = replies.length + 1

/** Asks for a name, an address and a topic, and thanks. */
export const threeQuestionFlow = bot(
  group(
    "Person",
    say("Hi! What is your name?"),
    ask.text({ id: "name", saves: "Name" }),
    say("Nice to meet you, {{Name}}. Where can we reach you?"),
    ask.email({ id: "email", saves: "Email", to: "Topic" }),
  ),
  group(
    "Topic",
    say("What is it about?"),
    ask.text({ id: "about", saves: "Topic" }),
    say("Thank you, {{Name}}. We will write to {{Email}} about it."),
  ),
)

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
