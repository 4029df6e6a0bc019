/** POST /api/v1/bots */

import { z } from "zod"
import { validateChanges } from "../../authoring/upgrade/validateFlow.ts"
import { invalidPublicId, isPublicId } from "../../bots/address.ts"
import { newBotSchema } from "../../bots/botChanges.ts"
import { type Draft, insertDraft } from "../../bots/insertDraft.ts"
import { type Flow, latestVersion } from "../../engine/bot.ts"
import { newId } from "../../ids.ts"
import { requireWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import { presentBot } from "./present.ts"
import { readBotInput } from "./readBotInput.ts"
import { botSchema } from "./schema.ts"

const inputSchema = z.object({ workspaceId: workspaceIdSchema, bot: newBotSchema })

/** Creates a bot, empty or from parts. */
export const createProcedure = tokenOperation("POST /bots", {
  operationId: "createBot",
  admits: "workspaceEditors",
  isTrusted: true,
  readInput: readBotInput(inputSchema, (bot) => validateChanges(newBotSchema, bot)),
  tag: "Bots",
  errorResponses: [409],
  summary: "Create a bot",
  description:
    "Its version is the latest. Without events it gets a start event. 409 when another bot has the " +
    "public id.",
})
  .input(inputSchema)
  .output(z.object({ bot: botSchema }))
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const workspace = await requireWorkspace(ctx, input.workspaceId, "edit")
    return { bot: presentBot(await insertDraft(ctx.db, workspace, draftOf(input.bot))) }
  })

function draftOf(bot: z.output<typeof newBotSchema>): Draft {
  const { name, icon, folderId, selectedThemeTemplateId, resultsTablePreferences, publicId } = bot
  if (publicId && !isPublicId(publicId)) throw invalidPublicId()
  return {
    id: newId(),
    flow: flowOf(bot),
    name,
    icon: icon ?? null,
    folderId: folderId ?? null,
    selectedThemeTemplateId: selectedThemeTemplateId ?? null,
    resultsTablePreferences: resultsTablePreferences ?? null,
    publicId: publicId ?? null,
  }
}

function flowOf(bot: z.output<typeof newBotSchema>): Flow {
  const { groups, edges, variables, theme, settings } = bot
  const start = { id: newId(), type: "start" as const, graphCoordinates: { x: 0, y: 0 } }
  const events = bot.events ?? [start]
  return { version: latestVersion, events, groups, edges, variables, theme, settings }
}
