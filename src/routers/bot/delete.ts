/** DELETE /api/v1/bots/{botId} */
import { z } from "zod"
import { archiveBot, findBotFacts } from "../../db/bots/bots.ts"
import { archiveResults } from "../../db/results/results.ts"
import { notFound } from "../../shared/errors.ts"
import { admitToBot } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import { botIdSchema } from "./schema.ts"

/** Deletes a bot: it is archived at once, and removed for good by a job later. */
export const deleteProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/api/v1/bots/{botId}",
      operationId: "deleteBot",
      tags: ["Bots"],
      summary: "Delete a bot",
      description:
        "Unpublishes and archives the bot and its results; public id and domain become free.",
    },
  })
  .input(z.object({ botId: botIdSchema }))
  .output(z.object({ message: z.literal("success").describe("The bot is gone") }))
  .mutation(async ({ ctx, input: { botId } }) => {
    const found = await findBotFacts(ctx.db, { botId, userId: ctx.user.id })
    admitToBot(found, ctx.user, "write")
    if (!(await archiveBot(ctx.db, botId))) throw notFound("Bot")
    // Afterwards, because by then no new chat can start.
    await archiveResults(ctx.db, botId, "all")
    await ctx.uploads.files.removeBot(botId)
    return { message: "success" as const }
  })
