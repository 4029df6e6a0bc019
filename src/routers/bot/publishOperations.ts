/** Publishes and unpublishes bots, and reads published bots. */
import { z } from "zod"
import { publishFlow } from "../../bots/publishFlow.ts"
import { rateBot } from "../../bots/rateBot.ts"
import { forGuests } from "../../bots/sanitise.ts"
import { draftOf, mustConvert, trustFlow } from "../../bots/storedFlow.ts"
import { refuseErrors, surroundingsOf } from "../../bots/surroundings.ts"
import type { BotFacts } from "../../db/bots/bots.ts"
import { unpublish } from "../../db/bots/publications.ts"
import { findPublication, type PublicationRow } from "../../db/bots/publishedBots.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { schemaVersionSchema } from "../../engine/bot.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, notFound } from "../../lib/errors.ts"
import { userParty } from "../../lib/party.ts"
import { isPaid } from "../../lib/plans.ts"
import { needsReview } from "../../lib/review.ts"
import {
  type AuthContext,
  admitToBot,
  requireBot,
  requireBotWithFlow,
} from "../../people/access.ts"
import type { Context } from "../context.ts"
import { exampleDates, exampleIds, exampleStored } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import {
  botIdSchema,
  done,
  doneSchema,
  queryFlag,
  timestampSchema,
  versionNumberSchema,
} from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { noteSchema } from "../version/versionSchemas.ts"
import { botEventFor } from "../webhookEndpoint/botEvents.ts"
import { flowMembers } from "./botSchemas.ts"
import { warningSchema } from "./findingSchemas.ts"

const operation = operationsOf("Bots")

export const publishing = {
  publish: operation("POST /bots/{botId}/publish", {
    operationId: "publishBot",
    admits: "botWriters",
    errorResponses: [409, 422],
    summary: "Publish a bot",
    description:
      "Makes an immutable version of the draft, unless nothing has changed, and runs it in new " +
      "chats; running chats keep their version. A bot without a public id gets one from its name. 400 " +
      "for file inputs on the free plan, and with `issues` for a bot that cannot run. A bot that runs " +
      "despite problems is published with warnings. 409 when there is no room left for versions: " +
      "drafts that were kept or replaced are removed first, versions that were live never are. 403 " +
      "(`BOT_UNREVIEWED`) when an operator must review the bot first.",
    example: {
      request: { note: "Asks for the name" },
      response: { ...done, publicId: exampleIds.publicId, version: 1, versionNumber: 1 },
    },
    input: { botId: botIdSchema, note: noteSchema },
    output: doneSchema.extend({
      publicId: z.string().describe("Address of the bot in chats"),
      version: versionNumberSchema,
      versionNumber: versionNumberSchema.describe("The same, for earlier clients"),
      warnings: z.array(warningSchema).optional().describe("Rules that it breaks; absent: none"),
    }),
  }).mutation(async ({ ctx, input: { botId, note } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = await requireBotWithFlow(ctx, botId, "write")
    const stored = draftOf(bot)
    const draft = await ctx.heavy.run(userParty(ctx.user.id), "readDraft", stored)
    if ("issues" in draft)
      throw new AppError("BOT_INVALID", "The bot cannot be published as it is", draft)
    await checkPublishable(ctx, bot, { flow: stored, hasPaidBlock: draft.hasPaidBlock })
    const around = await surroundingsOf(ctx.db, { ...bot, botId }, draft.references)
    const sent = { stored, around }
    const { errors, warnings } = await ctx.heavy.run(userParty(ctx.user.id), "lintDraft", sent)
    refuseErrors(errors)
    const eventOf = botEventFor(ctx, bot, "bot.published", note)
    const { maxVersionsBytes: maxBytes } = ctx.settings
    const { content } = draft
    const made = { bot, content, authorId: ctx.user.id, note, maxBytes, eventOf }
    const { publicId, number: version } = await publishFlow(ctx.db, made)
    await recordActivity(ctx.db, bot.workspaceId)
    const result = { ...done, publicId, version, versionNumber: version }
    return { ...result, ...(warnings.length > 0 && { warnings }) }
  }),

  unpublish: operation("POST /bots/{botId}/unpublish", {
    operationId: "unpublishBot",
    admits: "botWriters",
    summary: "Unpublish a bot",
    description: "New chats are refused, running ones continue. 404 when the bot is not published.",
    input: { botId: botIdSchema },
  }).mutation(async ({ ctx, input: { botId } }) => {
    await requireBot(ctx, botId, "write")
    if (!(await unpublish(ctx.db, { botId, authorId: ctx.user.id }))) {
      throw notFound("Published bot")
    }
    return done
  }),
}

/** Rates a flow that is about to go live, and refuses one that its workspace may not publish. */
export async function checkPublishable(
  { db, heavy, user, settings, log }: PublishContext,
  bot: BotFacts,
  { flow, hasPaidBlock }: { flow: unknown; hasPaidBlock: boolean },
): Promise<void> {
  if (hasPaidBlock && !isPaid(bot.plan)) {
    throw new AppError("FILES_NOT_IN_PLAN", "File inputs can only be published on a paid plan")
  }
  const party = userParty(user.id)
  const riskLevel = await rateBot({ db, heavy, party, words: settings.riskWords, bot, flow })
  if (!needsReview({ ...bot, riskLevel })) return
  log.warn({ botId: bot.id, riskLevel }, "A bot waits for the review of an operator")
  throw new AppError("BOT_UNREVIEWED", "The bot must be reviewed before it can be published")
}

type PublishContext = Pick<Context, "db" | "heavy" | "settings" | "log"> & AuthContext

const publishedBotSchema = namedObject("PublishedBot", "What new chats of a bot run", {
  ...flowMembers,
  id: z.string().describe("Id of the publication; it stays until the bot is unpublished"),
  createdAt: timestampSchema("When the bot was first published"),
  updatedAt: timestampSchema("When it was last published"),
  botId: z.string().describe("The bot"),
})

export const getPublishedBotProcedure = operation("GET /bots/{botId}/publishedBot", {
  operationId: "getPublishedBot",
  admits: "botViewers",
  isTrusted: true,
  summary: "Get the published bot",
  description: "Null when the bot is not published. Requires the same access as the bot itself.",
  example: {
    response: {
      publishedBot: {
        ...exampleStored,
        id: "u1b2l3i4s5h6e7d8b9o0t1x2",
        botId: exampleIds.botId,
        ...exampleDates,
      },
      version: "6.1",
    },
  },
  input: {
    botId: botIdSchema,
    migrateToLatestVersion: queryFlag("Whether to convert it to the latest version"),
  },
  output: {
    publishedBot: publishedBotSchema.nullable().describe("Null: nothing is published"),
    version: schemaVersionSchema.optional().describe("Version that it is stored in"),
  },
}).query(async ({ ctx, input }) => {
  const found = await findPublication(ctx.db, { botId: input.botId, userId: ctx.user.id })
  const { publication, id, mode } = admitToBot(found, ctx.user, "see")
  if (publication === undefined) return { publishedBot: null }
  const stored = present(id, publication)
  const seen = mode === "guest" ? forGuests(stored) : stored
  const publishedBot = input.migrateToLatestVersion ? mustConvert(seen) : seen
  return { publishedBot, version: stored.version }
})

function present(botId: string, publication: PublicationRow): z.infer<typeof publishedBotSchema> {
  const flow = trustFlow({ version: publication.schemaVersion, ...publication.payload })
  return presentRow(publishedBotSchema, { ...publication, ...flow, botId })
}
