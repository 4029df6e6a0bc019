/** Streams the answer of a model while it is written, to clients of tRPC. */
import { z } from "zod"
import { streamMessage } from "../../chat/streamMessage.ts"
import { plainInput } from "../input.ts"
import { publicProcedure } from "../trpc.ts"
import { sessionIdSchema } from "./schema.ts"
import { untilAny } from "./untilAny.ts"

/** A piece of the text, or why it breaks off. */
export type AnswerPart = { type: "text"; text: string } | { type: "error"; message: string }

/**
 * The answer that a chat waits for after the action `stream`. Once it ends, its whole text goes back
 * into the chat as the message.
 */
export const streamAnswerProcedure = publicProcedure
  .meta({ isChat: true })
  .input(plainInput(z.object({ sessionId: sessionIdSchema })))
  .subscription(async function* ({ ctx, input, signal }): AsyncGenerator<AnswerPart> {
    const { sessionId } = input
    await ctx.limit("continueChat", sessionId)
    const { chat, origin, iframeReferrerOrigin, live } = ctx
    const ending = untilAny([live.stopping, signal])
    try {
      const request = { sessionId, origin, iframeReferrerOrigin, signal: ending.signal }
      for await (const { code, value } of await streamMessage({ chat, ...live }, request)) {
        if (code === "0") yield { type: "text", text: value }
        if (code === "3") yield { type: "error", message: value }
      }
    } finally {
      ending.forget()
    }
  })
