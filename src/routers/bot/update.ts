/** PATCH /api/v1/bots/{botId} */
import { z } from "zod"
import { findBotFacts, notifyBotChanged, updateBot } from "../../db/bots.ts"
import { conflict } from "../../errors.ts"
import { admitToBot } from "../access.ts"
import { bodyFlag } from "../flag.ts"
import { tokenProcedure, trusted } from "../trpc.ts"
import { convert, presentBot } from "./present.ts"
import { readChanges } from "./readChanges.ts"
import { botChangesSchema, botIdSchema, botSchema } from "./schema.ts"
import { refuseViolations } from "./violations.ts"

/** Changes a bot. */
export const updateProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "PATCH",
      path: "/api/v1/bots/{botId}",
      operationId: "updateBot",
      tags: ["Bots"],
      errorResponses: [409],
      summary: "Update a bot",
      description:
        "Members left out stay as they are; others are replaced whole. With `updatedAt` the change " +
        "is refused with 409 when somebody changed the bot since. The response is converted to the " +
        "latest version, the stored bot is not.",
    },
  })
  .input(
    z.object({
      botId: botIdSchema,
      bot: botChangesSchema,
      overwrite: bodyFlag("Whether to change the bot even if `updatedAt` is stale").nullish(),
    }),
  )
  .output(trusted(z.object({ bot: botSchema })))
  .mutation(async ({ ctx, input }) => {
    const request = { botId: input.botId, userId: ctx.user.id }
    const facts = admitToBot(await findBotFacts(ctx.db, request), ctx.user, "write")
    const changes = await readChanges(ctx.db, facts, input.bot)
    const readAt = input.overwrite ? undefined : input.bot.updatedAt
    const updatedAt = readAt ? new Date(readAt) : undefined
    const precondition = { botId: facts.id, version: facts.version, updatedAt }
    const row = await refuseViolations(updateBot(ctx.db, precondition, changes))
    if (row === undefined) throw conflict("The bot was changed by somebody else; read it again")
    const isRouteChanged = row.publicId !== facts.publicId || input.bot.isClosed !== undefined
    if (isRouteChanged) await notifyBotChanged(ctx.db, [facts.publicId, row.publicId])
    const bot = presentBot(row)
    return { bot: convert(bot) ?? bot }
  })
