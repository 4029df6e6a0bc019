/** POST /api/v1/bots/{botId}/publish */
import { z } from "zod"
import { type BotFacts, findBot } from "../../db/bots/bots.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { typeOf } from "../../engine/blocks/registry.ts"
import type { Flow } from "../../engine/bot.ts"
import { lintFlow } from "../../engine/lint/lint.ts"
import { badRequest, forbidden } from "../../shared/errors.ts"
import { isPaid } from "../../shared/plans.ts"
import { admitToBot } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import { countByRule, refuseErrors, surroundingsOf, warningSchema } from "./findings.ts"
import { contentOf, publishFlow } from "./publishFlow.ts"
import { readDraft } from "./readDraft.ts"
import { botIdSchema } from "./schema.ts"

/** Highest risk level at which workspaces that were not reviewed may publish. */
const maxRiskLevel = 80

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
        "for file inputs on the free plan, and with `issues` for a bot that cannot run. What runs " +
        "although something is wrong with it is published with warnings.",
    },
  })
  .input(z.object({ botId: botIdSchema }))
  .output(
    z.object({
      message: z.literal("success").describe("The bot is published"),
      publicId: z.string().describe("Address of the bot in chats"),
      versionNumber: z.number().describe("Number of the version that runs now, from 1"),
      warnings: z.array(warningSchema).optional().describe("Rules that it breaks; absent: none"),
    }),
  )
  .mutation(async ({ ctx, input: { botId } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = admitToBot(await findBot(ctx.db, { botId, userId: ctx.user.id }), ctx.user, "write")
    const flow = readDraft(bot)
    checkPlan(bot, flow)
    // Before the queries: to print and to check 4 MB in a row would hold up everybody else.
    const content = contentOf(flow)
    const surroundings = await surroundingsOf(ctx.db, { ...bot, botId }, flow.groups)
    const findings = lintFlow(flow, surroundings)
    refuseErrors(findings)
    const { publicId, number } = await publishFlow(ctx.db, { bot, content, authorId: ctx.user.id })
    await recordActivity(ctx.db, bot.workspaceId)
    const warnings = countByRule(findings)
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
