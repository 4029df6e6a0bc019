/** Creates bots: empty or from parts, as copies, and from files. */
import { z } from "zod"
import { findLongTexts, findMissingSecrets } from "../../authoring/lint/lint.ts"
import { maskSecrets } from "../../authoring/lint/maskSecrets.ts"
import {
  flowOfImport,
  type ImportedBot,
  importedBotSchema,
  readImport,
  sentFlow,
} from "../../authoring/upgrade/importedBot.ts"
import { shortenBot } from "../../authoring/upgrade/shortenBot.ts"
import { validateChanges } from "../../authoring/upgrade/validateFlow.ts"
import { newBotSchema } from "../../bots/botInput.ts"
import { referencesOf } from "../../bots/flowReferences.ts"
import { type Draft, insertDraft } from "../../bots/insertDraft.ts"
import { insertWithFiles, roomOf } from "../../bots/insertWithFiles.ts"
import { invalidPublicId, isPublicId } from "../../bots/publicIds.ts"
import { withSafetyFlags } from "../../bots/sanitise.ts"
import { botOfStarter } from "../../bots/starters/starters.ts"
import { storeDataUrls } from "../../bots/storeDataUrls.ts"
import { mustConvert } from "../../bots/storedFlow.ts"
import { surroundingsOf } from "../../bots/surroundings.ts"
import { newIdsOf, withNewIds } from "../../bots/withNewIds.ts"
import { findBotFacts } from "../../db/bots/bots.ts"
import { hasFolder } from "../../db/bots/folders.ts"
import { inRolledBackTransaction } from "../../db/connection/openDatabase.ts"
import { recordActivity, type WorkspaceRow } from "../../db/people/workspaces.ts"
import { latestVersion } from "../../engine/bot.ts"
import { AppError, notFound } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { userParty } from "../../lib/party.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import { botMode, requireBotWithFlow, requireWorkspace } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { reaches } from "../../people/grants.ts"
import type { Context } from "../context.ts"
import { exampleBot, exampleFlow, exampleIds, exampleStored } from "../examples.ts"
import { filesOf } from "../file/authorFileOperations.ts"
import { bodyFlag, botIdSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { type Bot, presentBot, presentToGuest } from "./botSchemas.ts"
import { copiedBotSchema, dryRunFlag, keptBotSchema } from "./findingSchemas.ts"
import { droppedFrom, readBotInput } from "./readBotInput.ts"

const operation = operationsOf("Bots")

const creationSchema = z.object({ workspaceId: workspaceIdSchema, bot: newBotSchema })

const maxNameLength = 255
const exampleCopyId = "d3u5p7l9i1c3a5t7e9b1o3t5"
let examplePart = 0
const examplePartIds = newIdsOf(exampleStored, () => `d1u2p3l4i5c6a7t8e9d0f1l${++examplePart}`)

const copySchema = z.object({
  botId: botIdSchema,
  name: z
    .string()
    .min(1)
    .max(maxNameLength)
    .optional()
    .describe("Name; absent: that of the original"),
  workspaceId: workspaceIdSchema
    .optional()
    .describe("Workspace of the copy; absent: that of the original"),
  folderId: z
    .string()
    .max(255)
    .nullish()
    .describe("Folder of that workspace; null: none; absent: beside the original, if it can be"),
})

const importSchema = z.object({
  workspaceId: workspaceIdSchema,
  // `readImportInput` gives it where only a template is sent.
  bot: importedBotSchema.optional().transform((bot) => bot as ImportedBot),
  fromTemplate: z
    .string()
    .max(255)
    .nullish()
    .describe(
      "Without a bot: id of the template to make one of, see `GET /templates`. With one: where it comes from, for the audit log",
    ),
  enableSafetyFlags: bodyFlag("Whether to mark code that runs in browsers as unsafe"),
  storeDataUrls: bodyFlag(
    "Whether to store pictures, audio, video and fonts in `data:` addresses as files of the bot; a dry " +
      "run stores none. Also a query parameter",
  ),
  dryRun: dryRunFlag,
})

const maxWarnings = 500

const readSent = readBotInput(importSchema, readImport)

/** Reads an import; a template alone brings its bot. */
function readImportInput(sent: unknown) {
  const { bot, typebot, fromTemplate } = (sent ?? {}) as Readonly<Record<string, unknown>>
  const isTemplate = bot == null && typebot == null && typeof fromTemplate === "string"
  return readSent(isTemplate ? { ...(sent as object), bot: botOfStarter(fromTemplate) } : sent)
}

export const making = {
  import: operation("POST /bots/import", {
    operationId: "importBot",
    admits: "workspaceEditors",
    isTrusted: true,
    readInput: readImportInput,
    errorResponses: [409, 422],
    summary: "Import a bot",
    description:
      "Makes a bot of a file, or of a template, whose id is `fromTemplate`. " +
      "Takes exports, dumps of published bots and hand-written flows of every version, and " +
      "converts old ones. Texts that are too long are cut, and members that no bot has are left out: `warnings` lists both; a refusal names the group and the block. The bot is not published. " +
      "Files of the original bot are copied if the caller has a role there. Values that look like keys become " +
      "`•••` when the original is a bot of another workspace. " +
      "A dry run returns the bot as it would be, under an id that is never used.",
    queryMembers: ["dryRun", "storeDataUrls"],
    example: {
      request: { workspaceId: exampleIds.workspaceId, bot: exampleFlow },
      response: { bot: { ...exampleBot, publicId: null } },
    },
    input: importSchema,
    output: keptBotSchema,
  }).mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const workspace = await requireWorkspace(ctx, input.workspaceId, "edit")
    const id = newId()
    const source = await sourceOf(ctx, input.bot)
    const { json: whole, stored } = await withStoredData(ctx, input, id)
    const isForeign = source !== undefined && source.workspaceId !== workspace.id
    const { bot, flow, ...warnings } = takenFrom(input, whole, isForeign)
    const draft = { id, ...importedMembers(bot), flow }
    if (input.dryRun) {
      ctx.audit?.skip()
      return { ...(await tryImport(ctx, input, { workspace, draft })), ...warnings }
    }
    const row = await insertWithFiles(filesOf(ctx), workspace, {
      draft,
      from: source?.filesOf,
      stored,
    })
    await recordActivity(ctx.db, workspace.id)
    return { bot: presentBot(row), ...warnings }
  }),

  create: operation("POST /bots", {
    operationId: "createBot",
    admits: "workspaceEditors",
    isTrusted: true,
    readInput: readBotInput(creationSchema, (bot) => validateChanges(newBotSchema, bot)),
    errorResponses: [409],
    summary: "Create a bot",
    description:
      "Its version is the latest. It gets a start event if none is sent. 409 when another bot has the " +
      "public id.",
    example: {
      request: { workspaceId: exampleIds.workspaceId, bot: { name: "Feedback" } },
      response: {
        bot: {
          ...exampleBot,
          id: "f5e4e3d2b1a0c9k8b7o6t5x4",
          publicId: null,
          name: "Feedback",
          events: [
            { id: "s1t2a3r4t5e6v7e8n9t0a1b2", type: "start", graphCoordinates: { x: 0, y: 0 } },
          ],
          groups: [],
          edges: [],
          variables: [],
        },
      },
    },
    input: creationSchema,
    output: keptBotSchema,
  }).mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const workspace = await requireWorkspace(ctx, input.workspaceId, "edit")
    const row = await insertDraft(ctx.db, workspace, newDraft(input.bot))
    await recordActivity(ctx.db, workspace.id)
    return { bot: presentBot(row), ...nonEmpty({ warnings: droppedFrom(input.bot) }) }
  }),

  duplicate: operation("POST /bots/{botId}/duplicate", {
    operationId: "duplicateBot",
    admits: "workspaceEditors",
    isTrusted: true,
    errorResponses: [409],
    summary: "Duplicate a bot",
    description:
      "The copy has the draft in the latest version under new ids, and no address, versions or results. " +
      "Needs the right to see the bot, and to edit in the target workspace. Callers who may read the bot get " +
      "copies of its public files, too. Credentials and secrets stay only " +
      "within their workspace: a copy elsewhere has `•••` for values that look like keys, which `warnings` " +
      "lists. What the plan does not include is left out, as in an import.",
    example: {
      request: { name: "Newsletter 2" },
      response: {
        bot: {
          ...exampleBot,
          ...withNewIds(exampleStored, examplePartIds),
          id: exampleCopyId,
          name: "Newsletter 2",
          publicId: null,
        },
      },
    },
    input: copySchema,
    output: copiedBotSchema,
  }).mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const found = await requireBotWithFlow(ctx, input.botId, "see")
    if (found.isArchived) throw notFound("Bot")
    const workspace = await requireWorkspace(ctx, input.workspaceId ?? found.workspaceId, "edit")
    const { folderId } = input
    if (folderId != null && !(await hasFolder(ctx.db, { workspaceId: workspace.id, folderId })))
      throw new AppError("FOLDER_UNKNOWN", "Folder not found")
    const original = found.mode === "guest" ? presentToGuest(found) : presentBot(found)
    const isAtHome = workspace.id === original.workspaceId
    const whole = mustConvert(original)
    const draft = copyOf(isAtHome ? whole : maskSecrets(whole), input, isAtHome)
    const from = found.mode === "guest" ? undefined : original.id
    const row = await insertWithFiles(filesOf(ctx), workspace, { draft, from })
    await recordActivity(ctx.db, workspace.id)
    const bot = presentBot(row)
    return { bot, ...nonEmpty({ warnings: findMissingSecrets(bot).slice(0, maxWarnings) }) }
  }),
}

