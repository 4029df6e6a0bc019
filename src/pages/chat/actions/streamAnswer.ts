/** Shows the answer of a model while it is being generated. */
import { loadOnDemand } from "../loadOnDemand.ts"
import type { ChatMessage, RichTextNode } from "../payload.ts"
import { anySignal } from "../talk/anySignal.ts"
import { maxWaitMs } from "../talk/connection.ts"
import { readLines } from "../talk/lines.ts"
import { pause } from "../talk/pause.ts"
import { maxTextLength, sessionPath, type Talk } from "../talk/talk.ts"

/**
 * Statuses of a call that has not been processed. After any other failure the model may have been
 * asked, and its functions may have run: they must not run twice.
 */
const unprocessed = new Set([429, 503])
const defaultRetrySeconds = 3
/** The service ends an answer after two minutes, so a connection that stays open longer is dead. */
const timeoutMs = 150_000

/**
 * Returns the text, cut to the max that can be sent; undefined: none, so the page shows a notice and the chat
 * continues.
 */
export async function streamAnswer(talk: Talk): Promise<string | undefined> {
  const text = await stream(talk)
  if (text === undefined) talk.store.change({ notice: "noAnswer" })
  return text
}

async function stream(talk: Talk): Promise<string | undefined> {
  talk.store.change({ isTyping: true })
  const reader = loadReader(talk)
  let response = await ask(talk)
  if (response && unprocessed.has(response.status)) {
    const seconds = Number(response.headers.get("retry-after")) || defaultRetrySeconds
    if (seconds * 1000 > maxWaitMs) return undefined
    await pause(seconds * 1000, talk.closing.signal)
    response = await ask(talk)
  }
  if (!response?.ok || !response.body) return undefined
  const write = openMessage(talk, await reader)
  let text = ""
  let message: ChatMessage | undefined
  try {
    for await (const line of readLines(response.body)) {
      // Each line is a code, a colon and JSON. 0 is text; the others are about steps and tools.
      if (!line.startsWith("0:")) continue
      text += JSON.parse(line.slice(2))
      message = write(text)
    }
  } catch (error) {
    if (talk.closing.signal.aborted) throw error
    // The person has already read what has arrived.
  }
  if (message) talk.emit({ type: "message", message })
  return text === "" ? undefined : text.slice(0, maxTextLength)
}

function ask(talk: Talk): Promise<Response | undefined> {
  const { connection, closing } = talk
  return fetch(connection.host + sessionPath(talk, "streamMessage"), {
    method: "POST",
    headers: connection.headers,
    signal: anySignal(closing.signal, AbortSignal.timeout(timeoutMs)),
    credentials: "omit",
  }).catch(() => undefined)
}

type Reader = (markdown: string) => RichTextNode[]

/** The reader of Markdown. Without it, the words are shown as the model has written them. */
function loadReader({ connection }: Talk): Promise<Reader> {
  return loadOnDemand(connection.host).then(
    ({ readMarkdown }) => readMarkdown,
    () => (text) => [{ type: "p", children: [{ text }] }],
  )
}

/**
 * Returns a function that adds a message, and then replaces its text. The bot keeps typing meanwhile: the
 * model may pause, and screen readers wait for the whole answer.
 */
function openMessage(talk: Talk, read: Reader): (markdown: string) => ChatMessage {
  const key = ++talk.lastKey
  return (markdown) => {
    const { entries } = talk.store.read()
    const content = { type: "richText" as const, richText: read(markdown) }
    const message: ChatMessage = { id: `stream-${key}`, type: "text", content }
    const others = entries.filter((each) => each.key !== key)
    talk.store.change({ entries: [...others, { kind: "message", key, message }] })
    return message
  }
}
