/** Analytics of a bot in responses. */
import { z } from "zod"
import { versionNumberSchema } from "../version/schema.ts"

const starts = z.number().int().describe("Chats that were started")
const completions = z.number().int().describe("Those that reached an end, with an answer at least")
const completionRate = z.number().describe("Completions by starts, 0 to 1; 0 without starts")

const totalsSchema = z
  .object({
    starts,
    completions,
    completionRate,
    medianSeconds: z
      .number()
      .optional()
      .describe("From the start of a completed chat to its last answer; absent: none completed"),
  })
  .meta({ id: "AnalyticsTotals", description: "All chats of the time" })

const daySchema = z
  .object({
    day: z.string().describe("`YYYY-MM-DD` in the time zone"),
    starts,
    completions,
  })
  .meta({ id: "AnalyticsDay", description: "Chats that were started on a day" })

const versionSchema = z
  .object({
    version: versionNumberSchema.optional().describe("Absent: it is gone"),
    starts,
    completions,
    completionRate,
  })
  .meta({ id: "AnalyticsVersion", description: "Chats that began with a version" })

const linkedBotId = z
  .string()
  .optional()
  .describe("The linked bot that it belongs to; absent: this one")

const blockSchema = z
  .object({
    blockId: z.string().describe("An input"),
    groupId: z.string().describe("Its group"),
    botId: linkedBotId,
    shown: z
      .number()
      .int()
      .describe("Times it was asked; again after a reply that is not valid does not count"),
    answered: z.number().int().describe("Times it was left with a reply, skipped ones included"),
    skipped: z.number().int().describe("Times it was left without an answer"),
    open: z.number().int().describe("Chats that wait for the answer"),
    dropped: z.number().int().describe("The rest: people who went away, or did something else"),
    dropOffRate: z.number().describe("Dropped by shown, 0 to 1"),
  })
  .meta({ id: "AnalyticsBlock", description: "How people dealt with a question" })

const edgeSchema = z
  .object({
    edgeId: z.string().describe("Id of the edge"),
    botId: linkedBotId,
    count: z.number().int().describe("Times it was taken"),
  })
  .meta({ id: "AnalyticsEdge", description: "How often an edge was taken" })

const choiceSchema = z
  .object({
    value: z.string().describe("What was chosen, as it was saved"),
    count: z.number().int().describe("How often"),
  })
  .meta({ id: "AnalyticsChoice", description: "How often something was chosen" })

/** Analytics of a bot. */
export const analyticsSchema = z
  .object({
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
      .describe("By block, for questions with choices: most often chosen first"),
  })
  .meta({ id: "Analytics", description: "Analytics of a bot" })
