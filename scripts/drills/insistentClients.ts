/** Clients that talk on through every disaster, and know what was answered. */
import { setTimeout as sleep } from "node:timers/promises"
import { type Sent, send } from "./post.ts"

/** A request under an idempotency key; absent: it can be sent once only. */
export type Message = Pick<Sent, "body" | "token"> & { key?: string }

export type Clients = {
  /** Sends a request once; undefined: it was not answered with 200, and perhaps done all the same. */
  attempt(url: string, message: Message): Promise<string | undefined>
  /**
   * Repeats a keyed request until it is answered, each time to a URL asked for anew and in as many
   * copies at once; rejects when it never is.
   */
  insist(url: () => string, message: Message, copies?: () => number): Promise<string>
  sent(): number
  /** Max response time. */
  maxMs(): number
  /** How many requests failed, and with what: `12 (503: 10, no answer: 2)`. */
  failures(): string
}

/** Refusals that a retry cannot change. */
const finalStatuses = [400, 404, 422]

type Failure = { status: number; reason: string }

/** Opens the clients; a request that is not answered in `patienceMs`, repeated, is a problem. */
export function openClients(patienceMs: number): Clients {
  const failures = new Map<string, number>()
  const counts = { sent: 0, maxMs: 0 }
  const fail = (status: number, text: string): Failure => {
    const kind = status === 0 ? "no answer" : String(status)
    failures.set(kind, (failures.get(kind) ?? 0) + 1)
    return { status, reason: `${kind}: ${text}` }
  }
  const deliver = async (url: string, { key, ...sent }: Message): Promise<string | Failure> => {
    counts.sent += 1
    const headers = { ...(key !== undefined && { "idempotency-key": key }) }
    try {
      const { status, text, milliseconds } = await send(url, { ...sent, headers })
      counts.maxMs = Math.max(counts.maxMs, milliseconds)
      return status === 200 ? text : fail(status, text)
    } catch (error) {
      // The connection broke: the outcome is unknown.
      return fail(0, String(error))
    }
  }
  return {
    sent: () => counts.sent,
    maxMs: () => counts.maxMs,
    failures: () => {
      const kinds = [...failures].map(([kind, count]) => `${kind}: ${count}`)
      const all = [...failures.values()].reduce((sum, count) => sum + count, 0)
      return `${all} (${kinds.join(", ")})`
    },
    async attempt(url, message) {
      const answer = await deliver(url, message)
      return typeof answer === "string" ? answer : undefined
    },
    async insist(url, message, copies = () => 1) {
      const deadline = Date.now() + patienceMs
      let last: Failure | undefined
      for (let attempt = 0; Date.now() < deadline; attempt++) {
        const all = Array.from({ length: copies() }, () => deliver(url(), message))
        for (const answer of await Promise.all(all)) {
          if (typeof answer === "string") return answer
          last = answer
        }
        if (last && finalStatuses.includes(last.status)) break
        // With growing pauses, so that a service that starts again is not overwhelmed.
        await sleep((50 + Math.random() * 200) * Math.min(2 ** attempt, 16))
      }
      throw new Error(`${message.key} was not answered: ${last?.reason}`)
    },
  }
}
