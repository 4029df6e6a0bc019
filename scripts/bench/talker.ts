/** A virtual user of benches who holds one conversation after the other. */
import { replies } from "./conversation.ts"
import type { Load } from "./load.ts"

/** Public id of the bot that the user talks to. */
export const publicId = "bench-three"

/** Replies count, starts do not. */
export function talker(): ReturnType<Load["makeUser"]> {
  let path = ""
  let reply = 0
  return {
    first() {
      reply = 0
      return { path: `/api/v1/bots/${publicId}/startChat`, body: {} }
    },
    next({ sessionId }) {
      if (typeof sessionId === "string") path = `/api/v1/sessions/${sessionId}/continueChat`
      const message = replies[reply++]
      return message === undefined ? undefined : { path, body: { message } }
    },
    counts: (asked) => asked.endsWith("/continueChat"),
  }
}
