/** POST /api/v1/bots/{botId}/groups/{groupId}/title */
import { z } from "zod"
import { generateGroupTitle, type TitleSettings } from "../../bots/generateGroupTitle.ts"
import { flowOfDraft } from "../../bots/storedFlow.ts"
import { findWorkspaceSettings } from "../../db/people/workspaces.ts"
import { isFailure } from "../../engine/calls.ts"
import { requireBotWithFlow } from "../../people/access.ts"
import { bodyFlag, botIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

export const titleProcedure = operationsOf("Bots")("POST /bots/{botId}/groups/{groupId}/title", {
  operationId: "generateGroupTitle",
  admits: "botWriters",
  summary: "Have a model choose the title of a group",
  description:
    "By `settings.groupTitlesAutoGeneration` of the workspace, from what the blocks of the group say, without keys. The " +
    "draft does not change: put the title in by an edit. A model that does not answer, refuses, or has no tokens left " +
    "in this month is described in `error`. 400 when the settings name no model, or the group has a title of its own.",
  example: { request: { overwrite: true }, response: { title: "Ask for the name" } },
  input: {
    botId: botIdSchema,
    groupId: z.string().min(1).max(255).describe("Id of the group"),
    overwrite: bodyFlag("Whether to choose another title for a group that has one"),
  },
  output: {
    title: z.string().optional().describe("The title; absent: the model gave none"),
    error: z.string().optional().describe("Why there is none; absent: there is one"),
  },
}).mutation(async ({ ctx, input: { botId, groupId, overwrite } }) => {
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  const bot = await requireBotWithFlow(ctx, botId, "write")
  const { groupTitlesAutoGeneration } = await findWorkspaceSettings(ctx.db, bot.workspaceId)
  const chosen = await generateGroupTitle({
    flow: flowOfDraft(bot),
    groupId,
    overwrites: overwrite === true,
    settings: groupTitlesAutoGeneration as TitleSettings | undefined,
    bot,
    userId: ctx.user.id,
    askModel: ctx.askModel,
  })
  if (!isFailure(chosen)) return chosen
  const { description, details } = chosen
  return { error: details ? `${description}: ${details}` : description }
})
