/** POST /api/v1/bots/{botId}/restoreDraft */

import { z } from "zod"
import { botChangesSchema } from "../../bots/botChanges.ts"
import { jobs } from "../../bots/heavy/jobs.ts"
import { changeTo, keepSharing } from "../../bots/restoreDraft.ts"
import { convert, flowOfDraft } from "../../bots/storedFlow.ts"
import { findVersion, replaceDraft } from "../../db/bots/versions.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { conflict, notFound } from "../../errors.ts"
import { newUuid } from "../../ids.ts"
import { requireBot } from "../access.ts"
import { presentBot } from "../bot/present.ts"
import { botIdSchema, botSchema } from "../bot/schema.ts"
import { bodyFlag } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { versionNumberSchema } from "./schema.ts"

/** Makes an earlier version the draft again. */
export const restoreDraftProcedure = tokenOperation("POST /api/v1/bots/{botId}/restoreDraft", {
  operationId: "restoreDraft",
  admits: "botWriters",
  isTrusted: true,
  tag: "Bots",
  errorResponses: [409],
  summary: "Restore a version as the draft",
  description:
    "The draft that it replaces is kept as a version first, unless one equals it. What is live " +
    "stays, and so does whether the flow is shared. With `updatedAt` it is refused with 409 when " +
    "somebody changed the bot since, and when there is no room left for versions. Credentials that " +
    "are gone are left out.",
})
  .input(
    z.object({
      botId: botIdSchema,
      version: versionNumberSchema,
      updatedAt: botChangesSchema.shape.updatedAt,
      overwrite: bodyFlag("Whether to replace the draft even if `updatedAt` is stale"),
    }),
  )
  .output(z.object({ bot: botSchema }))
  .mutation(async ({ ctx, input: { botId, version: number, updatedAt, overwrite } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const facts = await requireBot(ctx, botId, "write")
    const found = await findVersion(ctx.db, { botId, number })
    if (found === undefined) throw notFound(`Version ${number}`)
    const change = await changeTo(ctx.db, facts, found)
    const readAt = updatedAt && !overwrite ? new Date(updatedAt) : undefined
    const by = { versionId: newUuid(), authorId: ctx.user.id }
    const { maxVersionsBytes: maxBytes } = ctx.settings
    const replacement = { botId, updatedAt: readAt, ...by, maxBytes }
    const row = await replaceDraft(ctx.db, replacement, async (draft) => ({
      // Here, since the row of the bot is locked: a thread may have to be waited for.
      content: jobs.contentOfDraft(flowOfDraft(draft)),
      change: { ...change, settings: keepSharing(change.settings, draft.settings) },
    }))
    if (row === undefined) throw conflict("The bot was changed by somebody else; read it again")
    await recordActivity(ctx.db, facts.workspaceId)
    const bot = presentBot(row)
    return { bot: convert(bot) ?? bot }
  })
