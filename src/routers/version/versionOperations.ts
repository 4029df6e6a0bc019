/** Operations on the versions of a bot, and on the live one. */

import { z } from "zod"
import { botChangesSchema } from "../../bots/botInput.ts"
import { hasPaidBlock } from "../../bots/flowReferences.ts"
import { jobs } from "../../bots/heavy/heavyJobs.ts"
import { changeTo, keepSharing } from "../../bots/restoreDraft.ts"
import { convert, flowOfDraft, trustFlow } from "../../bots/storedFlow.ts"
import type { BotFacts } from "../../db/bots/bots.ts"
import { listPublications, rollBack } from "../../db/bots/publications.ts"
import {
  findVersion,
  keepDraft,
  type ListedVersion,
  listVersions,
  replaceDraft,
} from "../../db/bots/versions.ts"
import { countOpenChats } from "../../db/chats/conversations.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { cut } from "../../lib/cut.ts"
import { AppError, notFound, orNotFound } from "../../lib/errors.ts"
import { firstUuidAt, newId, newUuid } from "../../lib/ids.ts"
import { userParty } from "../../lib/party.ts"
import {
  type AuthContext,
  refuseStale,
  requireBot,
  requireBotWithFlow,
} from "../../people/access.ts"
import { botSchema, flowMembers, presentBot } from "../bot/botSchemas.ts"
import { checkPublishable } from "../bot/publishOperations.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleAuthor, exampleBot, exampleStored, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import {
  bodyFlag,
  botIdSchema,
  done,
  timestampSchema,
  versionNumberSchema,
} from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { botEventFor } from "../webhookEndpoint/botEvents.ts"
import {
  authorMember,
  authorOf,
  maxNoteLength,
  noteSchema,
  presentPublication,
  publicationSchema,
  versionDoneSchema,
} from "./versionSchemas.ts"

const operation = operationsOf("Bots")

const listedVersionSchema = namedObject("ListedVersion", "An immutable copy of a draft", {
  number: versionNumberSchema,
  createdAt: timestampSchema("When it was created, or last replaced by a restore"),
  author: authorMember,
  note: z.string().optional().describe("Note for other people; absent: none"),
  isLive: z.boolean().describe("Whether new chats run it"),
  liveFrom: timestampSchema("When it last went live; absent: it never did").optional(),
  liveUntil: timestampSchema(
    "When it last stopped being live; absent: it is live, never was, or the time is unknown",
  ).optional(),
  isDraft: z.boolean().describe("Whether it is a kept draft that was never live"),
  openChats: z.int().describe("Chats started in the last 30 days that run it and may continue"),
})

const exampleVersion = {
  number: 1,
  createdAt: exampleTime,
  author: exampleAuthor,
  note: "Before the summer",
  isLive: true,
  liveFrom: exampleTime,
  isDraft: false,
  openChats: 0,
}

const versionSchema = listedVersionSchema
  .extend({
    bot: namedObject("VersionFlow", "The flow of a version, as an import takes it", {
      ...flowMembers,
      name: z.string().describe("Name of the bot"),
    }),
  })
  .meta({ id: "Version", description: "A version with its flow" })

/** Older chats are not counted: hardly any lasts that long. */
const countedMs = 30 * 86_400_000

const examplePublication = { at: exampleTime, author: exampleAuthor }

