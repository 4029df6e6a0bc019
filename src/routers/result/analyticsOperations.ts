/** GET /api/v1/bots/{botId}/analytics */

import { z } from "zod"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { requireBot } from "../../people/access.ts"
import { dayFormat } from "../../results/days.ts"
import { presentAnalytics } from "../../results/presentAnalytics.ts"
import { readCounts } from "../../results/readCounts.ts"
import { readVersionsRun } from "../../results/versionsRun.ts"
import { botIdSchema, versionNumberSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { spanAsked, spanMembers, versionOf } from "./resultFilter.ts"

const starts = z.int().describe("Chats that started")
const completions = z.int().describe("Chats that reached an end with at least one answer")
const completionRate = z
  .number()
  .describe("Completions divided by starts, 0 to 1; 0 without starts")

const modelCalls = z.int().describe("Calls of language models, failed ones included")
const tokens = {
  inputTokens: z.int().describe("Tokens sent to language models, as far as reported"),
  outputTokens: z.int().describe("Tokens that language models wrote, as far as reported"),
}

const totalsSchema = namedObject("AnalyticsTotals", "All chats of the period", {
  starts,
  completions,
  completionRate,
  medianSeconds: z
    .number()
    .optional()
    .describe(
      "Median time from the start of a completed chat to its last answer; absent: none completed",
    ),
  modelCalls,
  ...tokens,
})

const daySchema = namedObject("AnalyticsDay", "Chats that started on one day", {
  day: z.string().describe("`YYYY-MM-DD` in the time zone"),
  starts,
  completions,
  ...tokens,
})

const modelSchema = namedObject("AnalyticsModel", "Calls of language models by one block", {
  blockId: z
    .string()
    .describe("Id of the block, which may be that of a linked bot; empty: it judged a reply"),
  calls: modelCalls,
  ...tokens,
})

const versionSchema = namedObject("AnalyticsVersion", "Chats that began with a version", {
  version: versionNumberSchema.optional().describe("Number of the version; absent: it was deleted"),
  starts,
  completions,
  completionRate,
})

const linkedBotId = z
  .string()
  .optional()
  .describe("The linked bot that it belongs to; absent: this one")

const blockSchema = namedObject("AnalyticsBlock", "How people responded to a question", {
  blockId: z.string().describe("Id of the input"),
  groupId: z.string().describe("Id of its group"),
  botId: linkedBotId,
  shown: z.int().describe("Times it was asked; asking again after an invalid reply does not count"),
  answered: z.int().describe("Times it was answered or skipped"),
  skipped: z.int().describe("Times it was skipped without an answer"),
  open: z.int().describe("Chats that are waiting for the answer"),
  dropped: z.int().describe("The rest: people who left, or went elsewhere in the flow"),
  dropOffRate: z.number().describe("Dropped divided by shown, 0 to 1"),
})

const edgeSchema = namedObject("AnalyticsEdge", "How often an edge was taken", {
  edgeId: z.string().describe("Id of the edge"),
  botId: linkedBotId,
  count: z.int().describe("Times it was taken"),
})

const choiceSchema = namedObject("AnalyticsChoice", "How often a choice was made", {
  value: z.string().describe("The choice, as it was saved"),
  count: z.int().describe("How often"),
})

const uncountedSchema = namedObject("AnalyticsUncounted", "The time of chats that are missing", {
  from: z.iso.datetime().describe("Chats that started before this time are counted"),
  to: z.iso
    .datetime()
    .describe("Chats that started after this time are counted; as `to`, it asks for the next ones"),
})

export const analyticsProcedure = tokenOperation("GET /bots/{botId}/analytics", {
  operationId: "getAnalytics",
  admits: "botReaders",
  tag: "Results",
  summary: "Get the analytics of a bot",
  description:
    "Counts chats that started in the period, without deleted ones. `starts` include chats without an answer, which `listResults` leaves out. For each question, shown = answered + dropped + open. Blocks and edges include those of linked bots whose answers belong to this bot, and leave those of the oldest versions out beyond 50,000. A job counts each day once it is over. Of chats on other days, a call counts the newest 50,000; `uncounted` has the time of the others.",
  example: {
    query: { timeFilter: "last7Days" },
    response: {
      totals: {
        starts: 1,
        completions: 1,
        completionRate: 1,
        medianSeconds: 12,
        modelCalls: 0,
        inputTokens: 0,
        outputTokens: 0,
      },
      byDay: [{ day: "2026-05-22", starts: 1, completions: 1, inputTokens: 0, outputTokens: 0 }],
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
      models: [],
    },
  },
  input: {
    botId: botIdSchema,
    ...spanMembers,
    version: versionNumberSchema
      .optional()
      .describe("Only chats that began with this version; absent: all"),
  },
  output: namedObject("Analytics", "Analytics of a bot", {
    totals: totalsSchema,
    byDay: z.array(daySchema).describe("Oldest first; days without chats are left out"),
    byVersion: z.array(versionSchema).describe("Newest first"),
    blocks: z
      .array(blockSchema)
      .describe(
        "Inputs, those of the newest version first, in the order of the flow; linked bots last",
      ),
    edges: z.array(edgeSchema).describe("Edges that were taken"),
    answers: z
      .record(z.string(), z.array(choiceSchema))
      .describe("Choices by block id, for questions with choices; most frequent first"),
    models: z
      .array(modelSchema)
      .describe(
        "Blocks that called language models, most tokens first, at most 1,000; days that version 0.2.0 has counted have none",
      ),
    uncounted: uncountedSchema
      .optional()
      .describe("Chats that are missing until their days are counted; absent: none"),
  }),
}).query(async ({ ctx, input }) => {
  const { botId, timeZone, version: number } = input
  await requireBot(ctx, botId, "read")
  const nowMs = Date.now()
  const span = spanAsked(input, nowMs)
  const version = await versionOf(ctx.db, botId, number)
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  const { hasLeft } = ctx
  const { counts, uncounted } = await readCounts(ctx.db, { botId, span, timeZone, nowMs, hasLeft })
  const versions = await readVersionsRun(ctx.db, counts, ctx.chat.snapshots)
  const dayAt = dayFormat(timeZone)
  const parts = { botId, counts, versions, versionId: version?.id, dayAt }
  return {
    ...(await presentAnalytics(parts)),
    ...(uncounted && {
      uncounted: {
        from: new Date(uncounted.fromMs).toISOString(),
        to: new Date(uncounted.beforeMs).toISOString(),
      },
    }),
  }
})
