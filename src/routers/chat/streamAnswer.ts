/** Streams the answer of a model while it is written, to clients of tRPC. */
import { tracked } from "@trpc/server"
import { z } from "zod"
import { streamMessage } from "../../chat/streamMessage.ts"
import { publicStream } from "../trpc.ts"
import { sessionIdSchema } from "./schema.ts"
import { untilAny } from "./untilAny.ts"

/** A piece of the text, or why it breaks off. */
type AnswerPart = { type: "text"; text: string } | { type: "error"; message: string }

const brokenOff = "The connection was lost: go on with the text that has come"

/**
 * The answer that a chat waits for after the action `stream`. Once it ends, its whole text goes back
 * into the chat as the message. An `EventSource` that lost its connection comes back by itself, with
 * the id of the last part. Its answer ends there: the model, asked again, would start over.
 */
export const streamAnswerProcedure = publicStream
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
  })

const part = (id: string, data: AnswerPart) => tracked(id, data)

/** Readers of the stream outside tRPC get the words inside JSON. */
function wordsOf(failure: string): string {
  const { description }: { description: string } = JSON.parse(failure)
  return description
}
