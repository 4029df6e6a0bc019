/** POST /api/v1/bots/lint */

import { z } from "zod"
import { surroundingsOf } from "../../bots/findings.ts"
import { referencesOf } from "../../bots/flowFacts.ts"
import type { LintReport } from "../../bots/heavy/jobs.ts"
import { type AuthContext, requireBotWithFlow, requireWorkspace } from "../access.ts"
import type { Context } from "../context.ts"
import { exampleIds } from "../examples.ts"
import { botIdSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { findingSchema } from "./findings.ts"
import { presentBot } from "./schema.ts"

/** Most findings in a response. */
const maxFindings = 500

const countOf = (what: string) => z.number().int().describe(`How many ${what} there are`)

/** Checks a bot and changes nothing. */
export const lintProcedure = tokenOperation("POST /bots/lint", {
  operationId: "lintBot",
  admits: ["botViewers", "workspaceListers", "accounts"],
  tag: "Bots",
  scope: "bots:read",
  isAudited: false,
  errorResponses: [422],
  summary: "Check a bot",
  description:
    "Lists what is wrong with a bot of the service (`botId`) or with one in the body (`bot`), " +
    "ordered by pointer. Whatever `bot` is, the status is 200: what cannot be read becomes a finding.",
  example: {
    request: { botId: exampleIds.botId },
    response: { findings: [], errorCount: 0, warningCount: 0 },
  },
})
  .input(
    z
      .object({
        bot: z.unknown().optional().describe("The bot to check, as an import takes it"),
        botId: botIdSchema.optional().describe("Id of a stored bot to check, instead of `bot`"),
        workspaceId: workspaceIdSchema
          .optional()
          .describe(
            "Workspace in which `bot` is checked; absent: its credentials and links are assumed to exist",
          ),
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
    return botId === undefined ? lintSent(ctx, bot, workspaceId) : lintStored(ctx, botId)
  })

type Linter = AuthContext & Pick<Context, "heavy">

async function lintStored(ctx: Linter, botId: string): Promise<LintReport> {
  const row = await requireBotWithFlow(ctx, botId, "see")
  const bot = presentBot(row)
  // Guests must not learn about the workspace, and have a queue of their own.
  if (row.mode === "guest") return ctx.heavy.run(ctx.user.id, "lint", { bot, around: { botId } })
  const { workspaceId } = row
  const around = await surroundingsOf(ctx.db, { workspaceId, botId }, referencesOf(bot))
  return ctx.heavy.run(workspaceId, "lint", { bot, around })
}

async function lintSent(
  ctx: Linter,
  bot: unknown,
  workspaceId: string | undefined,
): Promise<LintReport> {
  if (workspaceId === undefined) return ctx.heavy.run(ctx.user.id, "lint", { bot })
  await requireWorkspace(ctx, workspaceId, "list")
  const references = await ctx.heavy.run(workspaceId, "references", bot)
  const around = references && (await surroundingsOf(ctx.db, { workspaceId }, references))
  return ctx.heavy.run(workspaceId, "lint", { bot, ...(around && { around }) })
}
