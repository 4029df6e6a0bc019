/** GET /api/v1/bots/{botId}/versions */
import { z } from "zod"
import { listVersions } from "../../db/bots/versions.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { cursorsOf, nextCursorSchema, pageMembers, pageOf } from "../cursor.ts"
import { tokenOperation } from "../trpc.ts"
import { presentVersions } from "./presentVersions.ts"
import { listedVersionSchema, versionNumberSchema } from "./schema.ts"

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
    const cursors = cursorsOf(ctx, ["listVersions", botId], versionNumberSchema)
    const before = cursors.read(cursor)
    const rows = await listVersions(ctx.db, { botId, before, limit: limit + 1 })
    const { page, last } = pageOf(rows, limit)
    const versions = await presentVersions(ctx, facts, page)
    return { versions, ...cursors.write(last?.number) }
  })
