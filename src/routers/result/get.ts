/** GET /api/v1/bots/{botId}/results/{resultId} */
import { z } from "zod"
import { findResult } from "../../db/results/results.ts"
import { notFound } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { readResults } from "../../results/readResults.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema, resultIdSchema, resultSchema } from "./schema.ts"

/** Reads one result. */
export const getProcedure = tokenOperation("GET /api/v1/bots/{botId}/results/{resultId}", {
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
  })
