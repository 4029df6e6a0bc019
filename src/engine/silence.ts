/** When silence counts in a bot: the thresholds of its settings and of its idle events. */
import type { BotEvent } from "./schema/event.ts"
import type { Settings } from "./schema/settings.ts"

/** The silences that count in a bot, in seconds. */
export type Silence = {
  /** Thresholds, the shortest first. */
  idle: readonly number[]
  /** After which a chat ends; absent: after the usual time. */
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

/** After which conversations with a key end unless `expiresAfter` says so; undefined: nothing does. */
export function keyedExpiryOf({ whatsApp }: Settings): number | undefined {
  const hours = whatsApp?.sessionExpiryTimeout
  return hours === undefined ? undefined : hours * 3_600
}
