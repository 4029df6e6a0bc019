/** GET /api/v1/bots/{botId}/results */
import { z } from "zod"
import { readResultPage } from "../../db/results/listing.ts"
import { fitting } from "../../pageOfAnswer.ts"
import { readResults } from "../../results/readResults.ts"
import { requireBot } from "../access.ts"
import { cursorSchema, cursorsOf, nextCursorSchema } from "../cursor.ts"
import { tokenOperation } from "../trpc.ts"
import { filterMembers, filterOf } from "./filter.ts"
import { botIdSchema, resultSchema } from "./schema.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  limit: z.number().int().min(1).max(500).default(50).describe("Most results on a page"),
  cursor: cursorSchema,
  ...filterMembers,
})

const outputSchema = z.object({
  results: z.array(resultSchema).describe("The page, newest first"),
  nextCursor: nextCursorSchema,
})

/** Lists the results of a bot. */
export const listProcedure = tokenOperation("GET /api/v1/bots/{botId}/results", {
  operationId: "listResults",
  admits: "botReaders",
  tag: "Results",
  summary: "List results",
  description:
    "Those with an answer that are not archived, newest first. With `search` a page looks at 10,000 results, with `status` or `version` at 50,000: it may be short, even empty, while `nextCursor` leads on; so may one of more than 16 MB. Of a result with more than that, or with more than 10,000 answers, long answers are cut and the last ones left out.",
})
  .input(inputSchema)
  .output(outputSchema)
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
  })
