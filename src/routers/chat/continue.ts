/** Continues a chat. */

import { z } from "zod"
import { continueChat } from "../../chat/continueChat.ts"
import { messageSchema } from "../../engine/schema/message.ts"
import type { Context } from "../context.ts"
import { exampleThanks } from "../examples.ts"
import { bodyFlag, sessionIdSchema } from "../sharedSchemas.ts"
import { publicOperation } from "../trpc.ts"
import { chatStepSchema, textFormatSchema } from "./chatSchemas.ts"
import { observed, turnRequestOf } from "./observeTurn.ts"
import { admitTracer, traceFlagSchema } from "./previewTrace.ts"

const continueInput = z.object({
  sessionId: sessionIdSchema,
  message: messageSchema
    .nullish()
    .describe("The reply, or the outcome of a client-side action; absent: continue without one"),
  textBubbleContentFormat: textFormatSchema,
  acceptsPaused: bodyFlag(
    "True: while a person has taken over, the message is kept for the team, and the response has the state `paused`. False or absent: it is refused with 409 and `CHAT_PAUSED`",
  ),
  trace: traceFlagSchema,
})

export const continueProcedure = publicOperation("POST /sessions/{sessionId}/continueChat", {
  operationId: "continueChat",
  takesKey: true,
  admits: "anybody",
  isTrusted: true,
  takesPlainInput: true,
  takesToken: true,
  scope: "bots:write",
  inPath: ["sessionId"],
  tag: "Chat",
  summary: "Continue a chat",
  description:
    "Sends a message to a chat. After an invalid reply the question is asked again, with status 200. With an `Idempotency-Key` header, a repeated request gets the first response.",
  example: { request: { message: { type: "text", text: "Ann" } }, response: exampleThanks },
  input: continueInput,
  output: chatStepSchema,
}).mutation(({ ctx, input }) => continueVisitorChat(ctx, input))

type ContinueInput = z.infer<typeof continueInput>

/** Continues a chat, within its limits; `ofBot`, `isForTool`: as in `continueChat`. */
export async function continueVisitorChat(
  ctx: Context,
  input: ContinueInput,
  only: { ofBot?: string; isForTool?: true } = {},
) {
  await ctx.limit("continueChat", input.sessionId)
  const { sessionId } = input
  const tracer = input.trace ? await admitTracer(ctx) : undefined
  // No other caller gets the answer by repeating the request.
  const shared = turnRequestOf(ctx, tracer ? { ...input, tracedFor: tracer.userId } : input)
  const { admitToTrace } = tracer ?? {}
  const { acceptsPaused } = input
  const request = { ...shared, ...only, sessionId, address: ctx.ip, admitToTrace, acceptsPaused }
  return observed(ctx, "continue", (chat) => continueChat(chat, request))
}
