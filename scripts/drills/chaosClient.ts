/** Clients of the chaos drill: they talk on through every disaster and remember what was confirmed. */
import { setTimeout as sleep } from "node:timers/promises"

/** What one client knows of its chat in the end. */
export type Told = {
  index: number
  resultId: string
  /** Messages whose turn was confirmed, in their order. */
  confirmed: string[]
  /** Messages that may or may not have been stored, because their answer got lost. */
  doubtful: string[]
  /** What went wrong for good; absent: nothing. */
  problem?: string
}

/** All clients. */
export type ChaosClient = {
  /** Starts a chat and talks until `finish`; never rejects. */
  talk(index: number, publicIds: readonly string[]): Promise<Told>
  /** Every chat says one last thing and ends. */
  finish(): void
  acknowledged(): number
  /** The longest time from a request to its answer. */
  longestMs(): number
  /** How many requests failed, and with what: `12 (503: 10, no answer: 2)`. */
  failures(): string
}

type Reply = { status: number; body: Record<string, unknown> }

const requestTimeoutMs = 20_000

/** Opens the clients; a request that is not answered in `patienceMs`, repeated, is a problem. */
export function openChaosClient({
  address,
  patienceMs,
}: {
  address: string
  patienceMs: number
}): ChaosClient {
  const counts = { acknowledged: 0, longestMs: 0 }
  const failures = new Map<string, number>()
  const countFailure = (reply: Reply | undefined) => {
    const kind = reply ? String(reply.status) : "no answer"
    failures.set(kind, (failures.get(kind) ?? 0) + 1)
  }
  let isFinished = false

  /** Undefined: the connection broke, nobody knows whether it was done. */
  const post = async (path: string, sent: object, key?: string): Promise<Reply | undefined> => {
    const headers = { "content-type": "application/json", ...(key && { "idempotency-key": key }) }
    const sentAt = performance.now()
    try {
      const response = await fetch(`${address}/api/v1${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(sent),
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      const body = (await response.json()) as Reply["body"]
      counts.longestMs = Math.max(counts.longestMs, performance.now() - sentAt)
      return { status: response.status, body }
    } catch {
      return undefined
    }
  }

  /** Repeats a keyed request until it is answered with 200. */
  const insist = async (path: string, body: object, key: string): Promise<Reply["body"]> => {
    const deadline = Date.now() + patienceMs
    let last = "no answer"
    while (Date.now() < deadline) {
      const reply = await post(path, body, key)
      if (reply?.status === 200) return reply.body
      countFailure(reply)
      if (reply) last = `${reply.status} ${JSON.stringify(reply.body)}`
      // Refusals that no repetition can heal.
      if (reply && [400, 404, 422].includes(reply.status)) break
      await sleep(100 + Math.random() * 200)
    }
    throw new Error(`${key} was not answered: ${last}`)
  }

  return {
    finish: () => {
      isFinished = true
    },
    acknowledged: () => counts.acknowledged,
    longestMs: () => counts.longestMs,
    failures: () => {
      const kinds = [...failures].map(([kind, count]) => `${kind}: ${count}`)
      const all = [...failures.values()].reduce((sum, count) => sum + count, 0)
      return `${all} (${kinds.join(", ")})`
    },
    async talk(index, publicIds) {
      const told: Told = { index, resultId: "", confirmed: [], doubtful: [] }
      const publicId = publicIds[index % publicIds.length] ?? ""
      // Every third client repeats nothing: what was confirmed to it must be stored all the same.
      const isKeyed = index % 3 !== 0
      try {
        const begun = await insist(`/bots/${publicId}/startChat`, {}, `start ${index}`)
        told.resultId = String(begun.resultId)
        const path = `/sessions/${begun.sessionId}/continueChat`
        for (let turn = 0; ; turn++) {
          const isLast = isFinished
          const message = `chat ${index} turn ${turn}`
          if (isKeyed || isLast) await insist(path, { message }, message)
          else {
            const reply = await post(path, { message })
            if (reply?.status !== 200) {
              countFailure(reply)
              told.doubtful.push(message)
              await sleep(200)
              continue
            }
          }
          told.confirmed.push(message)
          counts.acknowledged += 1
          if (isLast) return told
          await sleep(Math.random() * 400)
        }
      } catch (error) {
        return { ...told, problem: `chat ${index}: ${String(error)}` }
      }
    },
  }
}