function newDraft(bot: z.output<typeof newBotSchema>): Draft {
  const { events, groups, edges, variables, theme, settings, ...columns } = bot
  const { publicId } = columns
  if (typeof publicId === "string" && !isPublicId(publicId)) throw invalidPublicId()
  const start = { id: newId(), type: "start" as const, graphCoordinates: { x: 0, y: 0 } }
  const flow = { events: events ?? [start], groups, edges, variables, theme, settings }
  return { id: newId(), ...columns, flow: { version: latestVersion, ...flow } }
}

function copyOf(original: Bot, asked: z.output<typeof copySchema>, isAtHome: boolean): Draft {
  const { version, events, groups, edges, variables, theme, settings, ...about } = original
  const flow = { version, events, groups, edges, variables, theme, settings }
  const id = newId()
  const ids = new Map([...newIdsOf(flow, newId), [original.id, id]])
  const home = isAtHome ? about : { folderId: null, selectedThemeTemplateId: null }
  return {
    id,
    flow: withNewIds(flow, ids),
    name: asked.name ?? about.name,
    icon: about.icon,
    folderId: asked.folderId === undefined ? home.folderId : asked.folderId,
    selectedThemeTemplateId: home.selectedThemeTemplateId,
  }
}

/** What an import stores of a bot, and the findings about what it does not. */
function takenFrom(input: z.output<typeof importSchema>, whole: ImportedBot, isForeign: boolean) {
  const bot = shortenBot(whole)
  const cut = bot === whole ? [] : findLongTexts(whole)
  const read = flowOfImport(bot, newId, ["bot"])
  const flow = isForeign ? maskSecrets(read) : read
  const groups = input.enableSafetyFlags ? withSafetyFlags(flow.groups) : flow.groups
  const all = [...cut, ...droppedFrom(input.bot), ...findMissingSecrets(flow)]
  const warnings = nonEmpty({ warnings: all.slice(0, maxWarnings) })
  return { bot, flow: { ...flow, groups }, ...warnings }
}

