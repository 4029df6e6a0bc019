/** GET /api/v1/users/me/bots */

import { z } from "zod"
import { listSharedBots, type SharedBot } from "../../db/people/collaborators.ts"
import { cut } from "../../lib/cut.ts"
import { collaborationMode } from "../../people/access.ts"
import { botSchema, listedBotSchema } from "../bot/botSchemas.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleBakery, exampleDates, exampleOrders, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

const sharedBotSchema = listedBotSchema
  .omit({ folderId: true, deletedAt: true, purgesAt: true })
  .extend({
    workspaceId: botSchema.shape.workspaceId,
    sharedAt: timestampSchema("When the caller has accepted"),
  })
  .meta({ id: "SharedBot", description: "A bot that is shared with the caller" })

export const sharedBotsProcedure = tokenOperation("GET /users/me/bots", {
  operationId: "listSharedBots",
  admits: "accounts",
  tag: "Bots",
  summary: "List the bots that are shared with you",
  description:
    "What others share with the caller, who is neither ADMIN nor MEMBER of their workspace: the latest " +
    "first, without deleted bots and those of suspended workspaces. Names are cut at 100 characters.",
  example: {
    response: {
      bots: [
        {
          ...exampleOrders,
          workspaceId: exampleBakery.id,
          publicId: null,
          isClosed: false,
          accessRight: "read",
          ...exampleDates,
          sharedAt: exampleTime,
        },
      ],
    },
  },
  input: pageMembers,
  output: pageSchema.extend({ bots: z.array(sharedBotSchema).describe("Latest first") }),
}).query(async ({ ctx, input: { limit, cursor } }) => {
  const cursors = cursorsOf(ctx, ["listSharedBots", ctx.user.id], positionSchema)
  const after = cursors.read(cursor)
  // One more than the page, to learn whether there is a next one.
  const found = await listSharedBots(ctx.db, { userId: ctx.user.id, after, limit: limit + 1 })
  const { page, last } = pageOf(found, limit)
  const next = last && { sharedAt: last.sharedAt, id: last.id }
  return { bots: page.map(present), ...cursors.write(next) }
})

const positionSchema = z.object({ sharedAt: z.coerce.date(), id: z.string() })

function present(row: SharedBot): z.infer<typeof sharedBotSchema> {
  const accessRight = collaborationMode(row) ?? "read"
  return presentRow(sharedBotSchema, { ...row, name: cut(row.name), accessRight })
}
