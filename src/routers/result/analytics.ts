/** GET /api/v1/bots/{botId}/analytics */
import { z } from "zod"
import { findVersion, findVersionNumbers } from "../../db/bots/versions.ts"
import {
  countQuarters,
  type QuarterCounts,
  quarterMs,
  versionsRun,
} from "../../db/results/analytics.ts"
import { dayOf, findCounts } from "../../db/results/countedDays.ts"
import { findOldestResult } from "../../db/results/results.ts"
import { addCounts, noCounts } from "../../db/results/storedCounts.ts"
import { choiceTypes } from "../../engine/blocks/registry.ts"
import { callerLeft, notFound } from "../../errors.ts"
import { firstUuidAt, timeOfUuid } from "../../ids.ts"
import { restAfter } from "../../stepOfWork.ts"
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
  admits: "botReaders",
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
    const dayAt = dayFormat(timeZone)
    const counts = await countsOf(ctx, { botId, span, nowMs, dayAt })
    const versions = await versionsOf(ctx, counts)
    return presentAnalytics({ botId, counts, versions, versionId: version?.id, dayAt })
  })

const dayMs = 86_400_000
const settleMs = 2 * dayMs
// Clocks of processes and of the database may differ.
const slackMs = 3_600_000

type Asked = { botId: string; span: Span; nowMs: number; dayAt(timeMs: number): string }

/** What is not counted ahead is counted over so many days at once; most bots have few results a day. */
const mostDays = 7

/** About as many names of counts as may be read at once: chats wait while they are added. */
const namesAtOnce = 5_000

/**
 * The counts of each day and version, some days at a time: what was counted of one ahead is little for
 * most flows, and fills many pages for one with thousands of edges.
 */
async function countsOf(
  { db, hasLeft }: Pick<Context, "db" | "hasLeft">,
  { botId, span, nowMs, dayAt }: Asked,
): Promise<QuarterCounts[]> {
  const oldest = await findOldestResult(db, botId)
  if (oldest === undefined) return []
  const beforeMs = Math.min(span.beforeMs ?? Number.POSITIVE_INFINITY, nowMs + slackMs)
  const sums = openSums(dayAt)
  let fromMs = Math.max(span.fromMs ?? 0, floor(timeOfUuid(oldest), quarterMs))
  for (let days = 1; fromMs < beforeMs; ) {
    if (hasLeft?.()) throw callerLeft()
    const part = { fromMs, beforeMs: Math.min(floor(fromMs, dayMs) + days * dayMs, beforeMs) }
    const startedAt = performance.now()
    const from = Math.floor(part.fromMs / quarterMs)
    const before = Math.ceil(part.beforeMs / quarterMs)
    const found = await findCounts(db, { botId, from, before })
    const names = sums.add(found.counts)
    await restAfter(performance.now() - startedAt)
    for (const range of uncounted(part, found.days)) {
      const fromId = firstUuidAt(range.fromMs)
      const beforeId = firstUuidAt(range.beforeMs)
      const openSince = new Date(nowMs - settleMs)
      const request = { botId, fromId, beforeId, choiceTypes, openSince, hasLeft }
      sums.add(await countQuarters(db, request))
    }
    if (names > namesAtOnce) days = Math.ceil(days / 2)
    else if (2 * names < namesAtOnce) days = Math.min(2 * days, mostDays)
    fromMs = part.beforeMs
  }
  return sums.all()
}

/** Adds up the counts of each day and version, under one quarter of the day. */
function openSums(dayAt: Asked["dayAt"]) {
  const sums = new Map<string, QuarterCounts>()
  return {
    all: () => [...sums.values()],
    /** Returns how many names were added. */
    add(found: readonly QuarterCounts[]): number {
      let names = 0
      for (const { counts, ...place } of found) {
        const key = `${dayAt(place.quarter * quarterMs)} ${place.versionId}`
        const sum = sums.get(key) ?? { ...place, counts: noCounts() }
        sums.set(key, sum)
        names += addCounts(sum.counts, counts)
      }
      return names
    },
  }
}

type Range = { fromMs: number; beforeMs: number }

/** The parts of a range that lie in days which were not counted; neighbours are one. */
function uncounted(range: Range, days: ReadonlySet<string>): Range[] {
  const ranges: Range[] = []
  for (const part of daysIn(range)) {
    if (days.has(dayOf(part.fromMs / quarterMs))) continue
    const last = ranges.at(-1)
    if (last?.beforeMs === part.fromMs) last.beforeMs = part.beforeMs
    else ranges.push(part)
  }
  return ranges
}

/** Splits a range where days begin, in UTC. */
function daysIn({ fromMs, beforeMs }: Range): Range[] {
  const found: Range[] = []
  for (let startMs = fromMs; startMs < beforeMs; startMs = floor(startMs, dayMs) + dayMs) {
    found.push({ fromMs: startMs, beforeMs: Math.min(floor(startMs, dayMs) + dayMs, beforeMs) })
  }
  return found
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
