/** GET /api/v1/bots/{botId}/publications */
import { z } from "zod"
import { listPublications } from "../../db/bots/publications.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { cursorsOf, nextCursorSchema, pageMembers, pageOf } from "../cursor.ts"
import { tokenOperation } from "../trpc.ts"
import { presentPublication, publicationSchema } from "./schema.ts"

/** Lists the history of what was live. */
export const listPublicationsProcedure = tokenOperation("GET /api/v1/bots/{botId}/publications", {
  operationId: "listPublications",
  admits: "botReaders",
  tag: "Bots",
  summary: "List what was live of a bot",
  description:
    "Every publication, rollback and unpublication, newest first; those from before the history " +
    "was kept as far as they are known. Needs a role at the bot.",
})
  .input(z.object({ botId: botIdSchema, ...pageMembers }))
  .output(
    z.object({
      publications: z.array(publicationSchema).describe("The entries of this page"),
      nextCursor: nextCursorSchema,
    }),
  )
  .query(async ({ ctx, input: { botId, limit, cursor } }) => {
    const facts = await requireBot(ctx, botId, "read")
    const cursors = cursorsOf(ctx, ["listPublications", botId], z.coerce.date())
    const before = cursors.read(cursor)
    const rows = await listPublications(ctx.db, { botId, before, limit: limit + 1 })
    const { page, last } = pageOf(rows, limit)
    const viewer = { facts, user: ctx.user }
    const publications = page.map((row) => presentPublication(row, viewer))
    return { publications, ...cursors.write(last?.at) }
  })
