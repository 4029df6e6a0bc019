/** POST /api/v1/bots/import */

import { z } from "zod"
import { findLongTexts } from "../../authoring/lint/lint.ts"
import {
  flowOfImport,
  type ImportedBot,
  importedBotSchema,
  readImport,
  sentFlow,
} from "../../authoring/upgrade/importedBot.ts"
import { shortenBot } from "../../authoring/upgrade/shortenBot.ts"
import { insertWithFiles, roomOf } from "../../bots/adoptFiles.ts"
import { surroundingsOf } from "../../bots/findings.ts"
import { referencesOf } from "../../bots/flowFacts.ts"
import { insertDraft } from "../../bots/insertDraft.ts"
import { withSafetyFlags } from "../../bots/sanitise.ts"
import { storeDataUrls } from "../../bots/storeDataUrls.ts"
import { findBotFacts } from "../../db/bots/bots.ts"
import { inRolledBackTransaction } from "../../db/connection/open.ts"
import { newId } from "../../ids.ts"
import { botMode, requireWorkspace } from "../access.ts"
import type { Caller, Context } from "../context.ts"
import { exampleBot, exampleFlow, exampleIds } from "../examples.ts"
import { filesOf } from "../file/authorFiles.ts"
import { reaches } from "../grants.ts"
import { bodyFlag, workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { dryRunFlag, keptBotSchema } from "./findings.ts"
import { readBotInput } from "./readBotInput.ts"
import { presentBot } from "./schema.ts"

const inputSchema = z.object({
  workspaceId: workspaceIdSchema,
  bot: importedBotSchema,
  fromTemplate: z
    .string()
    .max(255)
    .nullish()
    .describe("Template that the file comes from; not stored"),
  enableSafetyFlags: bodyFlag("Whether to mark code that runs in browsers as unsafe"),
  storeDataUrls: bodyFlag(
    "Whether to store pictures, audio, video and fonts in `data:` addresses as files of the bot; a dry " +
      "run stores none. Also a query parameter",
  ),
  dryRun: dryRunFlag,
})

/** Most warnings in a response. */
const maxWarnings = 500

/** Creates a bot from a file. */
export const importProcedure = tokenOperation("POST /bots/import", {
  operationId: "importBot",
  admits: "workspaceEditors",
  isTrusted: true,
  readInput: readBotInput(inputSchema, readImport),
  tag: "Bots",
  errorResponses: [422],
  summary: "Import a bot",
  description:
    "Takes exports, dumps of published bots and hand-written flows of every version, and " +
    "converts old ones. Texts that are too long are cut and listed in `warnings`; a refusal names the group and the block. The bot is not published. " +
    "Files of the original bot are copied if the caller has a role there. " +
    "A dry run returns the bot as it would be, under an id that is never used.",
  queryMembers: ["dryRun", "storeDataUrls"],
  example: {
    request: { workspaceId: exampleIds.workspaceId, bot: exampleFlow },
    response: { bot: { ...exampleBot, publicId: null } },
  },
})
  .input(inputSchema)
  .output(keptBotSchema)
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const workspace = await requireWorkspace(ctx, input.workspaceId, "edit")
    const id = newId()
    const { json: whole, stored } = await withStoredData(ctx, input, id)
    const bot = shortenBot(whole)
    const cut = bot === whole ? [] : findLongTexts(whole)
    const warnings = cut.length > 0 ? { warnings: cut.slice(0, maxWarnings) } : {}
    const flow = flowOfImport(bot, newId, ["bot"])
    const groups = input.enableSafetyFlags ? withSafetyFlags(flow.groups) : flow.groups
    const draft = { id, ...draftOf(bot), flow: { ...flow, groups } }
    if (!input.dryRun) {
      const source = await sourceOf(ctx, bot)
      const row = await insertWithFiles(filesOf(ctx), workspace, { draft, from: source, stored })
      return { bot: presentBot(row), ...warnings }
    }
    const row = await inRolledBackTransaction(ctx.db, (db) => insertDraft(db, workspace, draft))
    const surroundings = await surroundingsOf(ctx.db, input, referencesOf(flow))
    const sent = { bot: sentFlow(input.bot), around: surroundings }
    const { findings } = await ctx.heavy.run(input.workspaceId, "lint", sent)
    return { bot: presentBot(row), findings, ...warnings }
  })

function draftOf(bot: ImportedBot) {
  const { name, icon, folderId, selectedThemeTemplateId, resultsTablePreferences } = bot
  const members = { name, icon, folderId, selectedThemeTemplateId, resultsTablePreferences }
  return { ...members, publicId: null }
}

/** The bot with what its `data:` addresses hold in files, if that is asked for. */
async function withStoredData(
  ctx: Pick<Context, "db" | "uploads" | "settings">,
  { bot, workspaceId, storeDataUrls: isAsked, dryRun }: z.output<typeof inputSchema>,
  botId: string,
) {
  if (!isAsked || dryRun) return { json: bot, stored: [] }
  const deps = filesOf(ctx)
  const maxBytes = await roomOf(deps, workspaceId)
  return await storeDataUrls(deps, bot, { owner: { workspaceId, botId }, maxBytes })
}

type Importer = Pick<Context, "db"> & { user: Caller }

/** The bot that a file was exported from, if the caller has a role there; public sharing is not enough. */
async function sourceOf(
  { db, user }: Importer,
  { id, workspaceId }: ImportedBot,
): Promise<string | undefined> {
  if (typeof id !== "string" || typeof workspaceId !== "string") return undefined
  const source = await findBotFacts(db, { botId: id, userId: user.id })
  if (source?.workspaceId !== workspaceId || source.isInBin) return undefined
  const mode = reaches(user, { workspaceId, botId: id }) ? botMode(source, user) : undefined
  return mode === undefined || mode === "guest" ? undefined : id
}
