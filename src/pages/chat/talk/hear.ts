/**
 * Receives events of a chat besides its own turns: one connection while the chat is open and its tab awake.
 */
import type { ChatStep } from "../payload.ts"
import { anySignal } from "./anySignal.ts"
import { maxWaitMs } from "./connection.ts"
import { readLines } from "./lines.ts"
import { pause } from "./pause.ts"
import { type Heard, keep, maxTextLength, sessionPath, type Talk } from "./talk.ts"

const minPauseMs = 2_000

/** Events with a step: a member has led the chat elsewhere, or it has answered silence. */
const steps: ReadonlySet<string> = new Set(["conversation.continued", "conversation.idle"])

/** Final events. */
const endings: ReadonlySet<string> = new Set(["conversation.ended", "conversation.expired"])

/**
 * Listens until stopped or a final event, and reconnects where it broke off. A sleeping tab gets missed
 * events once it wakes; one that waits for a webhook call does not sleep.
 */
export async function hear(
  talk: Talk,
  hearing: AbortSignal,
  onHeard: (heard: Heard) => void,
): Promise<void> {
  const signal = anySignal(talk.closing.signal, hearing)
  let pauseMs = minPauseMs
  while (!signal.aborted) {
    await untilAwake(talk, signal)
    const release = await place(talk, signal)
    const { isOver, waitMs } = await listen(talk, signal, onHeard).finally(release)
    if (isOver) return
    pauseMs = waitMs === 0 ? minPauseMs : Math.min(maxWaitMs, Math.max(waitMs, pauseMs * 2))
    await pause(pauseMs, signal).catch(() => {})
  }
}

function isAsleep({ onCall }: Talk): boolean {
  return document.hidden && !onCall
}

function untilAwake(talk: Talk, signal: AbortSignal): Promise<void> {
  if (!isAsleep(talk)) return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal })
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

/** Of the six connections that browsers open over HTTP/1.1, the others are for answers of all chats in the page. */
const maxListening = 3

const listening = new Set<AbortSignal>()
const queue = new Set<() => void>()

/**
 * Takes one of the places, and returns a function that releases it. A chat that waits for a webhook call,
 * which would not come again, needs none.
 */
async function place(talk: Talk, signal: AbortSignal): Promise<() => void> {
  while (listening.size >= maxListening && !talk.onCall && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const go = () => {
        queue.delete(go)
        resolve()
      }
      queue.add(go)
      signal.addEventListener("abort", go, { once: true })
      talk.listenNow = go
    })
  }
  listening.add(signal)
  return () => {
    listening.delete(signal)
    const [next] = queue
    next?.()
  }
}

/** One connection. Ends when it breaks, the tab falls asleep, or after a final event. */
async function listen(talk: Talk, closing: AbortSignal, onHeard: (heard: Heard) => void) {
  const { connection, heardId } = talk
  const asleep = new AbortController()
  const signal = anySignal(closing, asleep.signal)
  const sleep = () => {
    if (isAsleep(talk)) asleep.abort()
  }
  document.addEventListener("visibilitychange", sleep, { signal })
  const headers = { ...connection.headers, ...(heardId && { "last-event-id": heardId }) }
  const url = connection.host + sessionPath(talk, "events")
  try {
    const response = await fetch(url, { headers, signal, credentials: "omit" })
    if (!response.ok || !response.body) {
      const isLasting = response.status >= 400 && response.status < 500 && response.status !== 429
      const waitMs = (Number(response.headers.get("retry-after")) || 1) * 1000
      return { isOver: isLasting, waitMs }
    }
    let [type, id] = ["", heardId]
    for await (const line of readLines(response.body)) {
      const [name = "", value = ""] = /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []
      if (name === "") type = ""
      else if (name === "event") type = value
      else if (name === "id") id = value
      else if (name === "data" && type === "conversation.typing") {
        onHeard({ ofTeam: { isTyping: true } })
      } else if (name === "data") {
        // Only now: an event that breaks off after its id comes again. Another tab may have been first.
        if (isKnown(talk, id)) continue
        talk.heardId = id
        keep(talk, {})
        const heard = heardIn(type, value)
        if (heard) onHeard(heard)
        if (heard === "end") return { isOver: true, waitMs: 0 }
      }
    }
    return { isOver: false, waitMs: 0 }
  } catch {
    return { isOver: false, waitMs: asleep.signal.aborted ? 0 : 1 }
  } finally {
    asleep.abort()
  }
}

/** Whether an event has been heard: ids of events grow, behind the id of the last call. */
function isKnown({ heardId }: Talk, id: string | undefined): boolean {
  return id !== undefined && id === heardId
}

function heardIn(type: string, value: string): Heard | undefined {
  // The call itself counts, not the sent text; a long call exceeds the limit of a message.
  if (type === "") return { call: value.length > maxTextLength ? undefined : value }
  if (endings.has(type)) return "end"
  if (type === "conversation.reply") return { ofTeam: { reply: JSON.parse(value) } }
  if (type === "conversation.paused") return { ofTeam: { isPaused: true } }
  if (type === "conversation.resumed") return { ofTeam: { isPaused: false } }
  if (!steps.has(type)) return undefined
  const step: ChatStep = JSON.parse(value)
  // A flow without a reaction to silence keeps waiting.
  const isMute = type === "conversation.idle" && step.messages.length === 0 && !step.input
  return isMute ? undefined : { step }
}
