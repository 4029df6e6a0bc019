/** POST /api/v1/workspaces/{workspaceId}/erase */
import { z } from "zod"
import {
  erasePreviews,
  eraseResults,
  listBotIds,
  listLinked,
  searchAmong,
  searchKeys,
  searchPreviews,
  searchResults,
  searchSessions,
  wordsOf,
} from "../../db/results/erasure.ts"
import { emptyResults } from "../../db/results/results.ts"
import type { ResultOfChat } from "../../db/results/retention.ts"
import { badRequest, notFound } from "../../errors.ts"
import { restAfter } from "../../stepOfWork.ts"
import { requireWorkspace } from "../access.ts"
import type { Context } from "../context.ts"
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
export const eraseProcedure = tokenOperation("POST /api/v1/workspaces/{workspaceId}/erase", {
  operationId: "eraseData",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "Forget a person",
  description:
    "For ADMINs. Deletes results in which an answer, a message kept in a pause, a line that was shown or a variable equals the value, with their files, logs and running chats, and previews that hold it; empty rows remain for counting. Counts only unless `dryRun` is false. Call again with `nextCursor`, and all else unchanged, as long as there is one; the audit log says how many, never what.",
})
  .input(inputSchema)
  .output(outputSchema)
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, value, conversationKey, dryRun, cursor } = input
    if (value === undefined && conversationKey === undefined) {
      throw badRequest("Say whom to forget: value, conversationKey or both")
    }
    await requireWorkspace(ctx, workspaceId, "manage")
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    if (dryRun) ctx.audit?.skip()
    // What a search asks for, too: going on with another value would pass over the first part.
    const list = ["eraseData", workspaceId, value, conversationKey, input.botIds, dryRun] as const
    const cursors = cursorsOf(ctx, list, placeSchema)
    const place = cursors.read(cursor)
    const known = await listBotIds(ctx.db, workspaceId)
    if (input.botIds?.some((id) => !known.includes(id))) throw notFound("Bot")
    const botIds = known.filter((id) => input.botIds?.includes(id) ?? true)
    const erasure: Erasure = {
      ctx,
      botIds,
      workspaceBotIds: known,
      key: conversationKey,
      words: value === undefined ? [] : wordsOf(value),
      dryRun,
      counts: new Map(),
      seen: new Set(),
      erased: [],
      deadline: performance.now() + longestMs,
    }
    if (place === undefined) await eraseKeys(erasure)
    if (place === undefined && !dryRun && value !== undefined) await eraseTrials(erasure)
    const next = value === undefined ? undefined : await search(erasure, place ?? start)
    // A chat that was being started may have written since.
    if (!dryRun) await emptyResults(ctx.db, { botIds, resultIds: erasure.erased })
    const bots = [...erasure.counts].map(([botId, results]) => ({ botId, results }))
    ctx.audit?.count({ results: bots.reduce((sum, { results }) => sum + results, 0) })
    return { bots, ...cursors.write(next) }
  })

/** A call is to be answered within the time that proxies wait. */
const longestMs = 15_000

type Erasure = {
  ctx: Pick<Context, "db" | "uploads" | "hasLeft">
  /** The bots that are searched, in order. */
  botIds: readonly string[]
  workspaceBotIds: readonly string[]
  key: string | undefined
  words: readonly string[]
  dryRun: boolean
  counts: Map<string, number>
  /** Results found so far: a running chat may hold what its key is, too. */
  seen: Set<string>
  erased: string[]
  deadline: number
}

/** Where a search goes on: after a running chat, or after a result of a bot. */
type Place =
  | { sessionId: string; resultId: string }
  | { botId: string; afterId?: string | undefined }

const start: Place = { sessionId: "", resultId: "00000000-0000-0000-0000-000000000000" }

/** Undefined: everything was searched. */
async function search(erasure: Erasure, from: Place): Promise<Place | undefined> {
  const { ctx, deadline } = erasure
  let place = from
  for (;;) {
    const startedAt = performance.now()
    const next =
      "sessionId" in place ? await searchChats(erasure, place) : await searchBot(erasure, place)
    const now = performance.now()
    if (!next || now >= deadline || ctx.hasLeft?.()) return next
    await restAfter(now - startedAt)
    place = next
  }
}

