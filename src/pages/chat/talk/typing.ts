/** Decides how long the bot seems to type before a message. */
import type { ChatMessage, Settings } from "../payload.ts"
import { plainText } from "../richText/plainText.ts"

const defaults: Required<NonNullable<Settings["typingEmulation"]>> = {
  enabled: true,
  speed: 400,
  maxDelay: 3,
  delayBetweenBubbles: 0,
  isDisabledOnFirstMessage: true,
}

/** Milliseconds before a message; `isFirst` is true for the first message of a chat. */
export function typingMs(message: ChatMessage, settings: Settings, isFirst: boolean): number {
  const { enabled, speed, maxDelay, delayBetweenBubbles, isDisabledOnFirstMessage } = {
    ...defaults,
    enabled: settings.general?.isTypingEmulationEnabled ?? true,
    ...settings.typingEmulation,
  }
  if (isFirst && isDisabledOnFirstMessage) return 0
  const pauseMs = isFirst ? 0 : delayBetweenBubbles * 1000
  if (!enabled || message.type !== "text") return pauseMs
  const words = plainText(message.content).split(/\s+/).filter(Boolean).length
  const typedMs = (words / Math.max(1, speed)) * 60_000
  return pauseMs + Math.min(typedMs, maxDelay * 1000)
}
