/** GET /api/v1/bots/{botId}/analytics */
import { z } from "zod"
import { findVersion, findVersionNumbers } from "../../db/bots/versions.ts"
import type { Db } from "../../db/connection/open.ts"
import {
  countQuarters,
  type QuarterCounts,
  quarterMs,
  versionsRun,
} from "../../db/results/analytics.ts"
import { dayOf, findCounts } from "../../db/results/countedDays.ts"
import { findOldestResult } from "../../db/results/results.ts"
import { choiceTypes } from "../../engine/blocks/registry.ts"
import { notFound } from "../../errors.ts"
import { firstUuidAt, timeOfUuid } from "../../ids.ts"
import { requireBot } from "../access.ts"
import type { Context } from "../context.ts"
import { tokenOperation } from "../trpc.ts"
import { versionNumberSchema } from "../version/schema.ts"
import { analyticsSchema } from "./analyticsSchema.ts"
import { presentAnalytics, type RunVersion } from "./presentAnalytics.ts"
import { botIdSchema } from "./schema.ts"
import { dayFormat, type Span, spanOf, timeFilterSchema, timeZoneSchema } from "./timeFilter.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  timeFilter: timeFilterSchema.default("last7Days"),
  timeZone: timeZoneSchema.default("UTC"),
  version: versionNumberSchema
    .optional()
    .describe("Only chats that began with this version; absent: all"),
})

/** Counts the chats of a bot, its questions and its edges. */
export const analyticsProcedure = tokenOperation("GET /api/v1/bots/{botId}/analytics", {
  operationId: "getAnalytics",
  tag: "Results",
  summary: "Get the numbers of a bot",
  description:
    "Of the chats that were started in the time, deleted ones left out. Of each question: shown = answered + dropped + open. Linked bots are among blocks and edges where their answers belong to this bot.",
})
  .input(inputSchema)
  .output(analyticsSchema)
  .query(async ({ ctx, input }) => {
    const { botId, timeFilter, timeZone, version: number } = input
    await requireBot(ctx, botId, "read")
    const nowMs = Date.now()
    const span = spanOf(timeFilter, timeZone, nowMs)
    const version = number === undefined ? undefined : await findVersion(ctx.db, { botId, number })
    if (number !== undefined && !version) throw notFound(`Version ${number}`)
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const counts = await countsOf(ctx.db, { botId, span, nowMs, hasLeft: ctx.hasLeft })
    const versions = await versionsOf(ctx, counts)
    const dayAt = dayFormat(timeZone)
    return presentAnalytics({ botId, counts, versions, versionId: version?.id, dayAt })
  })

const dayMs = 86_400_000
const settleMs = 2 * dayMs
// Clocks of processes and of the database may differ.
const slackMs = 3_600_000

type Asked = Pick<Context, "hasLeft"> & { botId: string; span: Span; nowMs: number }

/** What was counted ahead, and what was not, counted now. */
async function countsOf(db: Db, { botId, span, nowMs, hasLeft }: Asked): Promise<QuarterCounts[]> {
  const oldest = await findOldestResult(db, botId)
  if (oldest === undefined) return []
  const fromMs = Math.max(span.fromMs ?? 0, floor(timeOfUuid(oldest), quarterMs))
  const beforeMs = Math.min(span.beforeMs ?? Number.POSITIVE_INFINITY, nowMs + slackMs)
  const bounds = { from: Math.floor(fromMs / quarterMs), before: Math.ceil(beforeMs / quarterMs) }
  const { days, counts } = await findCounts(db, { botId, ...bounds })
  const all = [...counts]
  for (const range of uncounted({ fromMs, beforeMs }, days)) {
    const live = await countQuarters(db, {
      botId,
      fromId: firstUuidAt(range.fromMs),
      beforeId: firstUuidAt(range.beforeMs),
      choiceTypes,
      openSince: new Date(nowMs - settleMs),
      hasLeft,
    })
    all.push(...live)
  }
  return all
}

type Range = { fromMs: number; beforeMs: number }

/** The parts of a range that lie in days which were not counted; neighbours are one. */
function uncounted({ fromMs, beforeMs }: Range, days: ReadonlySet<string>): Range[] {
  const ranges: Range[] = []
  for (let startMs = fromMs; startMs < beforeMs; startMs = floor(startMs, dayMs) + dayMs) {
    if (days.has(dayOf(startMs / quarterMs))) continue
    const endMs = Math.min(floor(startMs, dayMs) + dayMs, beforeMs)
    const last = ranges.at(-1)
    if (last?.beforeMs === startMs) last.beforeMs = endMs
    else ranges.push({ fromMs: startMs, beforeMs: endMs })
  }
  return ranges
}

function floor(timeMs: number, unitMs: number): number {
  return Math.floor(timeMs / unitMs) * unitMs
}

async function versionsOf(
  { chat, db }: Pick<Context, "chat" | "db">,
  counts: readonly QuarterCounts[],
): Promise<Map<string, RunVersion>> {
  const numbers = await findVersionNumbers(db, versionsRun(counts))
  const versions = new Map<string, RunVersion>()
  for (const id of numbers.keys()) {
    const snapshot = await chat.snapshots.load(id)
    if (snapshot) versions.set(id, { bot: snapshot.bot, number: numbers.get(id) })
  }
  return versions
}
