/** GET /api/v1/bots/{botId}/results/{resultId} */
import { z } from "zod"
import { findVersionNumbers } from "../../db/bots/versions.ts"
import { findResult, listAnswers } from "../../db/results/results.ts"
import { notFound } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema, presentResult, resultIdSchema, resultSchema } from "./schema.ts"

/** Reads one result. */
export const getProcedure = tokenOperation("GET /api/v1/bots/{botId}/results/{resultId}", {
  operationId: "getResult",
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
    if (row === undefined) throw notFound("Result")
    const answers = await listAnswers(ctx.db, [resultId])
    const numbers = await findVersionNumbers(ctx.db, [row.versionId])
    return { result: presentResult(row, { answers, versionNumber: numbers.get(row.versionId) }) }
  })
