/** DELETE /api/v1/bots/{botId}/results */
import { z } from "zod"
import { archiveResults, countResults } from "../../db/results/results.ts"
import type { FileStore } from "../../effects/files/fileStore.ts"
import { badRequest } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { requireBot } from "../access.ts"
import { queryFlag } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema } from "./schema.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  resultIds: z
    .string()
    .max(50_000)
    .optional()
    .describe("Ids separated by commas; needed unless `all` is true"),
  all: queryFlag("Whether to delete all results of the bot"),
  dryRun: queryFlag("Whether to count only, and delete nothing"),
})

/** Deletes results; empty rows remain for counting. */
export const deleteProcedure = tokenOperation("DELETE /bots/{botId}/results", {
  operationId: "deleteResults",
  admits: "botWriters",
  tag: "Results",
  summary: "Delete results",
  description:
    "Archives the named results, or all with `all=true`: their answers, logs, files and running chats are deleted. Ids that the bot does not have are passed over. `dryRun=true` tells how many it would be.",
})
  .input(inputSchema)
  .output(
    z.object({
      message: z.string().describe("`success`"),
      count: z.number().int().describe("How many results were deleted, or would be"),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { botId, dryRun } = input
    await requireBot(ctx, botId, "write")
    const selection = selectionOf(input)
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { files } = ctx.uploads
    const count = dryRun
      ? await countResults(ctx.db, botId, selection)
      : await archiveResults(ctx.db, botId, selection, (ids) => removeFiles(files, botId, ids))
    if (dryRun) ctx.audit?.skip()
    ctx.audit?.count({ results: count })
    return { message: "success", count }
  })

/** Results whose files are removed concurrently. */
const batchSize = 10

async function removeFiles(
  files: Pick<FileStore, "removeResult">,
  botId: string,
  resultIds: readonly string[],
): Promise<void> {
  for (let start = 0; start < resultIds.length; start += batchSize) {
    const some = resultIds.slice(start, start + batchSize)
    await Promise.all(some.map((resultId) => files.removeResult({ botId, resultId })))
  }
}

// Everything is deleted only where that was said: a list that is empty or left out is a mistake.
function selectionOf({ resultIds = "", all }: z.infer<typeof inputSchema>): string[] | "all" {
  const ids = resultIds.split(",").map((id) => id.trim())
  const isEmpty = ids.every((id) => id === "")
  if (all && !isEmpty) throw badRequest("Set resultIds or all=true, not both")
  if (all) return "all"
  if (isEmpty) throw badRequest("Name the results in resultIds, or set all=true to delete all")
  return ids.filter(isUuid)
}
