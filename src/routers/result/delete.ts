/** DELETE /api/v1/bots/{botId}/results */

import { z } from "zod"
import { forEachOf } from "../../batches.ts"
import { listBotIds } from "../../db/results/erasure.ts"
import { countUnarchived } from "../../db/results/results.ts"
import { badRequest } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { archiveResults, type ResultSelection } from "../../results/archiveResults.ts"
import { requireBot } from "../access.ts"
import { exampleIds } from "../examples.ts"
import { botIdSchema, done, doneSchema, queryFlag } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  resultIds: z
    .string()
    .max(50_000)
    .optional()
    .describe("Ids separated by commas; required unless `all` is true"),
  all: queryFlag("Whether to delete all results of the bot"),
  dryRun: queryFlag("Whether to only count, and delete nothing"),
})

/** Deletes results; empty rows remain for counting. */
export const deleteProcedure = tokenOperation("DELETE /bots/{botId}/results", {
  operationId: "deleteResults",
  admits: "botWriters",
  tag: "Results",
  summary: "Delete results",
  description:
    "Archives the named results, or all with `all=true`: deletes their answers, logs, files and running chats. Ids that the bot does not have are ignored. `dryRun=true` only counts the results.",
  example: { query: { resultIds: exampleIds.resultId }, response: { ...done, count: 1 } },
})
  .input(inputSchema)
  .output(
    doneSchema.extend({
      count: z.number().int().describe("How many results were deleted, or would be"),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { botId, dryRun } = input
    const { workspaceId } = await requireBot(ctx, botId, "write")
    const selection = selectionOf(input)
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { files } = ctx.uploads
    const removeFiles = (resultIds: readonly string[]) =>
      forEachOf(resultIds, filesAtOnce, (resultId) => files.removeResult({ botId, resultId }))
    const archived = { botId, selection, workspaceBotIds: await listBotIds(ctx.db, workspaceId) }
    const count = dryRun
      ? await countUnarchived(ctx.db, { botId, ...(selection !== "all" && { among: selection }) })
      : await archiveResults(ctx.db, archived, removeFiles)
    if (dryRun) ctx.audit?.skip()
    ctx.audit?.count({ results: count })
    return { ...done, count }
  })

/** Number of results whose files are removed concurrently. */
const filesAtOnce = 10

// An empty or missing list is a mistake: only `all` deletes everything.
function selectionOf({ resultIds = "", all }: z.infer<typeof inputSchema>): ResultSelection {
  const ids = resultIds.split(",").map((id) => id.trim())
  const isEmpty = ids.every((id) => id === "")
  if (all && !isEmpty) throw badRequest("Set resultIds or all=true, not both")
  if (all) return "all"
  if (isEmpty) throw badRequest("Name the results in resultIds, or set all=true to delete all")
  return ids.filter(isUuid)
}
