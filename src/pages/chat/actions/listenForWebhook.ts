/** Waits for a webhook call, which the chat hears among other events. */

import type { ChatStep } from "../payload.ts"
import { interruptible, type Talk } from "../talk/talk.ts"

/** Resolves to the body of the call, or to the step that came instead; rejects when a command interrupts it. */
export function listenForWebhook(talk: Talk): Promise<string | ChatStep | undefined> {
  talk.store.change({ isTyping: true })
  const signal = interruptible(talk)
  return new Promise<string | ChatStep | undefined>((resolve, reject) => {
    talk.onCall = (heard) => {
      if (heard === "end") resolve(undefined)
      else resolve("step" in heard ? heard.step : heard.call)
    }
    talk.listenNow?.()
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    // The call may have come while the messages before it were shown.
    const { called } = talk
    if (called) talk.onCall(called)
  }).finally(() => {
    talk.onCall = undefined
    talk.called = undefined
  })
}
