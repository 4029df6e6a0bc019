/** Writes the results of a bot as a file, page by page. */

import { z } from "zod"
import { requireBot } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { csvOf, jsonLinesOf } from "../../results/exportResults.ts"
import type { Context } from "../context.ts"
import { botIdSchema } from "../sharedSchemas.ts"
import { filterMembers, filterOf } from "./resultFilter.ts"

/** The forms of an export. */
export const exportFormats = { csv: "text/csv", ndjson: "application/x-ndjson" } as const

export const exportInputSchema = z.object({
  botId: botIdSchema,
  format: z
    .enum(["csv", "ndjson"])
    .default("csv")
    .describe("csv: a table for people; ndjson: a line of JSON per result"),
  ...filterMembers,
})

/**
 * Opens an export: yields the file in pieces, each made when it is read. Refuses what the list would
 * refuse, before the first piece.
 */
export async function exportResults(
  ctx: Pick<Context, "db" | "chat" | "hasLeft"> & { user: Caller },
  request: z.infer<typeof exportInputSchema>,
): Promise<AsyncGenerator<string>> {
  const { botId, format } = request
  await requireBot(ctx, botId, "read")
  const { db, chat, hasLeft, user } = ctx
  const filter = await filterOf(db, botId, request)
  const print = format === "csv" ? csvOf : jsonLinesOf
  return print({ db, chat, hasLeft, userId: user.id }, filter)
}
