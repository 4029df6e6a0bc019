/** Messages of a person that follow each other closely, which are joined into one turn. */

import type { Notifications } from "../../db/connection/notifications.ts"
import { type Message, maxTextLength } from "../../engine/schema/message.ts"
import type { Burst } from "../../engine/session.ts"
import { createCap } from "../../lib/caps.ts"
import { unavailable } from "../../lib/errors.ts"
import { newUuid } from "../../lib/ids.ts"

/** Max messages of a burst; the next one ends it. */
const maxCollected = 20

/** The text of a message that can be joined with others; undefined: its files, choice or command would be lost. */
export function joinableText(message: Message | undefined): string | undefined {
  if (message?.type !== "text" || message.text.trim() === "") return undefined
  const isPlain = message.metadata === undefined && !message.attachedFileUrls?.length
  return isPlain ? message.text : undefined
}

/** A burst with another text, or a new one for some seconds. Undefined: it holds no more. */
export function withText(burst: Burst | undefined, text: string, seconds: number) {
  if (!burst) return { id: newUuid(), until: Date.now() + seconds * 1_000, texts: [text] }
  const texts = [...burst.texts, text]
  const isFull = texts.length > maxCollected || textOf({ texts }).length > maxTextLength
  return isFull ? undefined : { ...burst, texts }
}

/** What the flow hears. */
export function textOf({ texts }: Pick<Burst, "texts">): string {
  return texts.join("\n")
}

/** Under which the answer of a burst is stored. No caller can send it: headers have no line breaks. */
export function answerKeyOf(burstId: string) {
  return { key: `collected\n${burstId}`, bodyHash: Buffer.from(burstId) }
}

export type Bursts = ReturnType<typeof openBursts>

/** Opens the waits of a process for the ends of bursts. */
export function openBursts({ on, notify }: Pick<Notifications, "on" | "notify">) {
  const admit = createCap("collectedMessages")
  const waiting = new Map<string, Set<() => void>>()
  const close = on("burst_ended", (burstId) => {
    for (const wake of waiting.get(burstId) ?? []) wake()
  })
  return {
    /** Counts a call that waits; 503 when too many do. Returns its end. */
    admit: (botId: string) =>
      admit({ bot: botId }, () => unavailable("Too many messages wait for others to be joined", 1)),
    /** Resolves at the end of a burst. */
    async ended({ id, until }: Pick<Burst, "id" | "until">, maxSeconds: number): Promise<void> {
      const wakes = waiting.get(id) ?? new Set()
      waiting.set(id, wakes)
      // Another process may have another clock.
      const ms = Math.min(Math.max(0, until - Date.now()), maxSeconds * 1_000)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wakes.add(() => {
          clearTimeout(timer)
          resolve()
        })
      })
      // The others of the burst are woken at the same time.
      waiting.delete(id)
    },
    /** Wakes those who wait for a burst that ends before its time. */
    end: (burstId: string) => notify("burst_ended", burstId),
    close,
  }
}
