/** Calls the chat API until it answers: calls that the service has not processed are sent again. */

/** A refusal of the service. Its message is for developers. */
export class Refusal extends Error {
  readonly status: number
  /** The reason as one word; "" if a proxy or something else in between has answered. */
  readonly reason: string
  constructor(status: number, reason: string, message: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

export type Connection = ReturnType<typeof createConnection>

/** Longer than the longest turn of the service. */
const answerTimeoutMs = 170_000

const maxPauseMs = 10_000

/** Max wait for another attempt; beyond, the call fails. */
export const maxWaitMs = 60_000

/** Statuses of a call that has not been processed: the service is stopping, or busy. */
const unprocessed = new Set([409, 425, 429, 503])

/**
 * Statuses of a proxy that cannot reach the service, some with 404 while it restarts; the service itself
 * sends 404 for a missing chat, and 408 for a slow flow.
 */
const unreached = new Set([404, 408, 502, 504])

/** A chat that stays busy for longer than this has continued with another message. */
const maxConflicts = 6

type ConnectionOptions = {
  /** Origin of the service, without a slash at the end. */
  host: string
  /** Aborts all calls. */
  closing: AbortSignal
  /** Called when a call has to be sent again, and when one got through. */
  onTrouble(isLost: boolean): void
}

export function createConnection({ host, closing, onTrouble }: ConnectionOptions) {
  // Several calls may wait at a time, such as those of files that were dropped together.
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const end of waiting) end()
  }
  addEventListener("online", wake, { signal: closing })

  const pause = (attempt: number, atLeastMs: number) =>
    new Promise<void>((resolve) => {
      const backOffMs = Math.min(maxPauseMs, 500 * 2 ** Math.min(attempt, 6))
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, Math.max(atLeastMs, backOffMs))
      waiting.add(end)
    })

  /**
   * Posts JSON and returns the answer. Repetitions carry the same `Idempotency-Key` where the call
   * takes one, so that the service acts only once. Throws a `Refusal` if repeating would not help.
   */
  async function post<T>(path: string, body: unknown, key?: string): Promise<T> {
    let conflicts = 0
    for (let attempt = 0; ; attempt++) {
      const answer = await attemptOnce(`${host}${path}`, { body, key, closing })
      closing.throwIfAborted()
      if (answer?.ok) {
        onTrouble(false)
        return (await answer.json()) as T
      }
      const refusal = answer && (await refusalOf(answer))
      if (refusal?.status === 409) conflicts += 1
      // Proxies may write a date there.
      const waitMs = (Number(answer?.headers.get("retry-after")) || 0) * 1000
      const isOver = conflicts > maxConflicts || waitMs > maxWaitMs
      if (refusal && (isOver || !isUnprocessed(refusal))) {
        onTrouble(false)
        throw refusal
      }
      // A service that is busy, or back within a moment, is not a broken connection.
      onTrouble(!answer || (attempt > 0 && (answer.status >= 500 || unreached.has(answer.status))))
      await pause(attempt, waitMs)
      closing.throwIfAborted()
    }
  }

  return {
    host,
    post,
    /** Posts JSON once and ignores the outcome. */
    notify: (path: string, body: unknown) => {
      void attemptOnce(`${host}${path}`, { body, closing })
    },
    /** Headers of every call to the service. */
    headers: frameHeaders(),
    /** Ends the wait before the next attempt. */
    retryNow: wake,
  }
}

type Attempt = { body: unknown; key?: string | undefined; closing: AbortSignal }

/** Makes one attempt. Returns undefined when the connection failed. */
async function attemptOnce(url: string, { body, key, closing }: Attempt) {
  // Not `AbortSignal.any`, which browsers of 2023 lack.
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, answerTimeoutMs)
  // A request that is running when the network goes down rarely fails on its own.
  addEventListener("offline", end, { signal: ending.signal })
  closing.addEventListener("abort", end, { signal: ending.signal })
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
        ...frameHeaders(),
      },
      body: JSON.stringify(body),
      signal: ending.signal,
      credentials: "omit",
    })
    // An incomplete body is a lost answer, too.
    const text = await response.text()
    return new Response(text, { status: response.status, headers: response.headers })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    end()
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  type Problem = { reason?: unknown; message?: unknown } | null
  const problem: Problem = await response.json().catch(() => null)
  const { reason, message } = problem ?? {}
  return new Refusal(response.status, String(reason ?? ""), String(message ?? ""))
}

/** Whether sending a call again can help. Only an answer of the service itself has a reason. */
function isUnprocessed({ status, reason }: Refusal): boolean {
  if (reason === "CHAT_PAUSED") return false
  return unprocessed.has(status) || (unreached.has(status) && reason === "")
}

/** Names the origin of the page around the chat page, which the bot may have to allow. */
function frameHeaders(): Record<string, string> {
  if (window.parent === window) return {}
  const outer =
    location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin)
  return outer ? { "x-parley-iframe-referrer-origin": outer } : {}
}

/** A random key; `crypto.randomUUID` is missing on pages without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
