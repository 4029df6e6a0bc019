/** Waits for a webhook call, which the service announces in an event. */
import { readLines } from "../talk/lines.ts"
import { pause } from "../talk/pause.ts"
import { interruptible, sessionPath, type Talk } from "../talk/talk.ts"

const betweenAttemptsMs = 2_000

/** Resolves to the body of the call. Reconnects until a command interrupts it. */
export async function listenForWebhook(talk: Talk): Promise<string | undefined> {
  const { connection } = talk
  const signal = interruptible(talk)
  const url = connection.host + sessionPath(talk, "events")
  talk.store.change({ isTyping: true })
  for (;;) {
    const text = await firstEvent(url, { headers: connection.headers, signal })
    if (text !== undefined) return text
    await pause(betweenAttemptsMs, signal)
  }
}

/** The data of the first event; undefined if the connection ended before it. Throws on a refusal. */
async function firstEvent(url: string, init: RequestInit): Promise<string | undefined> {
  const response = await fetch(url, { ...init, credentials: "omit" }).catch(() => undefined)
  if (!response?.body) return undefined
  if (response.status >= 400 && response.status < 500 && response.status !== 429) {
    throw new Error(`The wait for a call was refused with ${response.status}`)
  }
  if (!response.ok) return undefined
  try {
    for await (const line of readLines(response.body)) {
      if (line.startsWith("data: ")) return line.slice("data: ".length)
    }
  } catch {
    // The connection broke; the next one gets the event as well.
  }
  return undefined
}
