/** Shows why a call was refused. */
import { Refusal } from "./connection.ts"
import { expire, forget, keep, maxTextLength, type Talk } from "./talk.ts"
import type { Ending } from "./view.ts"

/** Shows a message for people about a refused call; the console has the reason for developers. */
export function showRefusal(talk: Talk, error: unknown): void {
  const { store, kept, sessionId } = talk
  const refusal = error instanceof Refusal ? error : undefined
  console.error(refusal ? `Parley: ${refusal.status} ${refusal.reason} ${refusal.message}` : error)
  if (sessionId !== undefined && refusal?.status === 404) {
    expire(talk)
    return
  }
  const input = kept?.pending?.asked
  const lasting = lastingRefusal(talk, refusal)
  if (lasting || !input) {
    if (refusal?.status === 404) forget(talk)
    else keep(talk, { pending: undefined })
    const ending = lasting ?? ({ text: "failed", canRestart: true } as const)
    store.change({ isTyping: false, ending })
    return
  }
  // The answer goes back into its field.
  const entries = store
    .read()
    .entries.filter(({ kind, ...entry }) => !("isSent" in entry) || entry.isSent)
  const { message } = kept.pending ?? {}
  const isLong = message?.type === "text" && message.text.length > maxTextLength
  const notice = refusal?.status === 413 || isLong ? "tooLong" : "failed"
  store.change({ entries, input, isTyping: false, notice })
  keep(talk, { pending: undefined, input })
}

/** Why the conversation cannot continue; undefined: the person can answer again. */
function lastingRefusal(talk: Talk, refusal: Refusal | undefined): Ending | undefined {
  const { status = 0, reason, message = "" } = refusal ?? {}
  if (reason === "ORIGIN_NOT_ALLOWED") return { text: "siteNotAllowed", canRestart: false }
  if (reason === "BOT_CLOSED" || reason === "BOT_SUSPENDED") {
    return { text: "unavailable", ownWords: message, canRestart: false }
  }
  if (talk.sessionId !== undefined) return undefined
  // Another attempt does not change these.
  const isLasting = [400, 403, 404].includes(status)
  return { text: "unavailable", canRestart: !isLasting }
}
