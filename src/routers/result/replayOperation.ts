/** POST /api/v1/bots/{botId}/replay */

import { z } from "zod"
import type { BotFacts, BotRow } from "../../db/bots/bots.ts"
import { useWorkspaceVariables } from "../../effects/snapshots.ts"
import { openTurnVariables, withoutSecrets } from "../../effects/variables/turnVariables.ts"
import { type Bot, type Flow, prepareBot } from "../../engine/bot.ts"
import type { ScriptOutcome } from "../../engine/calls.ts"
import { versionsIn } from "../../engine/recorded/recordedTurn.ts"
import { badRequest, callerLeft, unavailable } from "../../lib/errors.ts"
import { userParty } from "../../lib/party.ts"
import { type Admitted, requireBotWithFlow } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { hasScope } from "../../people/grants.ts"
import { loadBots } from "../../results/loadBots.ts"
import { readRecordedChats } from "../../results/readRecordedChats.ts"
import {
  type Place,
  type Replayed,
  type ReplayReport,
  replayReportSchema,
} from "../../results/replay/difference.ts"
import { drive } from "../../results/replay/drive.ts"
import { replayChat } from "../../results/replay/replayChat.ts"
import { replayPage } from "../../results/replay/replayPage.ts"
import type { Effort } from "../../results/replay/replaySide.ts"
import { joinReports, reportOf } from "../../results/replay/report.ts"
import type { Context } from "../context.ts"
import { cursorSchema, cursorsOf, pageSchema, uuidPositionSchema } from "../cursor.ts"
import { exampleIds } from "../examples.ts"
import { botIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { flowAt, sideSchema } from "../version/diffOperation.ts"
import { filterOf, spanMembers } from "./resultFilter.ts"

const replayPageSchema = pageSchema.extend(replayReportSchema.shape)

/** The report for a token that may not read drafts. */
function withoutExcerpts(report: ReplayReport): ReplayReport {
  const without = (place: Place | undefined) => place && { ...place, excerpt: undefined }
  const differences = report.differences.map((each) => ({
    ...each,
    before: without(each.before),
    after: without(each.after),
  }))
  return { ...report, differences }
}

const inputSchema = z.object({
  botId: botIdSchema,
  against: sideSchema
    .default("draft")
    .describe("What to compare with: `draft`, `live` or the number of a version"),
  bot: z.unknown().optional().describe("A bot to compare with instead, as an import takes it"),
  ...spanMembers,
  limit: z.int().min(1).max(200).default(100).describe("Maximum number of conversations per page"),
  cursor: cursorSchema,
})

export const replayProcedure = tokenOperation("POST /bots/{botId}/replay", {
  operationId: "replayResults",
  admits: "botReaders",
  tag: "Results",
  scope: "results:read",
  isAudited: false,
  errorResponses: [422],
  summary: "Replay conversations with another version",
  description:
    "Feeds recorded conversations, newest first, to the draft or a version, and says what differs first " +
    "in each: texts, questions, answers, paths. Nothing is changed or called: other systems " +
    "answer as recorded. Conversations without an answer are left out, theme and settings are not " +
    "compared, and replies that were refused are not replayed. A page may be short although it has a " +
    "`nextCursor`.",
  example: {
    request: { against: "2" },
    response: {
      conversations: 1,
      unchanged: 0,
      differences: [
        {
          kind: "text",
          before: { groupTitle: "Sign up", blockId: "b1", excerpt: "Your name?" },
          after: { groupTitle: "Sign up", blockId: "b1", excerpt: "Who are you?" },
          conversations: 1,
          answersChanged: 0,
          examples: [exampleIds.resultId],
        },
      ],
      notReplayed: [],
    },
  },
  input: inputSchema,
  output: replayPageSchema,
}).mutation(async ({ ctx, input }) => {
  const { botId, limit, cursor } = input
  const bot = await requireBotWithFlow(ctx, botId, "read")
  const cursors = cursorsOf(ctx, ["replayResults", botId], uuidPositionSchema)
  const startAt = cursors.read(cursor)
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  const filter = await filterOf(ctx.db, botId, input)
  const after = prepareBot(await flowAsked(ctx, bot, input), "compared", botId)
  const page = await readRecordedChats(ctx.db, filter, { startAt, limit })
  const { reports, next = page.next } = await replayPage(page.chats, async (chat, effort) => {
    if (ctx.hasLeft?.()) throw callerLeft()
    return reportOf(chat.resultId, await replayOne(ctx, chat, { bot, after, effort }))
  })
  const report = joinReports(reports)
  const shown = hasScope(ctx.user, "bots:read") ? report : withoutExcerpts(report)
  return { ...shown, ...cursors.write(next) }
})

type Replayer = Pick<Context, "db" | "chat" | "heavy" | "hasLeft"> & { user: Caller }

async function flowAsked(
  ctx: Replayer,
  bot: Admitted<BotRow & BotFacts>,
  { bot: sent, against }: Pick<z.infer<typeof inputSchema>, "bot" | "against">,
): Promise<Flow> {
  if (sent === undefined) return await flowAt(ctx, bot, against)
  const read = await ctx.heavy.run(userParty(ctx.user.id), "readSent", sent)
  if ("flow" in read) return read.flow
  const issues = read.issues.map((issue) => ({ ...issue, path: ["bot", ...issue.path] }))
  throw badRequest("The bot is not valid", issues)
}

/** How long the scripts of one conversation may take. */
const maxScriptsMs = 3_000

/** Max versions that a conversation runs, those of linked bots included. */
const maxVersions = 50

async function replayOne(
  { user, chat: { snapshots, longRuns, effects, variables } }: Replayer,
  { turns, ...chat }: Awaited<ReturnType<typeof readRecordedChats>>["chats"][number],
  { bot, after, effort }: { bot: BotFacts; after: Bot; effort: Effort },
): Promise<Replayed> {
  const party = userParty(user.id)
  const versionIds = versionsIn(turns ?? [])
  if (!turns || versionIds.length > maxVersions) return { obstacle: "tooLong" }
  const bots = await loadBots(snapshots, versionIds)
  if (!bots) return { obstacle: "tooLong" }
  const isNamed = useWorkspaceVariables([after, ...bots.values()])
  const known = isNamed ? await variables.of(bot.workspaceId) : new Map()
  const workspace = openTurnVariables(withoutSecrets(known)).shown
  let signal: AbortSignal | undefined
  const cast = { bots, after, workspace }
  const replayed = await drive(replayChat({ ...chat, turns }, cast, effort), {
    async run(scripts) {
      signal ??= AbortSignal.timeout(maxScriptsMs)
      const outcome = await effects.perform(
        { kind: "script", scripts: [...scripts] },
        {
          party,
          workspaceId: bot.workspaceId,
          botId: bot.id,
          sessionId: chat.resultId,
          fileOwners: [{ botId: bot.id }],
          isPreview: true,
          isRestricted: false,
          idempotencyKey: "",
          turnKey: "",
          signal,
        },
      )
      if (signal.aborted || !("results" in outcome)) return undefined
      return outcome.results as ScriptOutcome[]
    },
    async compute(work) {
      const done = await longRuns.run(party, () => ({ value: work() }))
      if (done) return done.value
      throw unavailable("Too many flows that compute for long are waiting", 5)
    },
  })
  return replayed ?? { obstacle: "tooLong" }
}
