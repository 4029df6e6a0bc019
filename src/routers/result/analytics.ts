/** GET /api/v1/bots/{botId}/analytics */
import { z } from "zod"
import { findVersion } from "../../db/bots/versions.ts"
import { notFound } from "../../errors.ts"
import { dayFormat } from "../../results/days.ts"
import { presentAnalytics } from "../../results/presentAnalytics.ts"
import { readCounts } from "../../results/readCounts.ts"
import { readVersionsRun } from "../../results/versionsRun.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { versionNumberSchema } from "../version/schema.ts"
import { analyticsSchema } from "./analyticsSchema.ts"
import { spanAsked, spanMembers } from "./timeFilter.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  ...spanMembers,
  version: versionNumberSchema
    .optional()
    .describe("Only chats that began with this version; absent: all"),
})

/** Counts the chats of a bot, its questions and its edges. */
export const analyticsProcedure = tokenOperation("GET /bots/{botId}/analytics", {
  operationId: "getAnalytics",
  admits: "botReaders",
  tag: "Results",
  summary: "Get the analytics of a bot",
  description:
    "Counts chats that started in the period, without deleted ones. `starts` include chats that nobody answered, which `listResults` leaves out. For each question, shown = answered + dropped + open. Blocks and edges include those of linked bots whose answers belong to this bot.",
  example: {
    query: { timeFilter: "last7Days" },
    response: {
      totals: { starts: 1, completions: 1, completionRate: 1, medianSeconds: 12 },
      byDay: [{ day: "2026-05-22", starts: 1, completions: 1 }],
      byVersion: [{ version: 1, starts: 1, completions: 1, completionRate: 1 }],
      blocks: [
        {
          blockId: "b2",
          groupId: "g1",
          shown: 1,
          answered: 1,
          skipped: 0,
          open: 0,
          dropped: 0,
          dropOffRate: 0,
        },
      ],
      edges: [{ edgeId: "e1", count: 1 }],
      answers: {},
    },
  },
})
  .input(inputSchema)
  .output(analyticsSchema)
  .query(async ({ ctx, input }) => {
    const { botId, timeZone, version: number } = input
    await requireBot(ctx, botId, "read")
    const nowMs = Date.now()
    const span = spanAsked(input, nowMs)
    const version = number === undefined ? undefined : await findVersion(ctx.db, { botId, number })
    if (number !== undefined && !version) throw notFound(`Version ${number}`)
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { hasLeft } = ctx
    const counts = await readCounts(ctx.db, { botId, span, timeZone, nowMs, hasLeft })
    const versions = await readVersionsRun(ctx.db, counts, ctx.chat.snapshots)
    const dayAt = dayFormat(timeZone)
    return presentAnalytics({ botId, counts, versions, versionId: version?.id, dayAt })
  })
