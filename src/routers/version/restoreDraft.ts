/** POST /api/v1/bots/{botId}/restoreDraft */
import { z } from "zod"
import type { BotChange, BotFacts } from "../../db/bots/bots.ts"
import { findVersion, replaceDraft, type VersionRow } from "../../db/bots/versions.ts"
import type { Db } from "../../db/connection/open.ts"
import { listKnownCredentials } from "../../db/people/credentials.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { type Flow, hasEvents } from "../../engine/bot.ts"
import type { Settings } from "../../engine/schema/settings.ts"
import { conflict, notFound } from "../../errors.ts"
import { newUuid } from "../../ids.ts"
import { requireBot } from "../access.ts"
import { convert, mustConvert, presentBot, trustFlow } from "../bot/present.ts"
import {
  credentialsIn,
  sanitiseSettings,
  withKnownCredentials,
  withSessionFlags,
} from "../bot/sanitise.ts"
import { botChangesSchema, botIdSchema, botSchema } from "../bot/schema.ts"
import { jobs } from "../heavy/jobs.ts"
import { bodyFlag } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { flowOfDraft } from "./flowOfDraft.ts"
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

/** What to change of a draft so that it is a version again, as far as its workspace and plan allow. */
async function changeTo(
  db: Db,
  { workspaceId, plan, version }: BotFacts,
  { schemaVersion, payload }: VersionRow,
): Promise<BotChange & { settings: Settings }> {
  const stored = trustFlow({ version: schemaVersion, ...payload })
  // A draft never goes back below version 6: clients that have opened it would not understand it.
  const isTooOld = hasEvents(version as Flow["version"]) && !hasEvents(stored.version)
  const flow = isTooOld ? mustConvert(stored) : stored
  const ids = credentialsIn(flow.groups)
  const known = new Set(await listKnownCredentials(db, { workspaceId, ids }))
  const groups = withKnownCredentials(flow.groups, known, plan)
  return {
    ...flow,
    groups,
    variables: withSessionFlags(flow.variables, groups),
    settings: sanitiseSettings(flow.settings, { plan, isNew: false }),
  }
}

/** The settings, with sharing as the draft has it: a restore must not change who may see a bot. */
function keepSharing(
  settings: Settings,
  { publicShare }: Record<string, unknown>,
): Record<string, unknown> {
  const { publicShare: _, ...others } = settings
  return publicShare === undefined ? others : { ...others, publicShare }
}
