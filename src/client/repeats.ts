/** Repeats calls that got no answer, under one key, so that the service acts only once. */

import { isParleyError } from "./errors.ts"

/** What a call is made with: the key is sent as the header `Idempotency-Key`. */
export type Keyed = { context: { idempotencyKey: string } }

/** Makes a call until it is answered or refused; the request says what it asks for. */
type Repeat = <Answer>(request: object, call: (how: Keyed) => Promise<Answer>) => Promise<Answer>

/** The pauses before further attempts, in milliseconds. */
const pausesMs = [100, 200, 400, 800, 1_600]

/** Creates the repeats of a chat: a request that got no answer at all is the same when it is made again. */
export function createRepeats(): Repeat {
  let lost: { key: string; request: string } | undefined
  return async (asked, call) => {
    const request = JSON.stringify(asked)
    if (lost?.request !== request) lost = { key: newKey(), request }
    const how = { context: { idempotencyKey: lost.key } }
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await call(how)
        lost = undefined
        return answer
      } catch (error) {
        const pauseMs = pausesMs[attempt]
        if (pauseMs === undefined || !isUnprocessed(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }
}

type Refused = { data?: { httpStatus: number; reason: string } | null }

/** Whether a retry can help: no answer, or a busy service. */
function isUnprocessed(error: unknown): boolean {
  const { data } = error as Refused
  if (!data) return error instanceof Error && error.name === "TRPCClientError"
  return data.httpStatus === 429 || data.httpStatus === 503 || data.reason === "CHAT_BUSY"
}

/** A random key; `crypto.randomUUID` is missing on pages without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** Max pause between two attempts, in milliseconds. */
const maxPauseMs = 5_000

/** Calls until the service answers, or the caller has closed: one that is lost, or says that it is busy, is no answer. */
export async function persistently<Answer>(
  call: () => Promise<Answer>,
  isClosed = () => false,
): Promise<Answer> {
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await call()
    } catch (error) {
      const status = isParleyError(error) ? (error.data?.httpStatus ?? 503) : 400
      if (isClosed() || (status < 500 && status !== 429)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
