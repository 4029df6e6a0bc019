/** Streams the changes of a bot, and shows others where its caller is. */

import { z } from "zod"
import { requireBot } from "../../people/access.ts"
import { trackedStream } from "../openStream.ts"
import { botIdSchema, done, doneSchema } from "../sharedSchemas.ts"
import { tokenOperation, tokenStream } from "../trpc.ts"
import { hearBot, hearingSchema } from "./hearBot.ts"

export const changes = {
  changes: tokenStream
    .meta({ scope: "bots:read" })
    .input(hearingSchema.extend({ lastEventId: z.string().nullish() }))
    .subscription(({ ctx, input, signal }) => trackedStream(ctx, { ...input, signal }, hearBot)),

  setPresence: tokenOperation("POST /bots/{botId}/presence", {
    operationId: "setPresence",
    admits: "botReaders",
    isAudited: false,
    scope: "bots:read",
    tag: "Bots",
    summary: "Say where the caller is in a draft",
    description:
      "Those who listen to the changes of the bot hear it. It counts as long as the caller listens, too.",
    example: { request: { focus: "b2" }, response: done },
    input: {
      botId: botIdSchema,
      focus: z
        .string()
        .max(255)
        .optional()
        .describe("Id of the group, block or other element they are at; absent: none"),
    },
    output: doneSchema,
  }).mutation(async ({ ctx, input: { botId, focus } }) => {
    await requireBot(ctx, botId, "read")
    ctx.live.bots.focus(botId, { userId: ctx.user.id, focus })
    return done
  }),
}
