/**
 * Lets processes notify each other of changes. A notification is only ever a hint: listeners must cope
 * without it.
 */
import pg from "pg"
import type { Db } from "./open.ts"

type Channel =
  | "token_revoked"
  | "webhook_called"
  | "session_told"
  | "endpoints_changed"
  | "bot_changed"
  | "bot_presence"

export type Notifications = {
  /** Calls `listener` with the payload of each notification. Returns a function that ends this. */
  on(channel: Channel, listener: (payload: string) => void): () => void
  /**
   * Notifies every listening process, this one included. It goes through the listening connection because
   * on a cluster a notification reaches only listeners at the same node. While that connection is lost,
   * so is the notification.
   */
  notify(channel: Channel, payload: string): Promise<void>
  close(): Promise<void>
}

type NotificationOptions = {
  url: string
  /** Called once per lost connection. */
  onError(error: Error): void
  /** The wait before the first attempt to reconnect; it doubles up to 30 seconds. */
  retryMs?: number
}

const longestRetryMs = 30_000
const notification = "select pg_notify($1, $2)"

/** Opens a connection of its own that listens, and reopens it whenever it is lost. */
export function openNotifications(options: NotificationOptions): Notifications {
  const listeners = new Map<Channel, Set<(payload: string) => void>>()
  const retryMs = options.retryMs ?? 250
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async (waitMs: number) => {
    const opened = new pg.Client({
      connectionString: options.url,
      application_name: "parley listen",
      // A hint is not worth a longer wait.
      query_timeout: 2_000,
    })
    let isLost = false
    const lose = (error: Error) => {
      if (isLost || isClosed) return
      isLost = true
      options.onError(error)
      client = undefined
      timer = setTimeout(() => void connect(Math.min(waitMs * 2, longestRetryMs)), waitMs)
      timer.unref()
      opened.end().catch(() => {})
    }
    opened.on("error", lose)
    opened.on("end", () => lose(new Error("The listening connection ended")))
    opened.on("notification", ({ channel, payload }) => {
      for (const listener of listeners.get(channel as Channel) ?? []) listener(payload ?? "")
    })
    try {
      await opened.connect()
      client = opened
      for (const channel of listeners.keys()) await opened.query(`listen ${channel}`)
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)))
    }
  }
  let last: Promise<unknown> = connect(retryMs)
  // One after the other, as pg wants them. A connection that breaks is reported by its own events.
  const send = (text: string, values: string[] = []) => {
    last = last.then(() => client?.query(text, values)).catch(() => {})
    return last
  }

  return {
    on(channel, listener) {
      const known = listeners.get(channel)
      if (known) known.add(listener)
      else {
        listeners.set(channel, new Set([listener]))
        void send(`listen ${channel}`)
      }
      return () => listeners.get(channel)?.delete(listener)
    },
    async notify(channel, payload) {
      await send(notification, [channel, payload])
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await last
      await client?.end()
    },
  }
}

/** Notifies every process that listens at the address of this database. Commands use it: they do not listen. */
export async function notify(db: Db, channel: Channel, payload: string): Promise<void> {
  await db.run({ name: "notify", text: notification }, [channel, payload])
}
