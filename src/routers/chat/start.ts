/** Starts a chat on a published bot. */

import { z } from "zod"
import { startChat } from "../../chat/startChat.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { isAnonymous } from "../../people/access.ts"
import { type Context, countedAddress, limitAddress } from "../context.ts"
import { exampleIds, exampleQuestion, exampleTime } from "../examples.ts"
import { sessionIdSchema } from "../sharedSchemas.ts"
import { publicOperation } from "../trpc.ts"
import { chatStepShape, runtimeBotSchema, startShape } from "./chatSchemas.ts"
import { observed, turnRequestOf } from "./observeTurn.ts"
import { admitPrefilled } from "./prefilled.ts"

const startInput = z.object({
  publicId: z.string().max(255).describe("Public id of the bot"),
  resultId: z
    .string()
    .max(255)
    .nullish()
    .describe("Earlier result to continue, if the bot remembers its users"),
  ...startShape,
})

export const startProcedure = publicOperation("POST /bots/{publicId}/startChat", {
  operationId: "startChat",
  takesKey: true,
  admits: "visitors",
  isTrusted: true,
  takesPlainInput: true,
  inPath: ["publicId"],
  tag: "Chat",
  summary: "Start a chat",
  description:
    "Starts a chat with a published bot. With an `Idempotency-Key` header, a repeated request gets the first response; use random keys.",
  example: {
    request: { prefilledVariables: { Source: "website" }, textBubbleContentFormat: "richText" },
    response: {
      sessionId: exampleIds.sessionId,
      resultId: exampleIds.resultId,
      bot: {
        id: exampleIds.botId,
        name: "Newsletter",
        version: "6.1",
        theme: {},
        settings: {},
        publishedAt: exampleTime,
      },
      ...exampleQuestion,
    },
  },
  input: startInput,
  output: namedObject("StartedChat", "A new chat and its first step", {
    sessionId: sessionIdSchema,
    resultId: z.string().optional().describe("Result of this chat; absent when nothing is awaited"),
    bot: runtimeBotSchema,
    ...chatStepShape,
  }),
}).mutation(({ ctx, input }) => startVisitorChat(ctx, input))

type StartInput = z.infer<typeof startInput>

/** Starts a chat, within the limits of its caller; `isForTool`: as in `TurnRequest`. */
export async function startVisitorChat(
  ctx: Context,
  input: StartInput,
  { isForTool }: { isForTool?: true } = {},
) {
  await limitAddress(ctx, "startChatByAddress")
  await ctx.limit("startChatByBot", input.publicId)
  if (input.prefilledVariables) await admitPrefilled(ctx, input.prefilledVariables)
  const request = {
    ...input,
    ...turnRequestOf(ctx, input),
    resultId: input.resultId ?? undefined,
    language: input.language ?? undefined,
    prefilledVariables: input.prefilledVariables ?? undefined,
    address: (await isAnonymous(ctx)) ? countedAddress(ctx) : undefined,
    ...(isForTool && { isForTool }),
  }
  return observed(ctx, "start", (chat) => startChat(chat, request))
}
