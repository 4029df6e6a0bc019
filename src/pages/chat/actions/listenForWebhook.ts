/** Waits for a webhook call, which the service announces in an event among others. */
import type { ChatStep } from "../payload.ts"
import { readLines } from "../talk/lines.ts"
import { pause } from "../talk/pause.ts"
import { interruptible, longestText, sessionPath, type Talk } from "../talk/talk.ts"

const betweenAttemptsMs = 2_000

/** Events with a step that the chat has gone on with: somebody has led it elsewhere, or it has answered silence. */
const steps: ReadonlySet<string> = new Set(["conversation.continued", "conversation.idle"])

/** Nothing comes after these; the service says so to whoever sends something. */
const endings: ReadonlySet<string> = new Set(["conversation.ended", "conversation.expired"])

/** What ends the wait: a call as the text to send, or a step to play; neither: the chat is over. */
type Heard = { outcome: string | ChatStep | undefined }

/** Resolves to the body of the call, or to the step that came instead. Reconnects until a command interrupts it. */
export async function listenForWebhook(talk: Talk): Promise<string | ChatStep | undefined> {
  const signal = interruptible(talk)
  talk.store.change({ isTyping: true })
  for (;;) {
    const heard = await listen(talk, signal)
    if (heard) return heard.outcome
    await pause(betweenAttemptsMs, signal)
  }
}

/** Listens until something ends the wait; undefined if the connection ended before. Throws on a refusal. */
async function listen(talk: Talk, signal: AbortSignal): Promise<Heard | undefined> {
  const { connection, heardId } = talk
  const headers = { ...connection.headers, ...(heardId && { "last-event-id": heardId }) }
  const url = connection.host + sessionPath(talk, "events")
  const response = await fetch(url, { headers, signal, credentials: "omit" }).catch(() => undefined)
  if (!response?.body) return undefined
  if (response.status >= 400 && response.status < 500 && response.status !== 429) {
    throw new Error(`The wait for a call was refused with ${response.status}`)
  }
  if (!response.ok) return undefined
  let type = ""
  let id = heardId
  try {
    for await (const line of readLines(response.body)) {
      const [name = "", value = ""] = /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []
      if (name === "") type = ""
      else if (name === "event") type = value
      else if (name === "id") id = value
      else if (name === "data") {
        // Only now: an event that breaks off after its id comes again.
        talk.heardId = id
        // Whatever is sent, the call itself counts; a long one is longer than what can be sent.
        if (type === "") return { outcome: value.length > longestText ? undefined : value }
        if (steps.has(type)) return { outcome: JSON.parse(value) }
        if (endings.has(type)) return { outcome: undefined }
      }
    }
  } catch {
    // The connection broke; the next one gets the event as well.
  }
  return undefined
}
