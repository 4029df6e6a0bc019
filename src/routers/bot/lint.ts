/** POST /api/v1/bots/lint */
import { z } from "zod"
import type { Flow } from "../../engine/bot.ts"
import type { Finding } from "../../engine/lint/finding.ts"
import { type Lint, readBot } from "../../engine/lint/lint.ts"
import { stepOfWork } from "../../stepOfWork.ts"
import { type Asker, requireBotWithFlow, requireWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { findingSchema, surroundingsOf } from "./findings.ts"
import { presentBot } from "./present.ts"
import { botIdSchema } from "./schema.ts"

/** Most findings in a response. */
const maxFindings = 500

const countOf = (what: string) => z.number().int().describe(`How many ${what} there are`)

/** Checks a bot and changes nothing. */
export const lintProcedure = tokenOperation("POST /api/v1/bots/lint", {
  operationId: "lintBot",
  admits: ["botViewers", "workspaceListers", "accounts"],
  tag: "Bots",
  isAudited: false,
  summary: "Check a bot",
  description:
    "Tells what is wrong with a bot of the service (`botId`) or with one in the body (`bot`), " +
    "ordered by pointer. Whatever `bot` is, the answer is 200: what cannot be read is a finding.",
})
  .input(
    z
      .object({
        bot: z.unknown().optional().describe("The bot to check, as an import takes it"),
        botId: botIdSchema.optional().describe("The bot to check, if there is none in the body"),
        workspaceId: z
          .string()
          .optional()
          .describe("Workspace for `bot`; absent: its credentials and links are taken for good"),
      })
      .refine(({ bot, botId }) => (bot === undefined) !== (botId === undefined), {
        message: "Send either a bot or a botId",
      }),
  )
  .output(
    z.object({
      findings: z.array(findingSchema).describe(`What is wrong, the first ${maxFindings}`),
      errorCount: countOf("errors"),
      warningCount: countOf("warnings"),
    }),
  )
  .mutation(async ({ ctx, input: { bot, botId, workspaceId } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const findings =
      botId === undefined ? await lintSent(ctx, bot, workspaceId) : await lintStored(ctx, botId)
    const errorCount = findings.filter(({ severity }) => severity === "error").length
    const warningCount = findings.length - errorCount
    return { findings: findings.slice(0, maxFindings), errorCount, warningCount }
  })

async function lintStored(asker: Asker, botId: string): Promise<Finding[]> {
  const row = await requireBotWithFlow(asker, botId, "see")
  const { flow, lint } = await openSent(presentBot(row))
  // Guests must not learn about the workspace.
  if (flow === undefined || row.mode === "guest") return lint({ botId })
  const { workspaceId } = row
  return lint(await surroundingsOf(asker.db, { workspaceId, botId }, flow.groups))
}

async function lintSent(
  asker: Asker,
  bot: unknown,
  workspaceId: string | undefined,
): Promise<Finding[]> {
  const { flow, lint } = await openSent(bot)
  if (workspaceId === undefined) return lint()
  await requireWorkspace(asker, workspaceId, "list")
  const surroundings = flow && (await surroundingsOf(asker.db, { workspaceId }, flow.groups))
  return lint(surroundings)
}

async function openSent(bot: unknown): Promise<{ flow?: Flow | undefined; lint: Lint }> {
  const { flow, openLint } = await stepOfWork(() => readBot(bot))
  return { flow, lint: await stepOfWork(openLint) }
}
