/** Reads results and their logs. */

import { z } from "zod"
import { findResult, listLogs, mostLines } from "../../db/results/results.ts"
import { notFound } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { fitting } from "../../pageOfAnswer.ts"
import { readResultPage } from "../../results/listResults.ts"
import { readResults } from "../../results/readResults.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { cursorSchema, cursorsOf, pageSchema } from "../cursor.ts"
import { tokenOperation } from "../trpc.ts"
import { filterMembers, filterOf } from "./filter.ts"
import { longestText, presentLog, resultIdSchema, resultLogSchema, resultSchema } from "./schema.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  limit: z
    .number()
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe("Maximum number of results per page"),
  cursor: cursorSchema,
  ...filterMembers,
})

export const results = {
  get: tokenOperation("GET /bots/{botId}/results/{resultId}", {
    operationId: "getResult",
    admits: "botReaders",
    tag: "Results",
    summary: "Get a result",
    description:
      "Needs a role at the bot: public sharing does not open results. Archived results are empty.",
  })
    .input(z.object({ botId: botIdSchema, resultId: resultIdSchema }))
    .output(z.object({ result: resultSchema }))
    .query(async ({ ctx, input }) => {
      const { botId, resultId } = input
      await requireBot(ctx, botId, "read")
      const row = isUuid(resultId) ? await findResult(ctx.db, { botId, resultId }) : undefined
      const [result] = row === undefined ? [] : await readResults(ctx, [row])
      if (result === undefined) throw notFound("Result")
      return { result }
    }),

  list: tokenOperation("GET /bots/{botId}/results", {
    operationId: "listResults",
    admits: "botReaders",
    tag: "Results",
    summary: "List results",
    description:
      "Those with an answer that are not archived, newest first. With `search` a page looks at 10,000 results, with `status` or `version` at 50,000: it may be short, even empty, while `nextCursor` leads on; so may one of more than 16 MB. Of a result with more than that, or with more than 10,000 answers, long answers are cut and the last ones left out.",
  })
    .input(inputSchema)
    .output(pageSchema.extend({ results: z.array(resultSchema).describe("Newest first") }))
    .query(async ({ ctx, input }) => {
      const { botId, limit, cursor } = input
      await requireBot(ctx, botId, "read")
      const cursors = cursorsOf(ctx, ["listResults", botId], z.guid())
      const startAt = cursors.read(cursor)
      const filter = await filterOf(ctx.db, botId, input)
      const page = await readResultPage(ctx.db, filter, { startAt, limit })
      const read = await readResults(ctx, page.results, page.sizes)
      const results = fitting(read)
      return { results, ...cursors.write(read[results.length]?.id ?? page.next) }
    }),

  listLogs: tokenOperation("GET /bots/{botId}/results/{resultId}/logs", {
    operationId: "listResultLogs",
    admits: "botReaders",
    tag: "Results",
    summary: "List the logs of a result",
    description:
      "Oldest first, at most 16 MB of them, with texts of at most 1,000 characters. Needs a role at the bot.",
  })
    .input(z.object({ botId: botIdSchema, resultId: resultIdSchema }))
    .output(
      z.object({
        logs: z.array(resultLogSchema).describe("The lines"),
        isCut: z.boolean().optional().describe("True: there are more than one answer holds"),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { botId, resultId } = input
      await requireBot(ctx, botId, "read")
      const address = { botId, resultId }
      const rows = isUuid(resultId) ? await listLogs(ctx.db, address, longestText + 1) : undefined
      if (rows === undefined) throw notFound("Result")
      const logs = fitting(rows.slice(0, mostLines).map(presentLog))
      return { logs, ...(logs.length < rows.length && { isCut: true }) }
    }),
}
