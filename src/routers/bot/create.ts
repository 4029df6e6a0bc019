/** POST /api/v1/bots */

import { z } from "zod"
import { validateChanges } from "../../authoring/upgrade/validateFlow.ts"
import { invalidPublicId, isPublicId } from "../../bots/address.ts"
import { newBotSchema } from "../../bots/botChanges.ts"
import { type Draft, insertDraft } from "../../bots/insertDraft.ts"
import { latestVersion } from "../../engine/bot.ts"
import { newId } from "../../ids.ts"
import { requireWorkspace } from "../access.ts"
import { exampleBot, exampleIds } from "../examples.ts"
import { workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { readBotInput } from "./readBotInput.ts"
import { botSchema, presentBot } from "./schema.ts"

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
})
  .input(inputSchema)
  .output(z.object({ bot: botSchema }))
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const workspace = await requireWorkspace(ctx, input.workspaceId, "edit")
    return { bot: presentBot(await insertDraft(ctx.db, workspace, draftOf(input.bot))) }
  })

function draftOf(bot: z.output<typeof newBotSchema>): Draft {
  const { events, groups, edges, variables, theme, settings, ...columns } = bot
  const { publicId } = columns
  if (typeof publicId === "string" && !isPublicId(publicId)) throw invalidPublicId()
  const start = { id: newId(), type: "start" as const, graphCoordinates: { x: 0, y: 0 } }
  const flow = { events: events ?? [start], groups, edges, variables, theme, settings }
  return { id: newId(), ...columns, flow: { version: latestVersion, ...flow } }
}
