/** Clients of this process that wait for news of chats or bots from any process. */
import type { Log } from "../../telemetry/log.ts"
import type { Notifications } from "./notifications.ts"

/** Waiting clients, by the id under which their news is announced: that of a result, or of a bot. */
export type WaitingClients<Client> = {
  /** Adds a client. Returns a function that removes it. */
  add(id: string, client: Client): () => void
  /** Those that wait for news under an id. */
  of(id: string): Client[]
  all(): Client[]
  close(): void
}

/** How clients learn of news. */
type WaitingOptions<Client> = {
  log: Log
  notifications: Pick<Notifications, "on">
  channel: Parameters<Notifications["on"]>[0]
  /** Looks for news of one client; never rejects. */
  check(client: Client): unknown
  /** Finds out which of these have news, and checks their clients. */
  poll(ids: readonly string[], clientsOf: (id: string) => Client[]): Promise<unknown>
}

/** Pause between polls without a notification. */
const pollMs = 3_000

/** Max ids per polling statement. */
const chunk = 1_000

/** Listens for notifications, and polls because a notification may get lost. */
export function openWaitingClients<Client>(
  options: WaitingOptions<Client>,
): WaitingClients<Client> {
  const { log, notifications, channel, check, poll } = options
  const waiting = new Map<string, Set<Client>>()
  let isClosed = false
  const clientsOf = (id: string) => [...(waiting.get(id) ?? [])]
  const stopNotifications = notifications.on(channel, (id) => {
    for (const client of clientsOf(id)) check(client)
  })
  const pollAll = async () => {
    const ids = [...waiting.keys()]
    try {
      for (let start = 0; start < ids.length; start += chunk) {
        await poll(ids.slice(start, start + chunk), clientsOf)
      }
    } catch (err) {
      log.warn({ err, channel }, "News for waiting clients could not be listed")
    }
    if (!isClosed) timer = setTimeout(pollAll, pollMs).unref()
  }
  let timer = setTimeout(pollAll, pollMs).unref()
  return {
    add(id, client) {
      const clients = waiting.get(id) ?? new Set()
      waiting.set(id, clients.add(client))
      check(client)
      return () => {
        clients.delete(client)
        if (clients.size === 0 && waiting.get(id) === clients) waiting.delete(id)
      }
    },
    of: clientsOf,
    all: () => [...waiting.values()].flatMap((clients) => [...clients]),
    close() {
      isClosed = true
      stopNotifications()
      clearTimeout(timer)
      waiting.clear()
    },
  }
}
