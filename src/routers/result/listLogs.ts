/** GET /api/v1/bots/{botId}/results/{resultId}/logs */
import { z } from "zod"
import { listLogs, mostLines } from "../../db/results/results.ts"
import { notFound } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { fitting } from "../../pageOfAnswer.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema, longestText, presentLog, resultIdSchema, resultLogSchema } from "./schema.ts"

/** Lists the logs of a result. */
export const listLogsProcedure = tokenOperation(
  "GET /api/v1/bots/{botId}/results/{resultId}/logs",
  {
    operationId: "listResultLogs",
    admits: "botReaders",
    tag: "Results",
    summary: "List the logs of a result",
    description:
      "Oldest first, at most 16 MB of them, with texts of at most 1,000 characters. Needs a role at the bot.",
  },
)
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
  })
