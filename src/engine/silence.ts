/** When silence counts in a bot: the thresholds of its settings and of its idle events. */
import type { BotEvent } from "./schema/event.ts"
import type { Settings } from "./schema/settings.ts"

/** What a bot makes of silence; all times in seconds. */
export type Silence = {
  /** Thresholds, the shortest first. */
  idle: readonly number[]
  /** When a chat ends; absent: after the usual time. */
  expiresAfter?: number | undefined
}

/** The silences that count in a flow. Returns undefined when silence does not count. */
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

/** When conversations with a key end if `expiresAfter` is not set, in seconds; undefined: not set either. */
export function keyedExpiryOf({ whatsApp }: Settings): number | undefined {
  const hours = whatsApp?.sessionExpiryTimeout
  return hours === undefined ? undefined : hours * 3_600
}
