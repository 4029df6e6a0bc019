/** Sends listening clients the events of a session beside their own turns. */
import { LRUCache } from "lru-cache"
import { findNextEvent, listRecentEvents, type SessionEvent } from "../../db/chats/sessionEvents.ts"
import type { Notifications } from "../../db/connection/notifications.ts"
import { openWaitingClients } from "../../db/connection/waitingClients.ts"
import { resultIdOfSession } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"

/** A client that listens, and is known to be allowed to. */
type SessionListener = {
  sessionId: string
  /** Id of the last event that it knows. */
  after: string
  /** Resolves once the client can take the next one. */
  onEvent(event: SessionEvent): Promise<void>
  /** Called when one side of the chat types. */
  onTyping(from: Side): void
}

/** Who types in a chat. */
export type Side = "team" | "person"

export type SessionListeners = ReturnType<typeof openSessionListeners>

type SessionListenersOptions = {
  chat: Pick<Chat, "db" | "log" | "notify">
  notifications: Pick<Notifications, "on">
}

type Subscription = {
  listener: SessionListener
  resultId: string
  after: string
  checking: Promise<void>
  isOver: boolean
}

export function openSessionListeners(options: SessionListenersOptions) {
  const { chat, notifications } = options
  const clients = openWaitingClients<Subscription>({
    log: chat.log,
    notifications,
    channel: "session_told",
    check: (each) => check(chat, each),
    async poll(resultIds, clientsOf) {
      for (const { resultId } of await listRecentEvents(chat.db, resultIds)) {
        for (const each of clientsOf(resultId)) check(chat, each)
      }
    },
  })
  const stopTyping = notifications.on("session_typing", (payload) => {
    const [resultId = "", from] = payload.split(" ")
    for (const { listener } of clients.of(resultId)) listener.onTyping(from as Side)
  })
  const typedLately = new LRUCache<string, true>({ max: 10_000, ttl: typingMs })
  return {
    /** Tells the listeners of every process that one side types, at most every two seconds. Nothing is stored. */
    async signTyping(resultId: string, from: Side) {
      const payload = `${resultId} ${from}`
      if (typedLately.has(payload)) return
      typedLately.set(payload, true)
      await chat.notify("session_typing", payload)
    },
    /** Sends a client every event after the last one it knows, in order. Returns a function that stops it. */
    listen(listener: SessionListener) {
      const { sessionId, after } = listener
      const resultId = resultIdOfSession(sessionId)
      // Previews cannot be steered.
      if (resultId === undefined) return () => {}
      const subscription = { listener, resultId, after, checking: Promise.resolve(), isOver: false }
      const end = clients.add(resultId, subscription)
      return () => {
        subscription.isOver = true
        end()
      }
    },
    close() {
      stopTyping()
      clients.close()
    },
  }
}

/** Time for which further signs of typing are left out. */
const typingMs = 2_000

/** Notifies every process of new events of a session, ahead of the next poll. */
export async function tellListeners({ notify }: Pick<Chat, "notify">, resultId: string) {
  await notify("session_told", resultId)
}

/** Reads events, one query at a time. */
function check({ db, log }: SessionListenersOptions["chat"], subscription: Subscription): void {
  const look = async () => {
    const { resultId, listener } = subscription
    const { sessionId } = listener
    while (!subscription.isOver) {
      const { after } = subscription
      const event = await findNextEvent(db, { resultId, sessionId, after })
      if (!event) return
      subscription.after = event.id
      if (!subscription.isOver) await listener.onEvent(event)
    }
  }
  subscription.checking = subscription.checking.then(look).catch((err) => {
    log.warn({ err }, "The events of a session could not be read")
  })
}
