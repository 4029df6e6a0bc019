/** Clients of this process that wait for news of chats, whichever process it comes from. */
import type { Notifications } from "../db/connection/notifications.ts"
import type { Log } from "../telemetry/log.ts"

/** Waiting clients, by the id of the result under which their news is announced. */
export type WaitingClients<Client> = {
  /** Adds a client. Returns what ends its wait. */
  add(resultId: string, client: Client): () => void
  all(): Client[]
  close(): void
}

/** How clients learn of news. */
type WaitingOptions<Client> = {
  log: Log
  notifications: Pick<Notifications, "on">
  channel: Parameters<Notifications["on"]>[0]
  /** How often to look without a notification. Each poll begins that long after the one before is over. */
  pollMs: number
  /** Looks for news of one client; never rejects. */
  check(client: Client): unknown
  /** Finds out which of these results have news, and checks their clients. */
  poll(resultIds: readonly string[], clientsOf: (resultId: string) => Client[]): Promise<unknown>
}

/** Most results that one poll asks about at a time. */
const chunk = 1_000

/** Listens for notifications, and polls because a notification may get lost. */
export function openWaitingClients<Client>(
  options: WaitingOptions<Client>,
): WaitingClients<Client> {
  const { log, notifications, channel, pollMs, check, poll } = options
  const waiting = new Map<string, Set<Client>>()
  let isClosed = false
  const clientsOf = (resultId: string) => [...(waiting.get(resultId) ?? [])]
  const stopNotifications = notifications.on(channel, (resultId) => {
    for (const client of clientsOf(resultId)) check(client)
  })
  const pollAll = async () => {
    const resultIds = [...waiting.keys()]
    try {
      for (let start = 0; start < resultIds.length; start += chunk) {
        await poll(resultIds.slice(start, start + chunk), clientsOf)
      }
    } catch (err) {
      log.warn({ err, channel }, "News for waiting clients could not be listed")
    }
    if (!isClosed) timer = setTimeout(pollAll, pollMs).unref()
  }
  let timer = setTimeout(pollAll, pollMs).unref()
  return {
    add(resultId, client) {
      const clients = waiting.get(resultId) ?? new Set()
      waiting.set(resultId, clients.add(client))
      check(client)
      return () => {
        clients.delete(client)
        if (clients.size === 0 && waiting.get(resultId) === clients) waiting.delete(resultId)
      }
    },
    all: () => [...waiting.values()].flatMap((clients) => [...clients]),
    close() {
      isClosed = true
      stopNotifications()
      clearTimeout(timer)
      waiting.clear()
    },
  }
}
