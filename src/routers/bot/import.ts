/** POST /api/v1/bots/import */
import { z } from "zod"
import { type BotFacts, findBotFacts } from "../../db/bots/bots.ts"
import { inRolledBackTransaction } from "../../db/connection/rolledBack.ts"
import { publicFilesPath } from "../../effects/files/fileAddress.ts"
import type { Block } from "../../engine/blocks/registry.ts"
import type { Group } from "../../engine/bot.ts"
import { mapBlocks } from "../../engine/bot.ts"
import { lintFlow } from "../../engine/lint/lint.ts"
import {
  flowOfImport,
  type ImportedBot,
  importedBotSchema,
  readImport,
  sentFlow,
} from "../../engine/upgrade/importedBot.ts"
import { AppError } from "../../shared/errors.ts"
import { newId } from "../../shared/ids.ts"
import { admitToBot, requireWorkspace } from "../access.ts"
import type { Caller, Context } from "../context.ts"
import { bodyFlag } from "../sharedSchemas.ts"
import { tokenOperation, trusted } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import { botInput } from "./botInput.ts"
import { dryRunFlag, keptBotSchema, surroundingsOf } from "./findings.ts"
import { type Draft, insertDraft } from "./insertDraft.ts"
import { presentBot } from "./present.ts"
import { withSafetyFlags } from "./sanitise.ts"

const inputSchema = z.object({
  workspaceId: workspaceIdSchema,
  bot: importedBotSchema,
  fromTemplate: z.string().nullish().describe("Template that the file is of; not stored"),
  enableSafetyFlags: bodyFlag("Whether to mark code that runs in browsers as unsafe").nullish(),
  dryRun: dryRunFlag,
})

/** Creates a bot from a file. */
export const importProcedure = tokenOperation("POST /api/v1/bots/import", {
  operationId: "importBot",
  tag: "Bots",
  summary: "Import a bot",
  description:
    "Takes exports, dumps of published bots and hand-written flows of every version, and " +
    "converts old ones. What is refused is named by group and block. The bot is not published. " +
    "Of files that the caller may see in the bot that it was made from, it gets its own copies. " +
    "A dry run answers with the bot as it would be, under an id that stays unused.",
  queryMembers: ["dryRun"],
})
  .input(botInput(inputSchema, readImport))
  .output(trusted(keptBotSchema))
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const workspace = await requireWorkspace(ctx, input.workspaceId, "edit")
    const flow = flowOfImport(input.bot, newId, ["bot"])
    const groups = input.enableSafetyFlags ? withSafetyFlags(flow.groups) : flow.groups
    const draft = { ...draftOf(input.bot), flow: { ...flow, groups } }
    if (!input.dryRun) {
      const adopted = await adoptFiles(ctx, draft, input.bot)
      return { bot: presentBot(await insertDraft(ctx.db, workspace, adopted)) }
    }
    const row = await inRolledBackTransaction(ctx.db, (db) => insertDraft(db, workspace, draft))
    const surroundings = await surroundingsOf(ctx.db, input, flow.groups)
    const findings = lintFlow(sentFlow(input.bot), surroundings)
    return { bot: presentBot(row), findings }
  })

function draftOf(bot: ImportedBot) {
  const { name, icon, folderId, selectedThemeTemplateId, resultsTablePreferences } = bot
  const members = { name, icon, folderId, selectedThemeTemplateId, resultsTablePreferences }
  return { id: newId(), ...members, publicId: null }
}

type Importer = Pick<Context, "db" | "uploads"> & { user: Caller }

/** The draft with copies of the public files of the bot that the file was exported from. */
async function adoptFiles(
  { db, uploads, user }: Importer,
  draft: Draft,
  { id, workspaceId }: ImportedBot,
): Promise<Draft> {
  if (typeof id !== "string" || typeof workspaceId !== "string") return draft
  const source = await findBotFacts(db, { botId: id, userId: user.id })
  if (source?.workspaceId !== workspaceId || !mayRead(source, user)) return draft
  const { groups, edges, ...rest } = draft.flow
  const naming = blocksNamingFiles(groups)
  const move = { from: id, to: draft.id }
  const named = { draft: { ...draft, flow: rest }, blocks: [...naming] }
  const adopted = await uploads.files.adopt(named, move)
  const copies = new Map([...naming].map((block, index) => [block, adopted.blocks[index] ?? block]))
  const changed = mapBlocks(groups, (block) => copies.get(block) ?? block)
  return { ...adopted.draft, flow: { ...adopted.draft.flow, groups: changed, edges } }
}

/** The blocks that refer to public files: few, even in large flows. */
function blocksNamingFiles(groups: readonly Group[]): Set<Block> {
  const naming = new Set<Block>()
  for (const { blocks } of groups) {
    for (const block of blocks) {
      if (namesFile(block)) naming.add(block)
    }
  }
  return naming
}

function namesFile(json: unknown): boolean {
  if (typeof json === "string") return json.includes(publicFilesPath)
  if (typeof json !== "object" || json === null) return false
  return Object.values(json).some(namesFile)
}

/** Whether the user has a role there: those who only see a shared flow get no copies. */
function mayRead(facts: BotFacts, user: Caller): boolean {
  try {
    admitToBot(facts, user, "read")
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
