/** GET /api/v1/bots/{botId}/results */
import { z } from "zod"
import { findVersion, findVersionNumbers } from "../../db/bots/versions.ts"
import type { Db } from "../../db/connection/open.ts"
import {
  findResult,
  listAnswers,
  listResults,
  type ResultAddress,
  type StoredAnswer,
} from "../../db/results/results.ts"
import { badRequest, notFound } from "../../errors.ts"
import { firstUuidAt, isUuid } from "../../ids.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { versionNumberSchema } from "../version/schema.ts"
import { botIdSchema, presentResult, resultSchema } from "./schema.ts"
import { type Span, spanOf, timeFilterSchema, timeZoneSchema } from "./timeFilter.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  limit: z.number().int().min(1).max(500).default(50).describe("Most results on a page"),
  cursor: z.string().optional().describe("`nextCursor` of the page before; absent: the first page"),
  timeFilter: timeFilterSchema.default("last7Days"),
  timeZone: timeZoneSchema.default("UTC"),
  version: versionNumberSchema.optional().describe("Only results of this version; absent: of all"),
})

const outputSchema = z.object({
  results: z.array(resultSchema).describe("The page, newest first"),
  nextCursor: z
    .string()
    .optional()
    .describe("Id of the first result of the next page; absent: this is the last"),
})

/** Lists the results of a bot. */
export const listProcedure = tokenOperation("GET /api/v1/bots/{botId}/results", {
  operationId: "listResults",
  tag: "Results",
  summary: "List results",
  description: "Those with an answer that are not archived, newest first.",
})
  .input(inputSchema)
  .output(outputSchema)
  .query(async ({ ctx, input }) => {
    const { botId, limit, cursor } = input
    await requireBot(ctx, botId, "read")
    const bounds = boundsOf(spanOf(input.timeFilter, input.timeZone, Date.now()))
    if (cursor !== undefined) await requireResult(ctx.db, { botId, resultId: cursor })
    // One more than the page, to learn whether there is a next one.
    const version = await versionOf(ctx.db, input)
    const from = [bounds.from, version?.from]
      .filter((id) => id !== undefined)
      .toSorted()
      .at(-1)
    const { before } = bounds
    const versionId = version?.id
    const listing = { botId, startAt: cursor, limit: limit + 1, from, before, versionId }
    const rows = await listResults(ctx.db, listing)
    const page = rows.slice(0, limit)
    const answers = await answersByResult(
      ctx.db,
      page.map(({ resultId }) => resultId),
    )
    const numbers = await findVersionNumbers(
      ctx.db,
      page.map(({ versionId }) => versionId),
    )
    const nextCursor = rows[limit]?.resultId
    return {
      results: page.map((row) =>
        presentResult(row, {
          answers: answers.get(row.resultId) ?? [],
          versionNumber: numbers.get(row.versionId),
        }),
      ),
      ...(nextCursor !== undefined && { nextCursor }),
    }
  })

/** Clocks of the database and of processes may differ by so much. */
const clockSlackMs = 3_600_000

/** The version that results are filtered by, and the first id that such a result can have. */
async function versionOf(
  db: Db,
  { botId, version: number }: { botId: string; version?: number | undefined },
): Promise<{ id: string; from: string } | undefined> {
  if (number === undefined) return undefined
  const found = await findVersion(db, { botId, number })
  if (found === undefined) throw notFound(`Version ${number}`)
  return { id: found.id, from: firstUuidAt(found.createdAt.getTime() - clockSlackMs) }
}

/** A time span as bounds of ids, which are ordered by time. */
function boundsOf({ fromMs, beforeMs }: Span): { from?: string; before?: string } {
  return {
    ...(fromMs !== undefined && { from: firstUuidAt(fromMs) }),
    ...(beforeMs !== undefined && { before: firstUuidAt(beforeMs) }),
  }
}

// Also one that was archived since the previous page.
async function requireResult(db: Db, address: ResultAddress): Promise<void> {
  const row = isUuid(address.resultId) ? await findResult(db, address) : undefined
  if (row !== undefined) return
  throw badRequest("cursor is not a result of this bot", [
    { message: "Unknown cursor", path: ["cursor"], code: "custom" },
  ])
}

async function answersByResult(
  db: Db,
  resultIds: readonly string[],
): Promise<Map<string, StoredAnswer[]>> {
  const found = new Map<string, StoredAnswer[]>()
  if (resultIds.length === 0) return found
  for (const answer of await listAnswers(db, resultIds)) {
    const ofResult = found.get(answer.resultId) ?? []
    ofResult.push(answer)
    found.set(answer.resultId, ofResult)
  }
  return found
}
