/** Has clients that listen to a session look for what they were told. */
import type { Chat } from "../chat.ts"

/** A hint to every process: what happened is stored, and listeners look for it now and then anyway. */
export async function tellListeners({ notify }: Pick<Chat, "notify">, resultId: string) {
  await notify("session_told", resultId)
}
