/** POST /api/v1/bots/{botId}/publish */
import { z } from "zod"
import { type BotFacts, findBot, notifyBotChanged } from "../../db/bots.ts"
import { recordActivity } from "../../db/workspaces.ts"
import { typeOf } from "../../engine/blocks/registry.ts"
import type { Flow } from "../../engine/bot.ts"
import { placeInFlow } from "../../engine/lint/place.ts"
import { badRequest, forbidden } from "../../errors.ts"
import { admitToBot } from "../access.ts"
import { isPaid } from "../plans.ts"
import { tokenProcedure } from "../trpc.ts"
import { publishFlow } from "./publishFlow.ts"
import { readDraft } from "./readDraft.ts"
import { botIdSchema } from "./schema.ts"

/** Highest risk level at which workspaces that were not reviewed may publish. */
const maxRiskLevel = 80

const warningSchema = z
  .object({
    type: z.literal("unknownBlock").describe("Blocks of this type are skipped in chats"),
    message: z.string().describe("What is wrong, and where"),
  })
  .meta({ id: "PublishWarning", description: "Something that will not work as the flow says" })

/** Makes the draft of a bot what its public id runs. */
export const publishProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/v1/bots/{botId}/publish",
      operationId: "publishBot",
      tags: ["Bots"],
      errorResponses: [409],
      summary: "Publish a bot",
      description:
        "Makes an immutable version of the draft, unless nothing has changed, and runs it in new " +
        "chats; running ones keep theirs. A bot without a public id gets one from its name. 400 " +
        "for file inputs on the free plan.",
    },
  })
  .input(z.object({ botId: botIdSchema }))
  .output(
    z.object({
      message: z.literal("success").describe("The bot is published"),
      publicId: z.string().describe("Address of the bot in chats"),
      versionNumber: z.number().describe("Number of the version that runs now, from 1"),
      warnings: z.array(warningSchema).optional().describe("What to look at; absent: nothing"),
    }),
  )
  .mutation(async ({ ctx, input: { botId } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = admitToBot(await findBot(ctx.db, { botId, userId: ctx.user.id }), ctx.user, "write")
    const flow = readDraft(bot)
    checkPlan(bot, flow)
    const { publicId, number } = await publishFlow(ctx.db, { bot, flow, authorId: ctx.user.id })
    await notifyBotChanged(ctx.db, [publicId])
    await recordActivity(ctx.db, bot.workspaceId)
    const warnings = warningsOf(flow)
    const result = { message: "success" as const, publicId, versionNumber: number }
    return { ...result, ...(warnings.length > 0 && { warnings }) }
  })

function checkPlan({ plan, riskLevel, isVerified }: BotFacts, { groups }: Flow): void {
  const hasPaidBlock = groups.some(({ blocks }) => blocks.some((block) => typeOf(block).isPaid))
  if (hasPaidBlock && !isPaid(plan)) {
    throw badRequest("File inputs can only be published on a paid plan")
  }
  if ((riskLevel ?? 0) > maxRiskLevel && isVerified !== true) {
    throw forbidden("The bot must be reviewed before it can be published")
  }
}

function warningsOf(flow: Flow): z.infer<typeof warningSchema>[] {
  return flow.groups.flatMap(({ blocks }, group) =>
    blocks.flatMap((block, index) => {
      if (!typeOf(block).isUnknown) return []
      const place = placeInFlow(["groups", group, "blocks", index], flow)
      return { type: "unknownBlock" as const, message: `${place} is of an unknown type` }
    }),
  )
}
