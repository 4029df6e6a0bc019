/** POST /api/v1/bots/{botId}/versions */

import { z } from "zod"
import { withHash } from "../../bots/contentOf.ts"
import { flowOfDraft } from "../../bots/storedFlow.ts"
import { keepDraft } from "../../db/bots/versions.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { notFound } from "../../errors.ts"
import { newUuid } from "../../ids.ts"
import { requireBotWithFlow } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { noteSchema, versionDoneSchema } from "./schema.ts"

/** Keeps the draft of a bot as a version. */
export const keepProcedure = tokenOperation("POST /api/v1/bots/{botId}/versions", {
  operationId: "keepVersion",
  admits: "botWriters",
  tag: "Bots",
  errorResponses: [409],
  summary: "Keep the draft as a version",
  description:
    "Without publishing it, and even if it could not run. A draft that equals a version makes " +
    "no new one, but may give it another note. Where the versions of a workspace need room, the " +
    "oldest that were never live go; 409 when that is not enough.",
})
  .input(z.object({ botId: botIdSchema, note: noteSchema }))
  .output(versionDoneSchema)
  .mutation(async ({ ctx, input: { botId, note } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = await requireBotWithFlow(ctx, botId, "write")
    const draft = flowOfDraft(bot)
    const content = withHash(await ctx.heavy.run(bot.workspaceId, "contentOfDraft", draft))
    const { maxVersionsBytes: maxBytes } = ctx.settings
    const by = { versionId: newUuid(), authorId: ctx.user.id, note, maxBytes }
    const made = { botId, ...by, ...content }
    const kept = await keepDraft(ctx.db, made)
    if (kept === undefined) throw notFound("Bot")
    await recordActivity(ctx.db, bot.workspaceId)
    return { message: "success" as const, version: kept.number }
  })
