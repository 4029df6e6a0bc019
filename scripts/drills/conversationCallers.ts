/** Gateways of the drill of conversations: they deliver each message several times, to any process. */
import { setTimeout as sleep } from "node:timers/promises"

/** All gateways. */
export type Gateway = {
  /**
   * Says so many things under a key, each once the one before was answered, and once it may follow.
   * Returns what went wrong.
   */
  talk(
    key: string,
    messages: number,
    mayFollow: (turn: number) => boolean,
  ): Promise<string | undefined>
  deliveries(): number
  failures(): number
}

type GatewayOptions = { addresses: string[]; token: string; botId: string; patienceMs: number }

/** Opens the gateways; a message that is not answered in `patienceMs`, repeated, is a problem. */
export function openGateway({ addresses, token, botId, patienceMs }: GatewayOptions): Gateway {
  const counts = { deliveries: 0, failures: 0 }
  const deliver = async (key: string, message: string): Promise<boolean> => {
    const address = addresses[Math.floor(Math.random() * addresses.length)]
    const path = `/bots/${botId}/conversations/${encodeURIComponent(key)}/messages`
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": message,
    }
    counts.deliveries += 1
    try {
      const response = await fetch(`${address}/api/v1${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ message }),
        signal: AbortSignal.timeout(20_000),
      })
      await response.text()
      if (response.status === 200) return true
    } catch {
      // The connection broke: nobody knows whether it was answered.
    }
    counts.failures += 1
    return false
  }
  /** Until it is answered; perhaps twice at once, as channels do that lose patience. */
  const insist = async (key: string, message: string): Promise<void> => {
    const deadline = Date.now() + patienceMs
    while (Date.now() < deadline) {
      const times = Math.random() < 0.3 ? 2 : 1
      const taken = await Promise.all(Array.from({ length: times }, () => deliver(key, message)))
      if (taken.includes(true)) return
      await sleep(50 + Math.random() * 200)
    }
    throw new Error(`${message} was not answered`)
  }
  return {
    deliveries: () => counts.deliveries,
    failures: () => counts.failures,
    async talk(key, messages, mayFollow) {
      const late: Promise<unknown>[] = []
      try {
        for (let turn = 0; turn < messages; turn++) {
          while (!mayFollow(turn)) await sleep(20)
          await insist(key, `${key} message ${turn}`)
          // An earlier one once more, while the next is under way.
          const earlier = Math.floor(Math.random() * (turn + 1))
          if (Math.random() < 0.3) late.push(deliver(key, `${key} message ${earlier}`))
          await sleep(Math.random() * 600)
        }
        await Promise.all(late)
        return undefined
      } catch (error) {
        return `${key}: ${String(error)}`
      }
    },
  }
}

type Publishing = { address: string; token: string; idleAfter: number }

/** Publishes a bot that listens for ever. */
export async function publishListener({
  address,
  token,
  idleAfter,
}: Publishing): Promise<{ botId: string; workspaceId: string }> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { workspaces?: { id: string }[]; bot?: { id: string } }
  }
  const { workspaces } = await call("GET", "/workspaces")
  const workspaceId = workspaces?.[0]?.id ?? ""
  const at = { x: 0, y: 0 }
  const ask = { id: "ask", type: "text input", options: {}, outgoingEdgeId: "again" }
  const bot = {
    version: "6.1",
    name: "Listener",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first", graphCoordinates: at }],
    groups: [{ id: "loop", title: "Loop", graphCoordinates: at, blocks: [ask] }],
    edges: [
      { id: "first", from: { eventId: "start" }, to: { groupId: "loop" } },
      { id: "again", from: { blockId: "ask" }, to: { groupId: "loop" } },
    ],
    variables: [],
    settings: { sessions: { idleAfter: [idleAfter] } },
  }
  const imported = await call("POST", "/bots/import", { workspaceId, bot })
  const botId = imported.bot?.id ?? ""
  await call("POST", `/bots/${botId}/publish`)
  return { botId, workspaceId }
}
