/** Gives the clients of waiting chats the calls that arrive for them, in whatever process. */
import { findLastSessionId } from "../../db/chats/sessions.ts"
import { type CalledResult, findWebhookCall, listCalled } from "../../db/chats/webhookCalls.ts"
import type { Notifications } from "../../db/connection/notifications.ts"
import { inboundWaitOf } from "../../engine/session.ts"
import { AppError, notFound, unavailable } from "../../shared/errors.ts"
import { callsId, isUuid } from "../../shared/ids.ts"
import { admitToSession, type Origin } from "../admission.ts"
import type { Chat } from "../chat.ts"
import { findLoadedSession } from "../sessions/loadSession.ts"
import type { LoadedSession } from "../sessions/sessionStore.ts"

/** A call as the client of a chat gets it. */
export type HeardCall = {
  id: string
  /**
   * JSON text `{"data": {...}}`, which the client sends back as its message to have the chat go on;
   * without what was sent where only a result id is known.
   */
  text: string
}

/** A client that waits. */
export type Listener = Origin & {
  /** Id of a session. */
  room: string
  /**
   * True: the id may be that of a result, whose last session counts. Others than the client of that
   * session may know it, so it only brings the news that a call has come.
   */
  takesResultId?: boolean
  /** Id of the call that the client got last; it is not given again. */
  lastId?: string | undefined
  hear(call: HeardCall): void
  /** Nothing will be heard any more, because the service stops. */
  end(): void
}

/** The waiting clients of this process. */
export type WebhookCalls = {
  /**
   * Lets a client wait; a call that came earlier is heard at once. 404 without a session, 403 for
   * foreign pages. Returns what ends the wait.
   */
  listen(listener: Listener): Promise<() => void>
  /** Ends every wait. */
  close(): void
}

/** How to hear of calls. */
export type WebhookCallsOptions = {
  chat: Chat
  notifications: Pick<Notifications, "on">
  /** How often to look without a notification, 3 seconds unless told. */
  pollMs?: number
}

type Entry = {
  listener: Listener
  /** Under which calls are announced. */
  resultId: string
  /** Id of the call that was heard last. */
  lastId: string | undefined
  /** Id of the latest call at the last poll that led somewhere. */
  latest: string
  /** The look under way. */
  looking?: Promise<void> | undefined
  isDue: boolean
}

/** Opens the hub. */
export function openWebhookCalls(options: WebhookCallsOptions): WebhookCalls {
  const { chat, notifications, pollMs = 3_000 } = options
  const entries = new Map<string, Set<Entry>>()
  let isClosed = false
  const wake = (resultId: string) => {
    for (const entry of entries.get(resultId) ?? []) void look(chat, entry)
  }
  const stopHearing = notifications.on("webhook_called", wake)
  const polling = setInterval(
    onlyOnce(() => poll(chat, entries)),
    pollMs,
  ).unref()

  return {
    async listen(listener) {
      const loaded = await admit(chat, listener)
      // Only now, because the service may have been asked to stop meanwhile.
      if (isClosed) throw unavailable("The service is stopping", 5)
      const resultId = callsId(loaded.owner.sessionId)
      const entry = { listener, resultId, lastId: listener.lastId, latest: "", isDue: false }
      const room = entries.get(resultId) ?? new Set()
      entries.set(resultId, room.add(entry))
      void look(chat, entry)
      return () => {
        room.delete(entry)
        if (room.size === 0 && entries.get(resultId) === room) entries.delete(resultId)
      }
    },
    close() {
      isClosed = true
      stopHearing()
      clearInterval(polling)
      for (const room of [...entries.values()]) for (const entry of room) entry.listener.end()
      entries.clear()
    },
  }
}

/** Leaves a call out while the one before is under way. */
function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    await work()
    isRunning = false
  }
}

async function admit(chat: Chat, listener: Listener): Promise<LoadedSession> {
  const loaded = await findRoom(chat, listener)
  if (!loaded) throw notFound("Session")
  admitToSession(chat, loaded, listener)
  return loaded
}

type Room = Pick<Listener, "room" | "takesResultId">

function isOfResult({ room, takesResultId }: Room): boolean {
  return takesResultId === true && isUuid(room)
}

async function findRoom(chat: Chat, room: Room): Promise<LoadedSession | undefined> {
  if (!isOfResult(room)) return findLoadedSession(chat, room.room)
  const lastSessionId = await findLastSessionId(chat.db, room.room)
  return lastSessionId === undefined ? undefined : findLoadedSession(chat, lastSessionId)
}

const chunk = 1_000

/** Makes up for notifications that got lost, and for chats that have moved on to the next call. */
async function poll(chat: Chat, entries: ReadonlyMap<string, Set<Entry>>): Promise<void> {
  const resultIds = [...entries.keys()]
  for (let start = 0; start < resultIds.length; start += chunk) {
    const called = await listNow(chat, resultIds.slice(start, start + chunk))
    const looks = called.flatMap(({ resultId, latest, isOpen }) =>
      [...(entries.get(resultId) ?? [])]
        .filter((entry) => isOpen || entry.latest < latest)
        .map(async (entry) => {
          if (await look(chat, entry)) entry.latest = latest
        }),
    )
    await Promise.all(looks)
  }
}

/** None when the database does not answer: the next poll asks again. */
async function listNow(chat: Chat, resultIds: readonly string[]): Promise<CalledResult[]> {
  try {
    return await listCalled(chat.db, resultIds)
  } catch (err) {
    chat.log.warn({ err }, "Calls to waiting chats could not be listed")
    return []
  }
}

/** Looks for a call, one look at a time; false: the database did not answer. */
async function look(chat: Chat, entry: Entry): Promise<boolean> {
  entry.isDue = true
  entry.looking ??= lookWhileDue(chat, entry).finally(() => {
    entry.looking = undefined
  })
  try {
    await entry.looking
    return true
  } catch (err) {
    // The chat has expired.
    if (err instanceof AppError) return true
    chat.log.warn({ err }, "A waiting chat could not be looked at")
    return false
  }
}

async function lookWhileDue(chat: Chat, entry: Entry): Promise<void> {
  while (entry.isDue) {
    entry.isDue = false
    const { listener } = entry
    const call = await findCall(chat, listener)
    if (!call || call.id === entry.lastId) continue
    entry.lastId = call.id
    const data = isOfResult(listener) ? "{}" : call.body
    listener.hear({ id: call.id, text: `{"data":${data}}` })
  }
}

async function findCall(chat: Chat, room: Room) {
  const loaded = await findRoom(chat, room)
  const wait = loaded && inboundWaitOf(loaded.session, loaded.bots)
  if (!wait) return undefined
  const { sessionId } = loaded.owner
  const { blockId, step } = wait
  return findWebhookCall(chat.db, { resultId: callsId(sessionId), sessionId, blockId, step })
}
