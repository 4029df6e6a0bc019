/** A virtual user of benches who holds one conversation after the other. */
import { replies } from "../../test/support/threeQuestions.ts"
import { type Load, type Measured, putLoad } from "./load.ts"
import type { Started } from "./processes.ts"

/** Public id of the bot that the user talks to. */
export const publicId = "bench-three"

/** Replies count, starts do not. */
function talker(): ReturnType<Load["makeUser"]> {
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

/** Has so many users talk with a service for a while. Throws when it refuses anything. */
export async function putTalk(
  { address, pid }: Started,
  load: Pick<Load, "users" | "durationMs">,
): Promise<Measured> {
  const measured = await putLoad({ address, pid, ...load, makeUser: talker })
  if (measured.errors > 0) throw new Error(`${measured.errors} requests of chats were refused`)
  return measured
}