async function eraseKeys(erasure: Erasure): Promise<void> {
  const { botIds, key, words, ctx } = erasure
  const named = await searchKeys(ctx.db, { botIds, key, words })
  const ofKey = named.map(({ resultId }) => resultId)
  const keyed = [...named, ...(await listLinked(ctx.db, { botIds, resultIds: ofKey }))]
  const resultIds = keyed.map(({ resultId }) => resultId)
  const stored = await searchAmong(ctx.db, { botIds, resultIds, words })
  for (const { botId, ...result } of keyed) {
    if (!stored.has(result.resultId)) await found(erasure, botId, [result])
  }
}

/** Previews are no results: they are neither counted nor kept for longer than a day. */
async function eraseTrials({ ctx, botIds, words }: Erasure): Promise<void> {
  for (let afterId: string | undefined = ""; afterId !== undefined; ) {
    const startedAt = performance.now()
    const previews = await searchPreviews(ctx.db, { botIds, words, afterId })
    const holding = previews.filter(
      ({ state }) => state !== null && holds(JSON.parse(state), words),
    )
    if (holding.length > 0) {
      await erasePreviews(ctx.db, { botIds, ids: holding.map(({ id }) => id) })
    }
    afterId = previews.at(-1)?.id
    await restAfter(performance.now() - startedAt)
  }
}

/** Of running chats that no result tells of: values that are never stored, or not yet. */
async function searchChats(
  erasure: Erasure,
  { sessionId: id, resultId }: Extract<Place, { sessionId: string }>,
): Promise<Place | undefined> {
  const { botIds, words, ctx } = erasure
  const sessions = await searchSessions(ctx.db, { botIds, words, after: { id, resultId } })
  const holding = sessions.filter(({ state }) => state !== null && holds(JSON.parse(state), words))
  const resultIds = holding.map(({ resultId }) => resultId)
  const stored = await searchAmong(ctx.db, { botIds, resultIds, words })
  for (const { id, resultId, botId } of holding) {
    if (!stored.has(resultId)) await found(erasure, botId, [{ resultId, lastChatSessionId: id }])
  }
  const last = sessions.at(-1)
  if (last) return { sessionId: last.id, resultId: last.resultId }
  const [botId] = botIds
  return botId === undefined ? undefined : { botId }
}

async function searchBot(
  erasure: Erasure,
  { botId, afterId }: Extract<Place, { botId: string }>,
): Promise<Place | undefined> {
  const { botIds, words, ctx } = erasure
  // A bot may be deleted between two calls.
  if (botIds.includes(botId)) {
    const part = await searchResults(ctx.db, { botId, afterId, words })
    await found(erasure, botId, part.found)
    if (part.until !== undefined) return { botId, afterId: part.until }
  }
  const next = botIds.find((id) => id > botId)
  return next === undefined ? undefined : { botId: next }
}

async function found(
  { ctx, botIds, workspaceBotIds, counts, seen, dryRun, erased }: Erasure,
  botId: string,
  all: readonly ResultOfChat[],
): Promise<void> {
  const results = all.filter(({ resultId }) => !seen.has(resultId))
  if (results.length === 0) return
  for (const { resultId } of results) seen.add(resultId)
  counts.set(botId, (counts.get(botId) ?? 0) + results.length)
  if (dryRun) return
  await eraseResults(ctx.db, { results, botIds, workspaceBotIds })
  // Afterwards: nobody may upload any more.
  for (const { resultId } of results) {
    await ctx.uploads.files.removeResult({ botId, resultId })
    erased.push(resultId)
  }
}

/** Whether a text in it, however deep, is one of the words. */
function holds(value: unknown, words: readonly string[]): boolean {
  if (typeof value === "string") return words.includes(value.toLowerCase())
  if (typeof value !== "object" || value === null) return false
  return Object.values(value).some((member) => holds(member, words))
}

const placeSchema = z.union([
  z.object({ sessionId: z.string(), resultId: z.guid() }),
  z.object({ botId: z.string(), afterId: z.guid().optional() }),
])
