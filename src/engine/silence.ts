/** Reactions of a bot to silence: the thresholds of its settings and idle events. */
import type { BotEvent } from "./schema/event.ts"
import type { Settings } from "./schema/settings.ts"

/** The times after which a bot reacts to silence, in seconds. */
export type Silence = {
  /** Thresholds, the shortest first. */
  idle: readonly number[]
  /** When a chat ends; absent: after the default time. */
  expiresAfter?: number | undefined
}

/** The thresholds of a flow; undefined: none. */
export function silenceOf(
  settings: Settings,
  events: readonly BotEvent[] | null,
): Silence | undefined {
  const { idleAfter = [], expiresAfter } = settings.sessions ?? {}
  const answered = (events ?? []).flatMap((event) => {
    const { afterSeconds } = (event.type === "idle" && event.options) || {}
    return afterSeconds === undefined ? [] : [afterSeconds]
  })
  const idle = [...new Set([...idleAfter, ...answered])].toSorted((one, other) => one - other)
  return idle.length > 0 || expiresAfter !== undefined ? { idle, expiresAfter } : undefined
}

/** Lifetime of conversations with a key without `expiresAfter`, in seconds; undefined: not set. */
export function keyedExpiryOf({ whatsApp }: Settings): number | undefined {
  const hours = whatsApp?.sessionExpiryTimeout
  return hours === undefined ? undefined : hours * 3_600
}
