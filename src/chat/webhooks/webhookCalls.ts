/** Passes calls of other systems on to the clients of waiting chats, whichever process took them. */
import { findLastSessionId } from "../../db/chats/sessions.ts"
import { findWebhookCall, listCalled } from "../../db/chats/webhookCalls.ts"
import type { Notifications } from "../../db/connection/notifications.ts"
import { openWaitingClients } from "../../db/connection/waitingClients.ts"
import { maxTextLength } from "../../engine/schema/message.ts"
import { inboundWaitOf } from "../../engine/session.ts"
import { AppError, sessionNotFound, unavailable } from "../../lib/errors.ts"
import { callsId, isUuid } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { findLoadedSession, type Origin, requireSession } from "../sessions/loadSession.ts"

/** A call as the client of a chat gets it. */
export type ClientCall = {
  id: string
  /**
   * JSON text `{"data": {...}}`, which the client sends back as its message to continue the chat.
   * `data` is empty where the client knows only a result id, or no message could be that long: the block
   * uses the call as it was made, not the message of the client.
   */
  text: string
}

/** A client that waits. */
export type Listener = Origin & {
  /** Id of a session. */
  room: string
  /**
   * True: the id may be that of a result and stands for its last session. Others than the client of that
   * session may know it, so the call arrives without its data.
   */
  takesResultId?: boolean
  /** Id of the last call that the client got; it is not sent again. */
  lastId?: string | undefined
  onCall(call: ClientCall): void
  /** Called when there will be no more calls, because the service stops. */
  onEnd(): void
  /** Called when the chat is found to be gone, perhaps more than once. */
  onGone?(): void
}

export type WebhookCalls = ReturnType<typeof openWebhookCalls>

type WebhookCallsOptions = { chat: Chat; notifications: Pick<Notifications, "on"> }

type Subscription = {
  listener: Listener
  /** Id of the last call that was passed on. */
  lastId: string | undefined
  /** Id of the latest call at the last poll whose check succeeded. */
  latest: string
  checkedAt: number
  /** The check under way. */
  checking?: Promise<void> | undefined
  isDue: boolean
}

/** Interval of checks for chats without calls, which may be gone with their bots. */
const quietMs = 30_000

/** Opens it; a process has one. */
export function openWebhookCalls({ chat, notifications }: WebhookCallsOptions) {
  let isClosed = false
  const clients = openWaitingClients<Subscription>({
    log: chat.log,
    notifications,
    channel: "webhook_called",
    check: (each) => check(chat, each),
    // Chats may also have moved on to the next call.
    async poll(resultIds, clientsOf) {
      const called = new Map(
        (await listCalled(chat.db, resultIds)).map((each) => [each.resultId, each]),
      )
      const checks = resultIds.flatMap((resultId) => {
        const { latest = "", isOpen = false } = called.get(resultId) ?? {}
        return clientsOf(resultId)
          .filter((each) => isOpen || each.latest < latest || isQuiet(each))
          .map(async (each) => {
            if (await check(chat, each)) each.latest = latest
          })
      })
      await Promise.all(checks)
    },
  })
  return {
    /**
     * Lets a client wait; an earlier call is passed on at once. 404 without a session, 403 for pages that
     * the author did not list. Returns a function that ends the wait.
     */
    async listen(listener: Listener) {
      const sessionId = await sessionIdOf(chat, listener)
      await requireSession(chat, sessionId, listener)
      // Only now, because the service may have been asked to stop meanwhile.
      if (isClosed) throw unavailable("The service is stopping", 5)
      const { lastId } = listener
      return clients.add(callsId(sessionId), {
        listener,
        lastId,
        latest: "",
        checkedAt: 0,
        isDue: false,
      })
    },
    /** Ends every wait. */
    close() {
      isClosed = true
      const waiting = clients.all()
      clients.close()
      for (const { listener } of waiting) listener.onEnd()
    },
  }
}

function isQuiet({ checkedAt }: Subscription): boolean {
  return performance.now() - checkedAt > quietMs
}

type Room = Pick<Listener, "room" | "takesResultId">

function isOfResult({ room, takesResultId }: Room): boolean {
  return takesResultId === true && isUuid(room)
}

async function sessionIdOf(chat: Chat, room: Room): Promise<string> {
  const last = isOfResult(room) ? await findLastSessionId(chat.db, room.room) : undefined
  // Callers choose UUIDs for previews, too.
  return last ?? room.room
}

/** Looks for a call, one check at a time, and ends the wait of a chat that is gone. False: the database did not answer. */
async function check(chat: Chat, subscription: Subscription): Promise<boolean> {
  subscription.isDue = true
  subscription.checking ??= checkWhileDue(chat, subscription).finally(() => {
    subscription.checking = undefined
  })
  try {
    await subscription.checking
    return true
  } catch (err) {
    if (err instanceof AppError && err.code === "NOT_FOUND") {
      subscription.listener.onGone?.()
      return true
    }
    chat.log.warn({ err }, "A waiting chat could not be checked for calls")
    return false
  }
}

async function checkWhileDue(chat: Chat, subscription: Subscription): Promise<void> {
  while (subscription.isDue) {
    subscription.isDue = false
    subscription.checkedAt = performance.now()
    const { listener } = subscription
    const call = await findCall(chat, listener)
    if (!call || call.id === subscription.lastId) continue
    subscription.lastId = call.id
    const text = `{"data":${call.body}}`
    const hasData = !isOfResult(listener) && text.length <= maxTextLength
    listener.onCall({ id: call.id, text: hasData ? text : '{"data":{}}' })
  }
}

async function findCall(chat: Chat, room: Room) {
  const sessionId = await sessionIdOf(chat, room)
  const loaded = await findLoadedSession(chat, sessionId)
  if (!loaded) throw sessionNotFound()
  const wait = inboundWaitOf(loaded.session, loaded.bots)
  if (!wait) return undefined
  const { blockId, step } = wait
  return findWebhookCall(chat.db, { resultId: callsId(sessionId), sessionId, blockId, step })
}
