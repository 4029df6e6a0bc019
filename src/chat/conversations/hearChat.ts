/** Streams events to the client of a chat, beside the answers to its own messages, as one sequence. */
import { firstUuidAt, isUuid } from "../../lib/ids.ts"
import type { Origin } from "../sessions/loadSession.ts"
import type { ClientCall, WebhookCalls } from "../webhooks/webhookCalls.ts"
import type { SessionListeners } from "./sessionListeners.ts"

/** An event for the client. */
export type Heard = {
  /** The id to resume after. */
  id: string
  /**
   * `listening`: nothing that happens from now on is missed; `message`: another system has called, and
   * the client sends `data` as its message to continue the chat; otherwise the type of an event.
   */
  type: string
  /** JSON text in one line. */
  data: string
}

/** Where it comes from. */
export type Sources = {
  calls: Pick<WebhookCalls, "listen">
  sessionEvents: Pick<SessionListeners, "listen">
}

type Hearing = Origin & {
  sessionId: string
  /** Id of the last that the client has heard; absent: it begins to listen now. */
  lastId?: string | undefined
  /** Aborts when the client leaves or the service stops. */
  signal: AbortSignal
}

const lastTypes: ReadonlySet<string> = new Set(["conversation.ended", "conversation.expired"])

/**
 * Yields events from `listening` to a message or the end of the chat. The first step refuses as
 * `WebhookCalls.listen` does; later events are read on demand.
 */
export async function* hearChat(
  { calls, sessionEvents }: Sources,
  { sessionId, lastId, signal, ...from }: Hearing,
): AsyncGenerator<Heard, void> {
  const last = readPosition(lastId)
  const { call, onCall } = firstCall(signal)
  const ends = { onEnd: () => onCall(), onGone: () => onCall() }
  const listener = { room: sessionId, ...from, lastId: last.call, onCall, ...ends }
  const stop = await calls.listen(listener)
  let stopEvents = () => {}
  try {
    // From here on, so that a client that reconnects before its first event misses nothing.
    yield { id: nameOf(last), type: "listening", data: "{}" }
    const { readable, writable } = new TransformStream<Heard, Heard>()
    const writer = writable.getWriter()
    // Resolves once the reader takes it, never after the reader has left.
    const hand = (heard: Heard) => writer.write(heard).catch(() => {})
    const position = { ...last }
    stopEvents = sessionEvents.listen({
      sessionId,
      after: last.event,
      onEvent({ id, type, data }) {
        position.event = id
        return hand({ id: nameOf(position), type, data })
      },
      onTyping(from) {
        // Not to the side that types, and never instead of an event.
        if (from === "team" && (writer.desiredSize ?? 0) > 0)
          void hand({ id: nameOf(position), type: "conversation.typing", data: "{}" })
      },
    })
    void call.then(async (came) => {
      if (came) {
        const event = position.event === last.event ? "" : position.event
        const id = nameOf({ call: came.id, event })
        await hand({ id, type: "message", data: came.text })
      }
      await writer.close().catch(() => {})
    })
    for await (const heard of readable) {
      yield heard
      if (lastTypes.has(heard.type)) return
    }
  } finally {
    stopEvents()
    stop()
  }
}

type Position = { call: string | undefined; event: string }

/** By how much the clocks of two processes may differ. */
const slackMs = 2_000

/** The last call and event that a client has; a new client counts as having had all until now. */
function readPosition(lastId: string | undefined): Position {
  const [call = "", event = ""] = lastId?.split("/") ?? []
  const from = isUuid(event) ? event : firstUuidAt(Date.now() - slackMs)
  return { call: call === "" ? undefined : call, event: from }
}

function nameOf({ call = "", event }: Position): string {
  return event === "" ? call : `${call}/${event}`
}

/** Resolves to the first call, or to undefined when the client leaves or the service stops. */
function firstCall(signal: AbortSignal) {
  let onCall: (call?: ClientCall) => void = () => {}
  const call = new Promise<ClientCall | undefined>((resolve) => {
    onCall = resolve
    signal.addEventListener("abort", () => resolve(undefined), { once: true })
    if (signal.aborted) resolve(undefined)
  })
  return { call, onCall }
}
