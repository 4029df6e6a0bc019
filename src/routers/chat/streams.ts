/** Streams calls from outside and answers of models to tRPC clients. */

import { tracked } from "@trpc/server"
import { z } from "zod"
import { type Heard, hearChat } from "../../chat/conversations/hearChat.ts"
import type { TeamReply } from "../../chat/events/eventSchemas.ts"
import { streamMessage } from "../../chat/streamMessage.ts"
import { openStream } from "../openStream.ts"
import { sessionIdSchema } from "../sharedSchemas.ts"
import { publicStream } from "../trpc.ts"
import type { chatStepSchema } from "./chatSchemas.ts"

type ChatStep = z.infer<typeof chatStepSchema>

/**
 * An event of a chat. `listening`: later events will not be missed.
 * `message`: another system has called; send the text as a message to continue the chat.
 */
export type ChatEvent =
  | { type: "listening" }
  | { type: "message"; text: string }
  | { type: "conversation.paused" }
  | { type: "conversation.resumed" }
  | ({ type: "conversation.reply" } & TeamReply)
  | { type: "conversation.typing" }
  | ({ type: "conversation.continued" } & ChatStep)
  | ({ type: "conversation.idle"; afterSeconds: number } & ChatStep)
  | { type: "conversation.ended" }
  | { type: "conversation.expired" }

/** A piece of the text, or why the answer is incomplete. */
type AnswerPart = { type: "text"; text: string } | { type: "error"; message: string }

const brokenOff = "The connection was lost: go on with the text that has come"

export const streams = {
  listen: publicStream
    .meta({ isChat: true })
    .input(z.object({ sessionId: sessionIdSchema, lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input, signal = new AbortController().signal }) {
      const { origin, iframeReferrerOrigin, onlyBots, live } = ctx
      const { sessionId, lastEventId } = input
      const lastId = lastEventId ?? undefined
      const release = live.admit(ctx.ip)
      try {
        const from = { origin, iframeReferrerOrigin, onlyBots }
        for await (const each of hearChat(live, { sessionId, lastId, signal, ...from })) {
          yield tracked(each.id, eventOf(each))
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
      const { chat, origin, iframeReferrerOrigin, onlyBots, live } = ctx
      const stream = openStream(ctx, signal)
      let count = 0
      try {
        const request = { sessionId, origin, iframeReferrerOrigin, onlyBots, signal: stream.signal }
        for await (const { code, value } of await streamMessage({ chat, ...live }, request)) {
          count += 1
          if (code === "0") yield part(`${count}`, { type: "text", text: value })
          if (code === "3") yield part(`${count}`, { type: "error", message: wordsOf(value) })
        }
      } finally {
        stream.close()
      }
    }),
}

function eventOf({ type, data }: Heard): ChatEvent {
  if (type === "message") return { type, text: data }
  // The data of the event, stored under its type.
  return { type, ...JSON.parse(data) }
}

const part = (id: string, data: AnswerPart) => tracked(id, data)

/** Takes the message out of the JSON that other readers of the stream get. */
function wordsOf(failure: string): string {
  const { description }: { description: string } = JSON.parse(failure)
  return description
}
