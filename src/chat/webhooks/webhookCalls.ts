/** Gives the clients of waiting chats the calls that arrive for them, in whatever process. */
import { findLastSessionId } from "../../db/chats/sessions.ts"
import { type CalledResult, findWebhookCall, listCalled } from "../../db/chats/webhookCalls.ts"
import type { Notifications } from "../../db/connection/notifications.ts"
import { inboundWaitOf } from "../../engine/session.ts"
import { AppError, sessionNotFound, unavailable } from "../../errors.ts"
import { callsId, isUuid } from "../../ids.ts"
import type { Chat } from "../chat.ts"
import { findLoadedSession, type Origin, requireSession } from "../sessions/loadSession.ts"

/** A call as the client of a chat gets it. */
export type ClientCall = {
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
  onCall(call: ClientCall): void
  /** Called when there will be no more calls, because the service stops. */
  onEnd(): void
}

/** The waiting clients of this process. */
export type WebhookCalls = {
  /**
   * Lets a client wait; a call that came earlier is given at once. 404 without a session, 403 for
   * foreign pages. Returns what ends the wait.
   */
  listen(listener: Listener): Promise<() => void>
  /** Ends every wait. */
  close(): void
}

type WebhookCallsOptions = {
  chat: Chat
  notifications: Pick<Notifications, "on">
  /** How often to look without a notification; 3 seconds by default. */
  pollMs?: number
}

type Subscription = {
  listener: Listener
  /** Id of the call that was given last. */
  lastId: string | undefined
  /** Id of the latest call at the last poll after which the database answered. */
  latest: string
  /** The check under way. */
  checking?: Promise<void> | undefined
  isDue: boolean
}

/** Subscriptions by the id under which their calls are announced. */
type Subscriptions = Map<string, Set<Subscription>>

/** Opens the hub. */
export function openWebhookCalls(options: WebhookCallsOptions): WebhookCalls {
  const { chat, notifications, pollMs = 3_000 } = options
  const subscriptions: Subscriptions = new Map()
  let isClosed = false
  const stopNotifications = notifications.on("webhook_called", (resultId) => {
    for (const each of subscriptions.get(resultId) ?? []) void check(chat, each)
  })
  // Each poll begins some time after the one before is over.
  const pollLater = () =>
    setTimeout(async () => {
      await poll(chat, subscriptions)
      if (!isClosed) polling = pollLater()
    }, pollMs).unref()
  let polling = pollLater()
  return {
    async listen(listener) {
      const sessionId = await sessionIdOf(chat, listener)
      if (sessionId === undefined) throw sessionNotFound()
      await requireSession(chat, sessionId, listener)
      // Only now, because the service may have been asked to stop meanwhile.
      if (isClosed) throw unavailable("The service is stopping", 5)
      return subscribe(chat, subscriptions, { listener, sessionId })
    },
    close() {
      isClosed = true
      stopNotifications()
      clearTimeout(polling)
      for (const each of [...subscriptions.values()].flatMap((all) => [...all])) {
        each.listener.onEnd()
      }
      subscriptions.clear()
    },
  }
}

function subscribe(
  chat: Chat,
  subscriptions: Subscriptions,
  { listener, sessionId }: { listener: Listener; sessionId: string },
): () => void {
  const resultId = callsId(sessionId)
  const subscription = { listener, lastId: listener.lastId, latest: "", isDue: false }
  const all = subscriptions.get(resultId) ?? new Set()
  subscriptions.set(resultId, all.add(subscription))
  void check(chat, subscription)
  return () => {
    all.delete(subscription)
    if (all.size === 0 && subscriptions.get(resultId) === all) subscriptions.delete(resultId)
  }
}

type Room = Pick<Listener, "room" | "takesResultId">

function isOfResult({ room, takesResultId }: Room): boolean {
  return takesResultId === true && isUuid(room)
}

async function sessionIdOf(chat: Chat, room: Room): Promise<string | undefined> {
  return isOfResult(room) ? findLastSessionId(chat.db, room.room) : room.room
}

const chunk = 1_000

/** Makes up for notifications that got lost, and for chats that have moved on to the next call. */
async function poll(chat: Chat, subscriptions: Subscriptions): Promise<void> {
  const resultIds = [...subscriptions.keys()]
  for (let start = 0; start < resultIds.length; start += chunk) {
    const called = await listNow(chat, resultIds.slice(start, start + chunk))
    const checks = called.flatMap(({ resultId, latest, isOpen }) =>
      [...(subscriptions.get(resultId) ?? [])]
        .filter((each) => isOpen || each.latest < latest)
        .map(async (each) => {
          if (await check(chat, each)) each.latest = latest
        }),
    )
    await Promise.all(checks)
  }
}

/** Empty when the database does not answer: the next poll asks again. */
async function listNow(chat: Chat, resultIds: readonly string[]): Promise<CalledResult[]> {
  try {
    return await listCalled(chat.db, resultIds)
  } catch (err) {
    chat.log.warn({ err }, "Calls to waiting chats could not be listed")
    return []
  }
}

/** Looks for a call, one check at a time; false: the database did not answer. */
async function check(chat: Chat, subscription: Subscription): Promise<boolean> {
  subscription.isDue = true
  subscription.checking ??= checkWhileDue(chat, subscription).finally(() => {
    subscription.checking = undefined
  })
  try {
    await subscription.checking
    return true
  } catch (err) {
    // The chat has expired.
    if (err instanceof AppError) return true
    chat.log.warn({ err }, "A waiting chat could not be checked for calls")
    return false
  }
}

async function checkWhileDue(chat: Chat, subscription: Subscription): Promise<void> {
  while (subscription.isDue) {
    subscription.isDue = false
    const { listener } = subscription
    const call = await findCall(chat, listener)
    if (!call || call.id === subscription.lastId) continue
    subscription.lastId = call.id
    const data = isOfResult(listener) ? "{}" : call.body
    listener.onCall({ id: call.id, text: `{"data":${data}}` })
  }
}

async function findCall(chat: Chat, room: Room) {
  const sessionId = await sessionIdOf(chat, room)
  const loaded = sessionId === undefined ? undefined : await findLoadedSession(chat, sessionId)
  const wait = loaded && inboundWaitOf(loaded.session, loaded.bots)
  if (sessionId === undefined || !wait) return undefined
  const { blockId, step } = wait
  return findWebhookCall(chat.db, { resultId: callsId(sessionId), sessionId, blockId, step })
}
