/** Streams to clients of tRPC the call from outside that their chat waits for. */
import { tracked } from "@trpc/server"
import { z } from "zod"
import type { ClientCall } from "../../chat/webhooks/webhookCalls.ts"
import { publicStream } from "../trpc.ts"
import { sessionIdSchema } from "./schema.ts"

/**
 * One event after the action `listenForWebhook`: the text that goes back into the chat as the message.
 * It is not given again to a client that comes back with its id.
 */
export const listenProcedure = publicStream
  .meta({ isChat: true })
  .input(z.object({ sessionId: sessionIdSchema, lastEventId: z.string().nullish() }))
  .subscription(async function* ({ ctx, input, signal }) {
    const { origin, iframeReferrerOrigin, live } = ctx
    const release = live.admit(ctx.ip)
    try {
      const { call: first, onCall } = firstCall(signal)
      const place = { room: input.sessionId, lastId: input.lastEventId ?? undefined }
      const caller = { origin, iframeReferrerOrigin }
      const stop = await live.calls.listen({ ...place, ...caller, onCall, onEnd: onCall })
      try {
        const call = await first
        if (call !== undefined) yield tracked(call.id, { text: call.text })
      } finally {
        stop()
      }
    } finally {
      release()
    }
  })

/** Resolves to the first call, or to undefined when the client leaves or the service stops. */
function firstCall(signal: AbortSignal | undefined) {
  let onCall: (call?: ClientCall) => void = () => {}
  const call = new Promise<ClientCall | undefined>((resolve) => {
    onCall = resolve
    signal?.addEventListener("abort", () => resolve(undefined), { once: true })
    if (signal?.aborted) resolve(undefined)
  })
  return { call, onCall }
}
