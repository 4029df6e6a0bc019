/** Gives clients that listen to a session what happens in it outside of their own turns. */
import { findNextEvent, listTold, type SessionEvent } from "../../db/chats/sessionEvents.ts"
import type { Notifications } from "../../db/connection/notifications.ts"
import { resultIdOfSession } from "../../ids.ts"
import type { Chat } from "../chat.ts"

/** A client that listens. The caller has made sure that it may. */
type SessionListener = {
  sessionId: string
  /** Id of the event that it knows last. */
  after: string
  /** Resolves once the client can take the next one. */
  onEvent(event: SessionEvent): Promise<void>
}

/** The listening clients of this process. */
export type SessionListeners = {
  /** Gives a client every event from now on, in order. Returns the function that ends this. */
  listen(listener: SessionListener): () => void
  close(): void
}

type SessionListenersOptions = {
  chat: Pick<Chat, "db" | "log">
  notifications: Pick<Notifications, "on">
  /** How often to look without a notification; 3 seconds by default. */
  pollMs?: number
}

type Subscription = {
  listener: SessionListener
  address: { resultId: string; id: string }
  after: string
  checking: Promise<void>
  isOver: boolean
}

const chunk = 1_000

/** Opens the hub. */
export function openSessionListeners(options: SessionListenersOptions): SessionListeners {
  const { chat, notifications, pollMs = 3_000 } = options
  const subscriptions = new Map<string, Set<Subscription>>()
  const checkAll = (resultId: string) => {
    for (const each of subscriptions.get(resultId) ?? []) check(chat, each)
  }
  const stopNotifications = notifications.on("session_told", checkAll)
  const poll = async () => {
    const resultIds = [...subscriptions.keys()]
    for (let start = 0; start < resultIds.length; start += chunk) {
      const told = await listTold(chat.db, resultIds.slice(start, start + chunk))
      for (const { resultId } of told) checkAll(resultId)
    }
  }
  let polling = Promise.resolve()
  const timer = setInterval(() => {
    polling = polling.then(poll).catch((err) => {
      chat.log.warn({ err }, "News of sessions could not be listed")
    })
  }, pollMs).unref()
  return {
    listen(listener) {
      const { sessionId: id, after } = listener
      const resultId = resultIdOfSession(id)
      // Nobody steers previews.
      if (resultId === undefined) return () => {}
      const address = { resultId, id }
      const subscription = { listener, address, after, checking: Promise.resolve(), isOver: false }
      const all = subscriptions.get(resultId) ?? new Set()
      subscriptions.set(resultId, all.add(subscription))
      check(chat, subscription)
      return () => {
        subscription.isOver = true
        all.delete(subscription)
        if (all.size === 0 && subscriptions.get(resultId) === all) subscriptions.delete(resultId)
      }
    },
    close() {
      stopNotifications()
      clearInterval(timer)
      subscriptions.clear()
    },
  }
}

/**
 * Has every process look for new events of a session, once they are stored. Without it, processes
 * find them at their next poll.
 */
export async function tellListeners({ notify }: Pick<Chat, "notify">, resultId: string) {
  await notify("session_told", resultId)
}

/** Looks for news, one look after the other. */
function check({ db, log }: SessionListenersOptions["chat"], subscription: Subscription): void {
  const look = async () => {
    const { address, listener } = subscription
    while (!subscription.isOver) {
      const event = await findNextEvent(db, { ...address, after: subscription.after })
      if (!event) return
      subscription.after = event.id
      if (!subscription.isOver) await listener.onEvent(event)
    }
  }
  subscription.checking = subscription.checking.then(look).catch((err) => {
    log.warn({ err }, "News of a session could not be read")
  })
}
