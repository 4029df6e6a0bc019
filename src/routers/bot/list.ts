/** GET /api/v1/bots */
import { z } from "zod"
import { type ListedBot, listBots } from "../../db/bots/listedBots.ts"
import { cut } from "../../engine/cut.ts"
import { collaborationMode, isEditor, requireWorkspace } from "../access.ts"
import { cursorSchema, cursorsOf, nextCursorSchema, pageOf } from "../cursor.ts"
import { printTimes } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import { listedBotSchema } from "./schema.ts"

/** Lists the bots of a workspace. */
export const listProcedure = tokenOperation("GET /api/v1/bots", {
  operationId: "listBots",
  admits: "workspaceListers",
  tag: "Bots",
  summary: "List bots",
  description:
    "Newest first, without deleted ones; a GUEST sees the bots shared with them, whatever the " +
    "folder. All of them unless `limit` is given, or they take more than 16 MB; of a name 100 characters.",
})
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      folderId: z
        .string()
        .max(255)
        .optional()
        .describe("Folder, or `root`; absent: the whole workspace"),
      limit: z.number().int().min(1).max(500).optional().describe("Most bots in one response"),
      cursor: cursorSchema,
    }),
  )
  .output(
    z.object({
      bots: z.array(listedBotSchema).describe("The bots of this page"),
      nextCursor: nextCursorSchema,
    }),
  )
  .query(async ({ ctx, input: { workspaceId, folderId, limit, cursor } }) => {
    const workspace = await requireWorkspace(ctx, workspaceId, "list")
    const isGuest = workspace.role === "GUEST"
    const folder = folderId === "root" ? null : folderId
    const cursors = cursorsOf(ctx, ["listBots", workspaceId], placeSchema)
    const found = await listBots(ctx.db, {
      ...{ workspaceId, userId: ctx.user.id, isGuest },
      folderId: isGuest ? undefined : folder,
      after: cursors.read(cursor),
      // One more than the page, to learn whether there is a next one.
      limit: limit === undefined ? undefined : limit + 1,
    })
    const { page, last } = pageOf(found, limit ?? found.length)
    const bots = page.map((bot) => present(bot, isEditor(workspace)))
    return { bots, ...cursors.write(last && { createdAt: last.createdAt, id: last.id }) }
  })

const placeSchema = z.object({ createdAt: z.coerce.date(), id: z.string() })

function present({ publishedBotId, collaboration, ...bot }: ListedBot, canEdit: boolean) {
  return {
    ...bot,
    name: cut(bot.name),
    ...printTimes(bot),
    ...(publishedBotId !== null && { publishedBotId }),
    // Without role and collaboration it is a platform admin who sees the bot.
    accessRight: canEdit ? ("write" as const) : (collaborationMode({ collaboration }) ?? "read"),
  }
}
