/** POST /api/v1/bots/{botId}/duplicate */

import { z } from "zod"
import { insertWithFiles } from "../../bots/adoptFiles.ts"
import type { Draft } from "../../bots/insertDraft.ts"
import { mustConvert } from "../../bots/storedFlow.ts"
import { newIdsOf, withNewIds } from "../../bots/withNewIds.ts"
import { hasFolder } from "../../db/bots/bots.ts"
import { AppError, notFound } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { requireBotWithFlow, requireWorkspace } from "../access.ts"
import { exampleBot, exampleStored } from "../examples.ts"
import { filesOf } from "../file/authorFiles.ts"
import { botIdSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { type Bot, botSchema, presentBot, presentToGuest } from "./schema.ts"

const longestName = 255
const exampleCopyId = "d3u5p7l9i1c3a5t7e9b1o3t5"
let examplePart = 0
const examplePartIds = newIdsOf(exampleStored, () => `d1u2p3l4i5c6a7t8e9d0f1l${++examplePart}`)

const inputSchema = z.object({
  botId: botIdSchema,
  name: z
    .string()
    .min(1)
    .max(longestName)
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

/** Copies a bot. */
export const duplicateProcedure = tokenOperation("POST /bots/{botId}/duplicate", {
  operationId: "duplicateBot",
  admits: "workspaceEditors",
  isTrusted: true,
  tag: "Bots",
  summary: "Duplicate a bot",
  description:
    "The copy has the draft in the latest version under new ids, and no address, versions or results. " +
    "Whoever may see a bot may copy it into a workspace in which they edit; whoever may read it gets copies " +
    "of its public files as well. Credentials stay only " +
    "within their workspace, and what the plan does not include is left out, as in an import.",
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
})
  .input(inputSchema)
  .output(z.object({ bot: botSchema }))
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const found = await requireBotWithFlow(ctx, input.botId, "see")
    if (found.isArchived) throw notFound("Bot")
    const workspace = await requireWorkspace(ctx, input.workspaceId ?? found.workspaceId, "edit")
    const { folderId } = input
    if (folderId != null && !(await hasFolder(ctx.db, { workspaceId: workspace.id, folderId })))
      throw new AppError("FOLDER_UNKNOWN", "Folder not found")
    const original = found.mode === "guest" ? presentToGuest(found) : presentBot(found)
    const isAtHome = workspace.id === original.workspaceId
    const draft = copyOf(mustConvert(original), input, isAtHome)
    const from = found.mode === "guest" ? undefined : original.id
    return { bot: presentBot(await insertWithFiles(filesOf(ctx), workspace, { draft, from })) }
  })

function copyOf(original: Bot, asked: z.output<typeof inputSchema>, isAtHome: boolean): Draft {
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
