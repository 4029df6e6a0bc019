/** POST /api/v1/workspaces/{workspaceId}/erase */

import { z } from "zod"
import type { Db } from "../../db/connection/openDatabase.ts"
import { listBotIds } from "../../db/results/erasure.ts"
import { listOf } from "../../engine/schema/lists.ts"
import { badRequest, notFound } from "../../lib/errors.ts"
import { requireWorkspace } from "../../people/access.ts"
import { erase } from "../../results/erase.ts"
import type { Context } from "../context.ts"
import { cursorSchema, cursorsOf, nextCursorSchema, sealsOf } from "../cursor.ts"
import { exampleIds } from "../examples.ts"
import { workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

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
  match: z
    .enum(["equals", "contains"])
    .default("equals")
    .describe(
      "equals: as `value` says; contains: results in which an answer, a message, the value of a variable or the conversation key contains `value`, of at least 3 characters, which a dry run has to count before (`confirmation`)",
    ),
  confirmation: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      "The `confirmation` of a dry run with the same criteria; only needed to erase with `match: contains`",
    ),
  conversationKey: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      "Erases all results of this key, including those of linked bots; may be combined with `value`",
    ),
  botIds: listOf(z.string().max(255), maxBots)
    .optional()
    .describe("Only in these bots; absent: all"),
  dryRun: z.boolean().default(true).describe("Whether to only count, and delete nothing"),
  cursor: cursorSchema.describe(
    "`nextCursor` of the previous call, everything else being equal; absent: starts the search",
  ),
})

export const eraseProcedure = tokenOperation("POST /workspaces/{workspaceId}/erase", {
  operationId: "eraseData",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "Erase a person's data",
  description:
    "For ADMINs. Deletes results in which an answer, a message stored during a pause, a line that was shown or a variable equals the value, together with their files, logs and running chats, and previews that contain it; empty rows remain for counting. Only counts unless `dryRun` is false. With `match: contains`, count first: the last response of the dry run has the `confirmation` that the erasure needs. Repeat the call with `nextCursor`, and everything else unchanged, as long as there is one. The audit log records how many results were erased, never the value.",
  example: {
    request: { value: "Ann", dryRun: true },
    response: { bots: [{ botId: exampleIds.botId, results: 2 }] },
  },
  input: inputSchema,
  output: {
    bots: z
      .array(
        z.object({
          botId: z.string().describe("Id of the bot"),
          results: z.int().describe("How many results were erased, or would be"),
        }),
      )
      .describe("What this call found; bots without results are left out"),
    nextCursor: nextCursorSchema.describe(
      "Cursor to continue with; absent: everything was searched",
    ),
    confirmation: z
      .string()
      .optional()
      .describe(
        "Only after a dry run with `match: contains` that has searched everything: allows for a day to erase what it counted",
      ),
  },
}).mutation(async ({ ctx, input }) => {
  const { workspaceId, value, conversationKey: key, dryRun } = input
  const isPart = input.match === "contains"
  requirePerson(input)
  await requireWorkspace(ctx, workspaceId, "manage")
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  if (dryRun) ctx.audit?.skip()
  else if (isPart) requireCounted(ctx, input)
  const cursors = cursorsFor(ctx, input)
  const from = cursors.read(input.cursor)
  const searched = await botsOf(ctx.db, input)
  const means = { db: ctx.db, files: ctx.uploads.files, hasLeft: ctx.hasLeft }
  const { counts, next } = await erase(means, { ...searched, value, isPart, key, dryRun, from })
  const bots = [...counts].map(([botId, results]) => ({ botId, results }))
  ctx.audit?.count({ results: bots.reduce((sum, { results }) => sum + results, 0) })
  const isCounted = isPart && dryRun && next === undefined
  return { bots, ...cursors.write(next), ...(isCounted && confirmationFor(ctx, input)) }
})

const positionSchema = z.union([
  z.object({ sessionId: z.string(), resultId: z.guid() }),
  z.object({ botId: z.string(), afterId: z.guid().optional() }),
])

type Input = z.infer<typeof inputSchema>

/** What cursors and confirmations are sealed with. */
type Sealing = Pick<Context, "cursorCipher">

/** Fewer characters are part of too much. */
const minPart = 3

function requirePerson({ value, match, conversationKey }: Input): void {
  if (value === undefined && conversationKey === undefined) {
    throw badRequest("Name the person to erase: send `value`, `conversationKey` or both")
  }
  if (match === "equals" || (value?.trim().length ?? 0) >= minPart) return
  const message = `To erase what contains a value, \`value\` must have at least ${minPart} characters`
  throw badRequest(message, [{ message, path: ["value"], code: "custom" }])
}

function cursorsFor(ctx: Sealing, input: Input) {
  const { workspaceId, value, conversationKey, botIds, dryRun, match } = input
  // The criteria are bound in as well: continuing with another value would skip the first part.
  const list = ["eraseData", workspaceId, value, conversationKey, botIds, dryRun] as const
  return cursorsOf(ctx, match === "equals" ? list : [...list, match], positionSchema)
}

const countedSchema = z.object({ countedAt: z.number() })
const confirmedMs = 86_400_000

function confirmationsOf(ctx: Sealing, { workspaceId, value, conversationKey, botIds }: Input) {
  const bound = ["eraseData confirmation", workspaceId, value, conversationKey, botIds] as const
  return sealsOf(ctx, bound, countedSchema)
}

function confirmationFor(ctx: Sealing, input: Input) {
  return { confirmation: confirmationsOf(ctx, input).seal({ countedAt: Date.now() }) }
}

/** Throws a 400 unless a dry run has counted the same within a day. */
function requireCounted(ctx: Sealing, input: Input): void {
  const { confirmation } = input
  const counted = confirmation && confirmationsOf(ctx, input).open(confirmation)
  const { countedAt = 0 } = counted || {}
  if (countedAt > Date.now() - confirmedMs) return
  const message =
    "What contains a value is only erased once it was counted: send the same request with " +
    "`dryRun: true`, look at the counts, then send its `confirmation` within a day"
  throw badRequest(message, [{ message, path: ["confirmation"], code: "custom" }])
}

/** The bots of the workspace, and those that are searched. */
async function botsOf(db: Db, { workspaceId, botIds: asked }: Input) {
  const workspaceBotIds = await listBotIds(db, workspaceId)
  if (asked?.some((id) => !workspaceBotIds.includes(id))) throw notFound("Bot")
  return { workspaceBotIds, botIds: workspaceBotIds.filter((id) => asked?.includes(id) ?? true) }
}
