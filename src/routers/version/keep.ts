/** POST /api/v1/bots/{botId}/versions */
import { z } from "zod"
import { keepDraft } from "../../db/bots/versions.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { notFound } from "../../errors.ts"
import { newUuid } from "../../ids.ts"
import { requireBotWithFlow } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { contentOfDraft } from "./contentOfDraft.ts"
import { noteSchema, versionDoneSchema } from "./schema.ts"

/** Keeps the draft of a bot as a version. */
export const keepProcedure = tokenOperation("POST /api/v1/bots/{botId}/versions", {
  operationId: "keepVersion",
  admits: "botWriters",
  tag: "Bots",
  summary: "Keep the draft as a version",
  description:
    "Without publishing it, and even if it could not run. A draft that equals a version makes " +
    "no new one, but may give it another note.",
})
  .input(z.object({ botId: botIdSchema, note: noteSchema }))
  .output(versionDoneSchema)
  .mutation(async ({ ctx, input: { botId, note } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = await requireBotWithFlow(ctx, botId, "write")
    const content = await contentOfDraft(bot)
    const made = { botId, versionId: newUuid(), authorId: ctx.user.id, note, ...content }
    const kept = await keepDraft(ctx.db, made)
    if (kept === undefined) throw notFound("Bot")
    await recordActivity(ctx.db, bot.workspaceId)
    return { message: "success" as const, version: kept.number }
  })
