/** Streams calls from outside and answers of models to tRPC clients. */

import { tracked } from "@trpc/server"
import { z } from "zod"
import { streamMessage } from "../../chat/streamMessage.ts"
import type { ClientCall } from "../../chat/webhooks/webhookCalls.ts"
import { publicStream } from "../trpc.ts"
import { sessionIdSchema } from "./schema.ts"

/** A piece of the text, or why the answer is incomplete. */
type AnswerPart = { type: "text"; text: string } | { type: "error"; message: string }

const brokenOff = "The connection was lost: go on with the text that has come"

/** `AbortSignal.any` would keep every stream for as long as the longest-lived signal. */
function untilAny(signals: readonly (AbortSignal | undefined)[]): {
  signal: AbortSignal
  forget(): void
} {
  const any = new AbortController()
  const abort = () => any.abort()
  for (const signal of signals) {
    if (signal?.aborted) abort()
    signal?.addEventListener("abort", abort)
  }
  return {
    signal: any.signal,
    forget: () => {
      for (const signal of signals) signal?.removeEventListener("abort", abort)
    },
  }
}

export const streams = {
  listen: publicStream
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
    }),

  streamAnswer: publicStream
    .meta({ isChat: true })
    .input(z.object({ sessionId: sessionIdSchema, lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input, signal }) {
      const { sessionId, lastEventId } = input
      await ctx.limit("continueChat", sessionId)
      if (lastEventId) return yield part(lastEventId, { type: "error", message: brokenOff })
      const { chat, origin, iframeReferrerOrigin, live } = ctx
      const release = live.admit(ctx.ip)
      const ending = untilAny([live.stopping, signal])
      let count = 0
      try {
        const request = { sessionId, origin, iframeReferrerOrigin, signal: ending.signal }
        for await (const { code, value } of await streamMessage({ chat, ...live }, request)) {
          count += 1
          if (code === "0") yield part(`${count}`, { type: "text", text: value })
          if (code === "3") yield part(`${count}`, { type: "error", message: wordsOf(value) })
        }
      } finally {
        release()
        ending.forget()
      }
    }),
}

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

const part = (id: string, data: AnswerPart) => tracked(id, data)

/** Takes the message out of the JSON that other readers of the stream get. */
function wordsOf(failure: string): string {
  const { description }: { description: string } = JSON.parse(failure)
  return description
}
