/** DELETE /api/v1/bots/{botId}/results */
import { z } from "zod"
import { archiveResults } from "../../db/results/results.ts"
import type { FileStore } from "../../effects/files/fileStore.ts"
import { badRequest } from "../../shared/errors.ts"
import { isUuid } from "../../shared/ids.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema } from "./schema.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  resultIds: z
    .string()
    .max(50_000)
    .optional()
    .describe("Ids separated by commas; absent: all results of the bot"),
})

/** Deletes results; empty rows remain for counting. */
export const deleteProcedure = tokenOperation("DELETE /api/v1/bots/{botId}/results", {
  operationId: "deleteResults",
  tag: "Results",
  summary: "Delete results",
  description:
    "Archives the named results, or all: their answers, logs, files and running chats are deleted. Ids that the bot does not have are passed over.",
})
  .input(inputSchema)
  .output(z.object({ message: z.string().describe("`success`") }))
  .mutation(async ({ ctx, input }) => {
    const { botId, resultIds } = input
    await requireBot(ctx, botId, "write")
    const selection = resultIds === undefined ? "all" : splitIds(resultIds)
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { files } = ctx.uploads
    await archiveResults(ctx.db, botId, selection, (ids) => removeFiles(files, botId, ids))
    return { message: "success" }
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

// An empty list is more likely a mistake than a request to delete everything.
function splitIds(list: string): string[] {
  const ids = list.split(",").map((id) => id.trim())
  if (ids.every((id) => id === "")) {
    throw badRequest("resultIds names no result; leave it out to delete all")
  }
  return ids.filter(isUuid)
}
