/** Reads, lists, deletes and leaves bots. */

import { z } from "zod"
import { isPublicId } from "../../bots/publicIds.ts"
import { deleteFilesOfBot } from "../../bots/storeAuthorFiles.ts"
import { mustConvert } from "../../bots/storedFlow.ts"
import { daysInBin, moveToBin, purgeOf, takeFromBin } from "../../db/bots/bin.ts"
import { isAddressTaken } from "../../db/bots/bots.ts"
import { type ListedBot, listBots } from "../../db/bots/listedBots.ts"
import { unpublishAndArchive } from "../../db/bots/publications.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { deleteCollaborator } from "../../db/people/collaborators.ts"
import type { WorkspaceFacts } from "../../db/people/workspaces.ts"
import { listBotIds } from "../../db/results/erasure.ts"
import { countRecentChats, maxUncounted, recentDays } from "../../db/results/recentChats.ts"
import { publicIdSchema } from "../../engine/schema/botMembers.ts"
import { cut } from "../../lib/cut.ts"
import { notFound } from "../../lib/errors.ts"
import {
  collaborationMode,
  isEditor,
  requireBot,
  requireBotWithFlow,
  requireReach,
  requireWorkspace,
  userModeSchema,
} from "../../people/access.ts"
import { archiveResults, endChats } from "../../results/archiveResults.ts"
import { cursorSchema, cursorsOf, pageOf, pageSchema } from "../cursor.ts"
import { exampleBot, exampleDates, exampleIds, exampleOrders } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { botIdSchema, done, queryFlag, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { botSchema, listedBotSchema, presentBot, presentToGuest } from "./botSchemas.ts"

const operation = operationsOf("Bots")

const maxWithChats = 100

const workspaceBotSchema = listedBotSchema
  .extend({
    recentChats: z
      .int()
      .optional()
      .describe(
        `Chats that started in the last ${recentDays} days (UTC), today included; of days that were not counted ` +
          `ahead, such as today, at most ${maxUncounted.toLocaleString("en")} of a page. Only with \`withChats\``,
      ),
  })
  .meta({ id: "WorkspaceBot", description: "A bot in the list of its workspace" })

const exampleListed = {
  id: exampleIds.botId,
  name: "Newsletter",
  icon: null,
  publicId: exampleIds.publicId,
  folderId: null,
  isClosed: false,
  accessRight: "write",
  ...exampleDates,
}

export const bots = {
  get: operation("GET /bots/{botId}", {
    operationId: "getBot",
    admits: "botViewers",
    isTrusted: true,
    summary: "Get a bot",
    description:
      "Every caller can read a publicly shared bot, in mode `guest` and without what only its " +
      "workspace should know. Conversion changes the response, never the stored bot.",
    example: { response: { bot: { ...exampleBot, revision: 2 }, currentUserMode: "write" } },
    input: {
      botId: botIdSchema,
      migrateToLatestVersion: queryFlag("Whether to convert the bot to the latest version"),
    },
    output: { bot: botSchema, currentUserMode: userModeSchema },
  }).query(async ({ ctx, input }) => {
    const found = await requireBotWithFlow(ctx, input.botId, "see")
    const bot = found.mode === "guest" ? presentToGuest(found) : presentBot(found)
    return {
      bot: input.migrateToLatestVersion ? mustConvert(bot) : bot,
      currentUserMode: found.mode,
    }
  }),

  list: operation("GET /bots", {
    operationId: "listBots",
    admits: "workspaceListers",
    summary: "List bots",
    description:
      "Without deleted bots, or those in the bin alone. A GUEST sees the bots shared with them, in all " +
      "folders. Returns all bots unless `limit` is given or they take more than 16 MB; names are cut at 100 characters.",
    example: {
      query: { workspaceId: exampleIds.workspaceId, search: "e", sort: "createdAt" },
      response: {
        bots: [
          { ...exampleListed, id: "f5e4e3d2b1a0c9k8b7o6t5x4", name: "Feedback", publicId: null },
          exampleListed,
        ],
      },
    },
    input: {
      workspaceId: workspaceIdSchema,
      folderId: z
        .string()
        .max(255)
        .optional()
        .describe("Id of a folder, or `root`; absent: the whole workspace"),
      deleted: queryFlag("Whether to list the bots in the bin instead of the others"),
      search: z
        .string()
        .max(100)
        .optional()
        .describe("Only bots with this in their names, in any case, with accents or without"),
      sort: z
        .enum(["createdAt", "updatedAt", "name"])
        .default("createdAt")
        .describe(
          "`createdAt`: newest first; `updatedAt`: those first that were changed last; `name`: in " +
            "alphabetical order",
        ),
      limit: z.int().min(1).max(500).optional().describe("Maximum number of bots per page"),
      withChats: queryFlag(
        `Whether to add \`recentChats\`; a page then has at most ${maxWithChats} bots`,
      ),
      cursor: cursorSchema,
    },
    output: pageSchema.extend({ bots: z.array(workspaceBotSchema).describe("In that order") }),
  }).query(async ({ ctx, input }) => {
    const { workspaceId, sort, withChats } = input
    const limit = withChats ? Math.min(input.limit ?? maxWithChats, maxWithChats) : input.limit
    const workspace = await requireWorkspace(ctx, workspaceId, "list")
    const cursors = cursorsOf(ctx, ["listBots", workspaceId, sort], positionSchema)
    const found = await listBots(ctx.db, {
      ...placeOf(input, workspace),
      userId: ctx.user.id,
      search: input.search,
      order: sort,
      isInBin: input.deleted,
      after: cursors.read(input.cursor),
      // One more than the page, to learn whether there is a next one.
      limit: limit === undefined ? undefined : limit + 1,
    })
    const { page, last } = pageOf(found, limit ?? found.length)
    const bots = page.map((bot) => present(bot, isEditor(workspace)))
    const shown = withChats ? await withRecentChats(ctx.db, bots) : bots
    return { bots: shown, ...cursors.write(last && positionOf(last)) }
  }),

  delete: operation("DELETE /bots/{botId}", {
    operationId: "deleteBot",
    admits: "botWriters",
    summary: "Delete a bot",
    description:
      `Moves the bot to the bin, where it can be restored for ${daysInBin} days, and ends its chats and previews. Its ` +
      "public id and domain lead nowhere, and stay reserved. With `permanently`, it is " +
      "unpublished and its results are emptied at once, which frees its public id and domain.",
    input: {
      botId: botIdSchema,
      permanently: queryFlag("Whether to delete it for good, from the bin or not"),
    },
  }).mutation(async ({ ctx, input: { botId, permanently } }) => {
    const { workspaceId } = await requireBot(ctx, botId, permanently ? "delete" : "write")
    if (!permanently) {
      if (!(await moveToBin(ctx.db, botId))) throw notFound("Bot")
      await endChats(ctx.db, botId)
      return done
    }
    const isGone = await unpublishAndArchive(ctx.db, { botId, authorId: ctx.user.id })
    if (!isGone) throw notFound("Bot")
    // Last, because no new chat can start any more.
    const workspaceBotIds = await listBotIds(ctx.db, workspaceId)
    await archiveResults({ db: ctx.db }, { botId, selection: "all", workspaceBotIds })
    await deleteFilesOfBot({ db: ctx.db, files: ctx.uploads.files }, botId)
    return done
  }),

  restore: operation("POST /bots/{botId}/restore", {
    operationId: "restoreBot",
    admits: "botWriters",
    summary: "Restore a bot",
    description:
      "Takes the bot out of the bin as it was: with its public id, its domain, its folder and its results, " +
      "and live again if it was live. Chats that were under way are over.",
    input: { botId: botIdSchema },
  }).mutation(async ({ ctx, input: { botId } }) => {
    await requireBot(ctx, botId, "restore")
    if (!(await takeFromBin(ctx.db, botId))) throw notFound("Bot")
    return done
  }),

  leave: operation("POST /bots/{botId}/leave", {
    operationId: "leaveBot",
    admits: "botCollaborators",
    summary: "Leave a shared bot",
    description:
      "For collaborators. Membership in the workspace is unaffected: those who edit there can still " +
      "open the bot. 404 for callers with whom it is not shared.",
    example: { path: { botId: exampleOrders.id }, response: done },
    input: { botId: botIdSchema },
  }).mutation(async ({ ctx, input: { botId } }) => {
    await requireReach(ctx, botId)
    const isDeleted = await deleteCollaborator(ctx.db, { botId, userId: ctx.user.id })
    if (!isDeleted) throw notFound("Collaboration")
    return done
  }),

  publicIdAvailability: operation("GET /bots/publicIdAvailability", {
    operationId: "checkPublicId",
    admits: "accounts",
    takesTargetedToken: true,
    summary: "Check whether a public id is available",
    description:
      "An id is unavailable when any bot has it or when it breaks the rules for public ids.",
    example: { query: { publicId: exampleIds.publicId }, response: { isAvailable: true } },
    input: { publicId: publicIdSchema },
    output: { isAvailable: z.boolean().describe("Whether a bot can get it now") },
  }).query(async ({ ctx, input: { publicId } }) => ({
    isAvailable: isPublicId(publicId) && !(await isAddressTaken(ctx.db, { publicId })),
  })),
}

/** Guests see what is shared with them, in all folders. */
function placeOf({ folderId }: { folderId?: string | undefined }, { id, role }: WorkspaceFacts) {
  const isGuest = role === "GUEST"
  const folder = folderId === "root" ? null : folderId
  return { workspaceId: id, isGuest, folderId: isGuest ? undefined : folder }
}

const positionSchema = z.object({ orderedBy: z.string(), id: z.string() })

function positionOf({ orderedBy, id }: ListedBot): z.infer<typeof positionSchema> {
  return { orderedBy: orderedBy instanceof Date ? orderedBy.toISOString() : orderedBy, id }
}

function present(row: ListedBot, canEdit: boolean): z.infer<typeof listedBotSchema> {
  // A caller without a role or a collaboration is a platform admin.
  const accessRight = canEdit ? "write" : (collaborationMode(row) ?? "read")
  const purgesAt = row.deletedAt && purgeOf(row.deletedAt)
  return presentRow(listedBotSchema, { ...row, name: cut(row.name), purgesAt, accessRight })
}

async function withRecentChats<Bot extends { id: string }>(db: Db, bots: readonly Bot[]) {
  const botIds = bots.map(({ id }) => id)
  const chats = await countRecentChats(db, { botIds, nowMs: Date.now() })
  return bots.map((bot) => ({ ...bot, recentChats: chats.get(bot.id) ?? 0 }))
}