export const versions = {
  list: operation("GET /bots/{botId}/versions", {
    operationId: "listVersions",
    admits: "botReaders",
    summary: "List the versions of a bot",
    description:
      "Newest first, without their flows: every version that was ever live, and every draft that " +
      "was kept. Needs a role at the bot.",
    example: { response: { versions: [exampleVersion] } },
    input: { botId: botIdSchema, ...pageMembers },
    output: pageSchema.extend({ versions: z.array(listedVersionSchema).describe("Newest first") }),
  }).query(async ({ ctx, input: { botId, limit, cursor } }) => {
    const facts = await requireBot(ctx, botId, "read")
    const cursors = cursorsOf(ctx, ["listVersions", botId], versionNumberSchema)
    const before = cursors.read(cursor)
    const rows = await listVersions(ctx.db, { botId, before, limit: limit + 1 })
    const { page, last } = pageOf(rows, limit)
    const versions = await presentVersions(ctx, facts, page)
    return { versions, ...cursors.write(last?.number) }
  }),

  get: operation("GET /bots/{botId}/versions/{number}", {
    operationId: "getVersion",
    admits: "botReaders",
    isTrusted: true,
    summary: "Get a version of a bot",
    description: "Includes the flow, in the form that an import takes. Needs a role at the bot.",
    example: {
      response: { version: { ...exampleVersion, bot: { ...exampleStored, name: "Newsletter" } } },
    },
    input: { botId: botIdSchema, number: versionNumberSchema },
    output: { version: versionSchema },
  }).query(async ({ ctx, input }) => {
    const facts = await requireBot(ctx, input.botId, "read")
    const before = input.number + 1
    const [listed] = await listVersions(ctx.db, { botId: input.botId, before, limit: 1 })
    const found = await findVersion(ctx.db, input)
    if (found === undefined || listed?.id !== found.id) throw notFound(`Version ${input.number}`)
    const [presented] = await presentVersions(ctx, facts, [listed])
    const version = orNotFound(presented, `Version ${input.number}`)
    const flow = trustFlow({ version: found.schemaVersion, ...found.payload })
    return { version: { ...version, bot: { ...flow, name: facts.name } } }
  }),

  keep: operation("POST /bots/{botId}/versions", {
    operationId: "keepVersion",
    admits: "botWriters",
    errorResponses: [409, 422],
    summary: "Keep the draft as a version",
    description:
      "Does not publish the draft, which need not be able to run. If the draft equals a version, that " +
      "version only gets the note. When the versions of a workspace take too much room, the oldest " +
      "that were never live are deleted; 409 when that is not enough.",
    example: { request: { note: "Before the summer" }, response: { ...done, version: 1 } },
    input: { botId: botIdSchema, note: noteSchema },
    output: versionDoneSchema,
  }).mutation(async ({ ctx, input: { botId, note } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = await requireBotWithFlow(ctx, botId, "write")
    const draft = flowOfDraft(bot)
    const content = await ctx.heavy.run(userParty(ctx.user.id), "contentOfDraft", draft)
    const { maxVersionsBytes: maxBytes } = ctx.settings
    const by = { versionId: newUuid(), authorId: ctx.user.id, note, maxBytes }
    const made = { botId, ...by, ...content }
    const kept = orNotFound(await keepDraft(ctx.db, made), "Bot")
    await recordActivity(ctx.db, bot.workspaceId)
    return { ...done, version: kept.number }
  }),

  restoreDraft: operation("POST /bots/{botId}/restoreDraft", {
    operationId: "restoreDraft",
    admits: "botWriters",
    isTrusted: true,
    errorResponses: [409],
    summary: "Restore a version as the draft",
    description:
      "The current draft is kept as a version first, unless a version equals it. What is live and " +
      "whether the flow is shared do not change. Credentials that were deleted are left out. 409 when " +
      "there is no room left for versions, or when the bot has changed since `updatedAt`.",
    example: { request: { version: 1 }, response: { bot: { ...exampleBot, revision: 4 } } },
    input: {
      botId: botIdSchema,
      version: versionNumberSchema,
      updatedAt: botChangesSchema.shape.updatedAt,
      overwrite: bodyFlag("Whether to replace the draft even if `updatedAt` is stale"),
    },
    output: { bot: botSchema },
  }).mutation(async ({ ctx, input: { botId, version: number, updatedAt, overwrite } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const facts = await requireBot(ctx, botId, "write")
    const found = orNotFound(await findVersion(ctx.db, { botId, number }), `Version ${number}`)
    const change = await changeTo(ctx.db, facts, found)
    const readAt = updatedAt && !overwrite ? new Date(updatedAt) : undefined
    const by = { versionId: newUuid(), authorId: ctx.user.id }
    const { maxVersionsBytes: maxBytes } = ctx.settings
    const replacement = { botId, version: facts.version, updatedAt: readAt, ...by, maxBytes }
    const row = await replaceDraft(ctx.db, replacement, async (draft) => ({
      // Not in a worker thread: the row of the bot is locked, and a thread may not be free.
      content: jobs.contentOfDraft(flowOfDraft(draft)),
      change: { ...change, settings: keepSharing(change.settings, draft.settings) },
    }))
    if (row === undefined) return await refuseStale(ctx, botId)
    await recordActivity(ctx.db, facts.workspaceId)
    const bot = presentBot(row)
    return { bot: convert(bot) ?? bot }
  }),

  rollback: operation("POST /bots/{botId}/rollback", {
    operationId: "rollbackBot",
    admits: "botWriters",
    summary: "Roll a bot back",
    description:
      "New chats run the given version, which must have been live before. Running chats and the draft " +
      "do not change.",
    example: { request: { version: 1 }, response: { ...done, version: 1 } },
    input: { botId: botIdSchema, version: versionNumberSchema, note: noteSchema },
    output: versionDoneSchema,
  }).mutation(async ({ ctx, input: { botId, version: number, note } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const facts = await requireBot(ctx, botId, "write")
    const found = orNotFound(await findVersion(ctx.db, { botId, number }), `Version ${number}`)
    if (found.origin !== "publish") {
      throw new AppError(
        "VERSION_NEVER_LIVE",
        `Version ${number} was never live: restore it as the draft and publish it`,
      )
    }
    const flow = trustFlow({ version: found.schemaVersion, ...found.payload })
    await checkPublishable(ctx, facts, { flow, hasPaidBlock: hasPaidBlock(flow) })
    const eventOf = botEventFor(ctx, facts, "bot.rolledBack", note)
    const by = { authorId: ctx.user.id, publishedBotId: newId() }
    const made = { botId, versionId: found.id, number, note, ...by, eventOf }
    if (!(await rollBack(ctx.db, made))) throw notFound("Bot")
    await recordActivity(ctx.db, facts.workspaceId)
    return { ...done, version: number }
  }),

  listPublications: operation("GET /bots/{botId}/publications", {
    operationId: "listPublications",
    admits: "botReaders",
    summary: "List the publications of a bot",
    description:
      "Every publication, rollback and unpublication, newest first. Entries from before this history " +
      "was recorded may be incomplete. Needs a role at the bot.",
    example: {
      response: {
        publications: [
          { ...examplePublication, kind: "rollback", version: 1 },
          { ...examplePublication, kind: "publish", version: 2 },
          { ...examplePublication, kind: "publish", version: 1, note: "Asks for the name" },
        ],
      },
    },
    input: { botId: botIdSchema, ...pageMembers },
    output: pageSchema.extend({
      publications: z.array(publicationSchema).describe("Newest first"),
    }),
  }).query(async ({ ctx, input: { botId, limit, cursor } }) => {
    const facts = await requireBot(ctx, botId, "read")
    const cursors = cursorsOf(ctx, ["listPublications", botId], momentSchema)
    const before = cursors.read(cursor)
    const rows = await listPublications(ctx.db, { botId, before, limit: limit + 1 })
    const { page, last } = pageOf(rows, limit)
    const viewer = { facts, user: ctx.user }
    const publications = page.map((row) => presentPublication(row, viewer))
    return { publications, ...cursors.write(last?.at) }
  }),
}

/** The position in the list of publications. */
const momentSchema = z.coerce.date()

async function presentVersions(
  { db, user }: AuthContext,
  facts: BotFacts,
  rows: readonly ListedVersion[],
) {
  const versionIds = rows.map(({ id }) => id)
  const fromId = firstUuidAt(Date.now() - countedMs)
  const counts = await countOpenChats(db, { botId: facts.id, versionIds, fromId })
  return rows.map((row) =>
    presentRow(listedVersionSchema, {
      ...row,
      note: row.note && cut(row.note, maxNoteLength),
      author: authorOf(row, { facts, user }),
      isDraft: row.origin !== "publish",
      openChats: counts.get(row.id) ?? 0,
    }),
  )
}