function importedMembers(bot: ImportedBot) {
  const { name, icon, folderId, selectedThemeTemplateId, resultsTablePreferences } = bot
  const members = { name, icon, folderId, selectedThemeTemplateId, resultsTablePreferences }
  return { ...members, publicId: null }
}

/** The bot with its `data:` addresses stored as files, if requested. */
async function withStoredData(
  ctx: Pick<Context, "db" | "uploads" | "settings">,
  { bot, workspaceId, storeDataUrls: isAsked, dryRun }: z.output<typeof importSchema>,
  botId: string,
) {
  if (!isAsked || dryRun) return { json: bot, stored: [] }
  // Invalid bots are refused before any file is stored.
  flowOfImport(bot, newId, ["bot"])
  const deps = filesOf(ctx)
  const maxBytes = await roomOf(deps, workspaceId)
  const owner = { workspaceId, botId }
  return await storeDataUrls(deps, bot, { owner, maxBytes }).catch(async (error: unknown) => {
    await deps.files.deleteBotFiles(botId)
    throw error
  })
}

/** The bot as imported, with the findings of the linter; nothing is stored. */
async function tryImport(
  { db, heavy, user }: Context & { user: Caller },
  input: z.output<typeof importSchema>,
  { workspace, draft }: { workspace: WorkspaceRow; draft: Draft },
) {
  const row = await inRolledBackTransaction(db, (rolled) => insertDraft(rolled, workspace, draft))
  const around = await surroundingsOf(db, input, referencesOf(draft.flow))
  const sent = { bot: sentFlow(input.bot), around }
  const { findings } = await heavy.run(userParty(user.id), "lint", sent)
  return { bot: presentBot(row), findings }
}

type Importer = Pick<Context, "db"> & { user: Caller }

/**
 * The bot that a file was exported from, if the caller may see it. Its files take a role there, and a file that
 * names its workspace: public sharing is not enough.
 */
async function sourceOf({ db, user }: Importer, { id, workspaceId: named }: ImportedBot) {
  if (typeof id !== "string") return undefined
  const source = await findBotFacts(db, { botId: id, userId: user.id })
  if (source === undefined || source.isInBin) return undefined
  const { workspaceId } = source
  const mode = reaches(user, { workspaceId, botId: id }) ? botMode(source, user) : undefined
  if (mode === undefined) return undefined
  return { workspaceId, filesOf: mode !== "guest" && named === workspaceId ? id : undefined }
}
