/** POST /api/v1/workspaces/{workspaceId}/erase */
import { z } from "zod"
import type { Db } from "../../db/connection/open.ts"
import { listBotIds } from "../../db/results/erasure.ts"
import { badRequest, notFound } from "../../errors.ts"
import { erase } from "../../results/erase.ts"
import { requireWorkspace } from "../access.ts"
import { cursorSchema, cursorsOf, nextCursorSchema } from "../cursor.ts"
import { tokenOperation } from "../trpc.ts"
import { workspaceIdSchema } from "./schema.ts"

const maxBots = 1_000

const inputSchema = z.object({
  workspaceId: workspaceIdSchema,
  value: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      "Results go in which an answer, a message, a line that was shown or a variable equals this, in upper or lower case",
    ),
  conversationKey: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("All results of this key go, and what linked bots have of them; with `value`, both"),
  botIds: z
    .array(z.string().max(255))
    .max(maxBots)
    .optional()
    .describe("Only in these bots; absent: all"),
  dryRun: z.boolean().default(true).describe("Whether to count only, and delete nothing"),
  cursor: cursorSchema.describe(
    "`nextCursor` of the call before, with all else as in that call; absent: the search begins",
  ),
})

const outputSchema = z.object({
  bots: z
    .array(
      z.object({
        botId: z.string().describe("Id of the bot"),
        results: z.number().int().describe("How many results were erased, or would be"),
      }),
    )
    .describe("What this call found; bots without anything are left out"),
  nextCursor: nextCursorSchema.describe(
    "There is more: call again with it; absent: everything was searched",
  ),
})

/** Deletes everything that was recorded of a person. */
export const eraseProcedure = tokenOperation("POST /workspaces/{workspaceId}/erase", {
  operationId: "eraseData",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "Erase the data of a person",
  description:
    "For ADMINs. Deletes results in which an answer, a message kept in a pause, a line that was shown or a variable equals the value, with their files, logs and running chats, and previews that hold it; empty rows remain for counting. Counts only unless `dryRun` is false. Call again with `nextCursor`, and all else unchanged, as long as there is one; the audit log says how many, never what.",
})
  .input(inputSchema)
  .output(outputSchema)
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, value, conversationKey, dryRun } = input
    requirePerson(input)
    await requireWorkspace(ctx, workspaceId, "manage")
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    if (dryRun) ctx.audit?.skip()
    // What a search asks for, too: going on with another value would pass over the first part.
    const list = ["eraseData", workspaceId, value, conversationKey, input.botIds, dryRun] as const
    const cursors = cursorsOf(ctx, list, positionSchema)
    const from = cursors.read(input.cursor)
    const searched = await botsOf(ctx.db, input)
    const asked = { ...searched, value, key: conversationKey, dryRun, from }
    const { counts, next } = await erase(
      { db: ctx.db, files: ctx.uploads.files, hasLeft: ctx.hasLeft },
      asked,
    )
    const bots = [...counts].map(([botId, results]) => ({ botId, results }))
    ctx.audit?.count({ results: bots.reduce((sum, { results }) => sum + results, 0) })
    return { bots, ...cursors.write(next) }
  })

const positionSchema = z.union([
  z.object({ sessionId: z.string(), resultId: z.guid() }),
  z.object({ botId: z.string(), afterId: z.guid().optional() }),
])

type Input = z.infer<typeof inputSchema>

function requirePerson({ value, conversationKey }: Input): void {
  if (value !== undefined || conversationKey !== undefined) return
  throw badRequest("Say whom to forget: value, conversationKey or both")
}

/** The bots of the workspace, and those that are searched. */
async function botsOf(db: Db, { workspaceId, botIds: asked }: Input) {
  const workspaceBotIds = await listBotIds(db, workspaceId)
  if (asked?.some((id) => !workspaceBotIds.includes(id))) throw notFound("Bot")
  return { workspaceBotIds, botIds: workspaceBotIds.filter((id) => asked?.includes(id) ?? true) }
}
