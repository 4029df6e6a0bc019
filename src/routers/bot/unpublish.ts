/** POST /api/v1/bots/{botId}/unpublish */
import { z } from "zod"
import { unpublish } from "../../db/bots/publications.ts"
import { notFound } from "../../errors.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema } from "./schema.ts"

/** Unpublishes a bot. */
export const unpublishProcedure = tokenOperation("POST /api/v1/bots/{botId}/unpublish", {
  operationId: "unpublishBot",
  admits: "botWriters",
  tag: "Bots",
  summary: "Unpublish a bot",
  description: "New chats are refused, running ones go on. 404 when it is not published.",
})
  .input(z.object({ botId: botIdSchema }))
  .output(z.object({ message: z.literal("success").describe("The bot is not published") }))
  .mutation(async ({ ctx, input: { botId } }) => {
    await requireBot(ctx, botId, "write")
    if (!(await unpublish(ctx.db, { botId, authorId: ctx.user.id }))) {
      throw notFound("Published bot")
    }
    return { message: "success" as const }
  })
