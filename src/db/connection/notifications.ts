/**
 * Lets processes notify each other of changes. A notification is only ever a hint: listeners must cope
 * without it.
 */
import { sql } from "kysely"
import { failureOf } from "./databaseFailures.ts"
import type { Db } from "./openDatabase.ts"
import { Client } from "./withClient.ts"

type Channel =
  | "token_revoked"
  | "webhook_called"
  | "session_told"
  | "session_typing"
  | "chats_watched"
  | "burst_ended"
  | "endpoints_changed"
  | "variables_changed"
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
  /** Interval of server checks, 15 seconds by default. */
  checkMs?: number
}

const maxRetryMs = 30_000
const connectTimeoutMs = 15_000
const listenerName = "parley listen"
const notification = "select pg_notify($1, $2)"

/** Opens a connection of its own that listens, and reopens it whenever it is lost. */
export function openNotifications(options: NotificationOptions): Notifications {
  const listeners = new Map<Channel, Set<(payload: string) => void>>()
  const { retryMs = 250, checkMs = 15_000 } = options
  let current: { client: Client; lose(error: Error): void } | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async (waitMs: number) => {
    const client = new Client({
      connectionString: options.url,
      application_name: listenerName,
      connectionTimeoutMillis: connectTimeoutMs,
      // A hint is not worth a longer wait.
      query_timeout: 2_000,
    })
    let nextMs = waitMs
    let isLost = false
    const lose = (error: Error) => {
      if (isLost || isClosed) return
      isLost = true
      options.onError(error)
      current = undefined
      timer = setTimeout(() => void connect(Math.min(nextMs * 2, maxRetryMs)), nextMs)
      timer.unref()
      client.end().catch(() => {})
    }
    client.on("error", lose)
    client.on("end", () => lose(new Error("The listening connection ended")))
    client.on("notification", ({ channel, payload }) => {
      for (const listener of listeners.get(channel as Channel) ?? []) listener(payload ?? "")
    })
    try {
      await client.connect()
      if (isClosed) return await client.end()
      current = { client, lose }
      for (const channel of listeners.keys()) await client.query(`listen ${channel}`)
      nextMs = retryMs
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)))
    }
  }
  let last: Promise<unknown> = connect(retryMs)
  // One after the other, as pg wants them.
  const send = (text: string, values: string[] = []) => {
    last = last.then(() => ask(text, values))
    return last
  }
  const ask = async (text: string, values: string[]) => {
    const asked = current
    await asked?.client.query(text, values).catch((error: Error) => {
      // Later statements to a silent server would wait behind this forever.
      if (failureOf(error) === "lost") asked.lose(error)
    })
  }
  // A connection that only listens never notices that its server is gone.
  const checking = setInterval(() => void send("select 1"), checkMs).unref()

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
      clearInterval(checking)
      await last
      await current?.client.end()
    },
  }
}

/** Notifies every process that listens at the address of this database. Commands use it: they do not listen. */
export async function notify(db: Db, channel: Channel, payload: string): Promise<void> {
  await db.run({ name: "notify", text: notification }, [channel, payload])
}

/** Whether a process listens at this database, as each one does that serves. */
export async function hasListeners({ kysely }: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName}`.execute(kysely)
  return rows.length > 0
}
