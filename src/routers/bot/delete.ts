/** DELETE /api/v1/bots/{botId} */
import { z } from "zod"
import { unpublishAndArchive } from "../../db/bots/publications.ts"
import { archiveResults } from "../../db/results/results.ts"
import { notFound } from "../../errors.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema } from "./schema.ts"

/** Archives a bot; a job removes it for good later. */
export const deleteProcedure = tokenOperation("DELETE /api/v1/bots/{botId}", {
  operationId: "deleteBot",
  admits: "botWriters",
  tag: "Bots",
  summary: "Delete a bot",
  description:
    "Unpublishes and archives the bot and its results; public id and domain become free.",
})
  .input(z.object({ botId: botIdSchema }))
  .output(z.object({ message: z.literal("success").describe("The bot is gone") }))
  .mutation(async ({ ctx, input: { botId } }) => {
    await requireBot(ctx, botId, "write")
    const isGone = await unpublishAndArchive(ctx.db, { botId, authorId: ctx.user.id })
    if (!isGone) throw notFound("Bot")
    // Afterwards: no new chat can start by then.
    await archiveResults(ctx.db, botId, "all")
    await ctx.uploads.files.removeBot(botId)
    return { message: "success" as const }
  })
