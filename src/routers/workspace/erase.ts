/** POST /api/v1/workspaces/{workspaceId}/erase */
import { z } from "zod"
import type { Db } from "../../db/connection/open.ts"
import { listBotIds } from "../../db/results/erasure.ts"
import { badRequest, notFound } from "../../errors.ts"
import { erase } from "../../results/erase.ts"
import { requireWorkspace } from "../access.ts"
import { cursorSchema, cursorsOf, nextCursorSchema } from "../cursor.ts"
import { exampleIds } from "../examples.ts"
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
      "Erases results in which an answer, a message, a line that was shown or a variable equals this, ignoring case",
    ),
  conversationKey: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      "Erases all results of this key, including those of linked bots; may be combined with `value`",
    ),
  botIds: z
    .array(z.string().max(255))
    .max(maxBots)
    .optional()
    .describe("Only in these bots; absent: all"),
  dryRun: z.boolean().default(true).describe("Whether to only count, and delete nothing"),
  cursor: cursorSchema.describe(
    "`nextCursor` of the previous call, everything else being equal; absent: starts the search",
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
    .describe("What this call found; bots without results are left out"),
  nextCursor: nextCursorSchema.describe("Cursor to continue with; absent: everything was searched"),
})

/** Deletes everything that was recorded about a person. */
export const eraseProcedure = tokenOperation("POST /workspaces/{workspaceId}/erase", {
  operationId: "eraseData",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "Erase a person's data",
  description:
    "For ADMINs. Deletes results in which an answer, a message stored during a pause, a line that was shown or a variable equals the value, together with their files, logs and running chats, and previews that contain it; empty rows remain for counting. Only counts unless `dryRun` is false. Repeat the call with `nextCursor`, and everything else unchanged, as long as there is one. The audit log records how many results were erased, never the value.",
  example: {
    request: { value: "Ann", dryRun: true },
    response: { bots: [{ botId: exampleIds.botId, results: 2 }] },
  },
})
  .input(inputSchema)
  .output(outputSchema)
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, value, conversationKey, dryRun } = input
    requirePerson(input)
    await requireWorkspace(ctx, workspaceId, "manage")
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    if (dryRun) ctx.audit?.skip()
    // The criteria are bound in as well: continuing with another value would skip the first part.
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
  throw badRequest("Name the person to erase: send `value`, `conversationKey` or both")
}

/** The bots of the workspace, and those that are searched. */
async function botsOf(db: Db, { workspaceId, botIds: asked }: Input) {
  const workspaceBotIds = await listBotIds(db, workspaceId)
  if (asked?.some((id) => !workspaceBotIds.includes(id))) throw notFound("Bot")
  return { workspaceBotIds, botIds: workspaceBotIds.filter((id) => asked?.includes(id) ?? true) }
}
