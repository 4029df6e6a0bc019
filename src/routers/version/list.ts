/** GET /api/v1/bots/{botId}/versions */
import { z } from "zod"
import { listVersions } from "../../db/bots/versions.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { presentVersions } from "./presentVersions.ts"
import { listedVersionSchema, nextCursorSchema, pageMembers, pageOf, readCursor } from "./schema.ts"

/** Lists the versions of a bot. */
export const listProcedure = tokenOperation("GET /api/v1/bots/{botId}/versions", {
  operationId: "listVersions",
  admits: "botReaders",
  tag: "Bots",
  summary: "List the versions of a bot",
  description:
    "Newest first, without their flows. Every version that was ever live is here, and every " +
    "draft that was kept. Needs a role at the bot.",
})
  .input(z.object({ botId: botIdSchema, ...pageMembers }))
  .output(
    z.object({
      versions: z.array(listedVersionSchema).describe("The versions of this page"),
      nextCursor: nextCursorSchema,
    }),
  )
  .query(async ({ ctx, input: { botId, limit, cursor } }) => {
    const facts = await requireBot(ctx, botId, "read")
    const before = readCursor(cursor)
    const rows = await listVersions(ctx.db, { botId, before, limit: limit + 1 })
    const { page, next } = pageOf(rows, limit, ({ number }) => number)
    return { versions: await presentVersions(ctx, facts, page), ...next }
  })
