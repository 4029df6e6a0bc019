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
  /** How many requests failed, and with what: `12 (503: 10, no answer: 2)`. */
  failures(): string
}

type GatewayOptions = { addresses: string[]; token: string; botId: string; patienceMs: number }

/** Opens the gateways; a message that is not answered in `patienceMs`, repeated, is a problem. */
export function openGateway({ addresses, token, botId, patienceMs }: GatewayOptions): Gateway {
  const counts = { deliveries: 0 }
  const failures = new Map<string, number>()
  /** Undefined: it was answered. */
  const deliver = async (key: string, message: string): Promise<string | undefined> => {
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
      const text = await response.text()
      if (response.status === 200) return undefined
      return note(`${response.status}`, text)
    } catch (error) {
      // The connection broke: nobody knows whether it was answered.
      return note("no answer", String(error))
    }
  }
  const note = (kind: string, words: string) => {
    failures.set(kind, (failures.get(kind) ?? 0) + 1)
    return `${kind}: ${words}`
  }
  /** Until it is answered; perhaps twice at once, as channels do that lose patience. */
  const insist = async (key: string, message: string): Promise<void> => {
    const deadline = Date.now() + patienceMs
    let last: string | undefined
    for (let attempt = 0; Date.now() < deadline; attempt++) {
      const times = Math.random() < 0.3 ? 2 : 1
      const failed = await Promise.all(Array.from({ length: times }, () => deliver(key, message)))
      if (failed.includes(undefined)) return
      last = failed[0]
      // Ever more rarely, so that a service that starts again is not drowned.
      await sleep((50 + Math.random() * 200) * Math.min(2 ** attempt, 16))
    }
    throw new Error(`${message} was not answered: ${last}`)
  }
  return {
    deliveries: () => counts.deliveries,
    failures: () => {
      const kinds = [...failures].map(([kind, count]) => `${kind}: ${count}`)
      const all = [...failures.values()].reduce((sum, count) => sum + count, 0)
      return `${all} (${kinds.join(", ")})`
    },
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
