/** What an attack is, and what may come of one. */
import type { Got } from "./ask.ts"
import type { Target } from "./target.ts"

/** Where an attack comes in. */
export type Door =
  | "anonymous preview"
  | "preview with token"
  | "prefilled at start"
  | "published bot"
  | "tRPC"
  | "REST"
  | "uploads"
  | "bodies"
  | "headers"
  | "sockets"

/** Says in a sentence what is wrong with an answer; undefined: nothing. */
export type Judge = (got: Got) => string | undefined

/** One way to harm the service, or, as a control, an honest request of the same shape. */
export type Attack = {
  name: string
  door: Door
  /** Does it once; `nth` counts those that run at the same time. */
  run(target: Target, nth: number): Promise<Got>
  judge: Judge
  /** How many run at once in the second round; absent: 4; 1: there is no second round. */
  crowd?: number
  /** An honest request: it must be served. */
  isControl?: boolean
}

/** An answer is never larger than the largest request. */
export const maxAnswerBytes = 4 * 1024 * 1024

/** The attacker gets an answer that is no failure of the service, and not a large one. */
export const bounded: Judge = (got) => {
  if (got.status === 0) return `no answer: ${got.text}`
  if (got.status >= 500 && got.status !== 503) return `status ${got.status}`
  return got.bytes > maxAnswerBytes ? `an answer of ${got.bytes} bytes` : undefined
}

/** The flow is stopped because it costs too much. */
export const tooExpensive: Judge = (got) =>
  bounded(got) ?? (got.code === "FLOW_TOO_EXPENSIVE" ? undefined : `${inWords(got)} instead`)

/** The flow is stopped, because it costs too much or because its values grow too large. */
export const stopped: Judge = (got) =>
  got.code === "CHAT_TOO_LARGE" ? bounded(got) : tooExpensive(got)

/** A refusal with one of these statuses. */
export function refused(...statuses: number[]): Judge {
  return (got) =>
    statuses.includes(got.status) ? undefined : `${inWords(got)}, not ${statuses.join(" or ")}`
}

/** An answer of an honest request. */
export const served: Judge = (got) =>
  bounded(got) ?? (got.status >= 200 && got.status < 300 ? undefined : inWords(got))

/** Bounded, and nowhere in the answer is anything like this. */
export function without(pattern: RegExp): Judge {
  return (got) => {
    const found = pattern.exec(got.text)?.[0]
    return bounded(got) ?? (found === undefined ? undefined : `the answer holds ${found}`)
  }
}

/** Bounded, and the answer holds this. */
export function holding(text: string): Judge {
  return (got) => served(got) ?? (got.text.includes(text) ? undefined : `${text} is missing`)
}

/** An honest request of the same shape as attacks are. */
export const control = (attack: Attack): Attack => ({ ...attack, isControl: true })

/** An answer for people: its status, and its code where there is one. */
export function inWords({ status, code, text }: Got): string {
  if (status === 0) return `no answer (${text.slice(0, 60)})`
  return code === undefined ? String(status) : `${status} ${code}`
}
