/** Chats with a small bot, which benches measure. */
import { ask, bot, group, say } from "../../test/support/bots.ts"
import type { ProductProcess } from "../drills/product.ts"

/** A bot that asks, says what it heard and asks again; its other blocks are never visited. */
export function echoFlow(blocks: number) {
  const others = Array.from({ length: Math.floor((blocks - 3) / 5) }, (_, index) =>
    group(`Other ${index}`, ...Array.from({ length: 5 }, () => say("Not {{Said}} here"))),
  )
  const asking = ask.text({ id: "ask", saves: "Said" })
  const echo = say("You said {{Said}}", { to: "Loop#ask" })
  return bot(group("Loop", say("Say something"), asking, echo), ...others)
}

/** Starts so many chats with a published bot; returns the ids of their sessions. */
export async function startChats(
  { api }: ProductProcess,
  publicId: string,
  chats: number,
): Promise<string[]> {
  const sessionIds: string[] = []
  for (let chat = 0; chat < chats; chat++) sessionIds.push((await api.start(publicId)).sessionId)
  return sessionIds
}
