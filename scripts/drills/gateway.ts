/** A gateway of the drill of conversations: it delivers each message several times, to any process. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Clients } from "./insistentClients.ts"

/** Where messages go. */
export type Gateway = {
  addresses: readonly string[]
  token: string
  botId: string
  clients: Clients
  /** Whether the message of that number may be sent yet. */
  maySend(turn: number): boolean
}

/** How often a message is sent twice at once, or once more later, as impatient channels do. */
const repeated = 0.3

/** Sends so many messages under a key, each once the last was answered. Returns what went wrong. */
export async function sendMessages(
  key: string,
  messages: number,
  { addresses, token, botId, clients, maySend }: Gateway,
): Promise<string | undefined> {
  const path = `/api/v1/bots/${botId}/conversations/${encodeURIComponent(key)}/messages`
  const anyUrl = () => `${addresses[Math.floor(Math.random() * addresses.length)]}${path}`
  const messageOf = (turn: number) => {
    const message = `${key} message ${turn}`
    return { key: message, token, body: { message } }
  }
  const copies = () => (Math.random() < repeated ? 2 : 1)
  const late: Promise<unknown>[] = []
  try {
    for (let turn = 0; turn < messages; turn++) {
      while (!maySend(turn)) await sleep(20)
      await clients.insist(anyUrl, messageOf(turn), copies)
      // An earlier one once more, while the next is under way.
      const earlier = Math.floor(Math.random() * (turn + 1))
      if (Math.random() < repeated) late.push(clients.attempt(anyUrl(), messageOf(earlier)))
      await sleep(Math.random() * 600)
    }
    await Promise.all(late)
    return undefined
  } catch (error) {
    return `${key}: ${String(error)}`
  }
}
