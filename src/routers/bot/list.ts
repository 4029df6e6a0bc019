/** GET /api/v1/bots */
import { z } from "zod"
import { type BotListing, type ListedBot, listBots } from "../../db/bots/listedBots.ts"
import { badRequest } from "../../errors.ts"
import { collaborationMode, isEditor, requireWorkspace } from "../access.ts"
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
    "folder. All of them unless `limit` is given.",
})
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      folderId: z.string().optional().describe("Folder, or `root`; absent: the whole workspace"),
      limit: z.number().int().min(1).max(500).optional().describe("Most bots in one response"),
      cursor: z.string().optional().describe("`nextCursor` of the page before"),
    }),
  )
  .output(
    z.object({
      bots: z.array(listedBotSchema).describe("The bots of this page"),
      nextCursor: z.string().optional().describe("For the next page; absent: this was the last"),
    }),
  )
  .query(async ({ ctx, input: { workspaceId, folderId, limit, cursor } }) => {
    const workspace = await requireWorkspace(ctx, workspaceId, "list")
    const isGuest = workspace.role === "GUEST"
    const folder = folderId === "root" ? null : folderId
    const bots = await listBots(ctx.db, {
      ...{ workspaceId, userId: ctx.user.id, isGuest },
      folderId: isGuest ? undefined : folder,
      after: cursor === undefined ? undefined : readCursor(cursor),
      // One more than the page, to learn whether there is a next one.
      limit: limit === undefined ? undefined : limit + 1,
    })
    return pageOf(bots, limit, isEditor(workspace))
  })

function pageOf(found: ListedBot[], limit: number | undefined, canEdit: boolean) {
  const page = limit === undefined ? found : found.slice(0, limit)
  const last = page.at(-1)
  const isMore = page.length < found.length && last !== undefined
  const bots = page.map((bot) => present(bot, canEdit))
  return { bots, ...(isMore && { nextCursor: `${last.createdAt.getTime()}.${last.id}` }) }
}

function present({ publishedBotId, collaboration, ...bot }: ListedBot, canEdit: boolean) {
  return {
    ...bot,
    ...printTimes(bot),
    ...(publishedBotId !== null && { publishedBotId }),
    // Without role and collaboration it is a platform admin who sees the bot.
    accessRight: canEdit ? ("write" as const) : (collaborationMode({ collaboration }) ?? "read"),
  }
}

function readCursor(cursor: string): BotListing["after"] {
  const [, time, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  if (time === undefined || id === undefined) throw badRequest("Unknown cursor")
  return { createdAt: new Date(Number(time)), id }
}
