/** GET /api/v1/bots/{botId}/results/{resultId}/logs */
import { z } from "zod"
import { listLogs } from "../../db/results/results.ts"
import { notFound } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema, presentLog, resultIdSchema, resultLogSchema } from "./schema.ts"

/** Lists the logs of a result. */
export const listLogsProcedure = tokenOperation(
  "GET /api/v1/bots/{botId}/results/{resultId}/logs",
  {
    operationId: "listResultLogs",
    admits: "botReaders",
    tag: "Results",
    summary: "List the logs of a result",
    description: "Oldest first. Needs a role at the bot.",
  },
)
  .input(z.object({ botId: botIdSchema, resultId: resultIdSchema }))
  .output(z.object({ logs: z.array(resultLogSchema).describe("The lines") }))
  .query(async ({ ctx, input }) => {
    const { botId, resultId } = input
    await requireBot(ctx, botId, "read")
    const logs = isUuid(resultId) ? await listLogs(ctx.db, { botId, resultId }) : undefined
    if (logs === undefined) throw notFound("Result")
    return { logs: logs.map(presentLog) }
  })
