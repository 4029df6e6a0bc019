/** GET /api/v1/bots/{botId}/diff */

import { z } from "zod"
import { flowChangesSchema } from "../../authoring/diff/diffSchemas.ts"
import { forGuests } from "../../bots/sanitise.ts"
import { flowOfDraft, trustFlow } from "../../bots/storedFlow.ts"
import type { BotFacts, BotRow } from "../../db/bots/bots.ts"
import { findPublication } from "../../db/bots/publishedBots.ts"
import { findVersion } from "../../db/bots/versions.ts"
import type { Flow } from "../../engine/bot.ts"
import { notFound } from "../../lib/errors.ts"
import { userParty } from "../../lib/party.ts"
import { type Admitted, type AuthContext, requireBotWithFlow } from "../../people/access.ts"
import { botIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

/** A flow of a bot, as requests name it. */
export const sideSchema = z
  .string()
  .regex(/^(?:live|draft|[1-9]\d{0,8})$/, "must be the number of a version, `live` or `draft`")
  .describe("Number of a version, `live` or `draft`")

export const diffProcedure = tokenOperation("GET /bots/{botId}/diff", {
  operationId: "diffVersions",
  admits: "botViewers",
  tag: "Bots",
  errorResponses: [422],
  summary: "Compare two versions of a bot",
  description:
    "The changes from one flow to the other, in the order in which a chat reaches them; coordinates " +
    "are ignored. Callers who only see a publicly shared bot can compare `live` and `draft`, without " +
    "credentials and secrets. 422 when the flows differ by more than 16 MB of text.",
  example: {
    query: { from: "live", to: "draft" },
    response: {
      changes: [
        {
          kind: "changed",
          what: "block",
          id: "b1",
          place: 'Group "Sign up" › block 1 (text)',
          label: "Formatted text",
          path: "/content/richText",
          before: "Your name?",
          after: "Who are you?",
          value: [{ type: "p", children: [{ text: "Who are you?" }] }],
          pointerBefore: "/groups/0/blocks/0",
          pointerAfter: "/groups/0/blocks/0",
        },
      ],
    },
  },
  input: {
    botId: botIdSchema,
    from: sideSchema.default("live"),
    to: sideSchema.default("draft"),
    format: z
      .enum(["json", "markdown"])
      .default("json")
      .describe("markdown: a short report for a pull request"),
  },
  output: {
    changes: flowChangesSchema.optional().describe("The changes; absent in Markdown"),
    markdown: z.string().optional().describe("The report; only in Markdown"),
  },
}).query(async ({ ctx, input: { botId, from, to, format } }) => {
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  const bot = await requireBotWithFlow(ctx, botId, "see")
  const older = await flowAt(ctx, bot, from)
  const newer = await flowAt(ctx, bot, to)
  const party = userParty(ctx.user.id)
  const flows = { before: older, after: newer }
  if (format === "json") return { changes: await ctx.heavy.run(party, "diff", flows) }
  return { markdown: await ctx.heavy.run(party, "diffReport", flows) }
})

/** One side of the comparison, as the caller may see it. */
export async function flowAt(
  ctx: AuthContext,
  bot: Admitted<BotRow & BotFacts>,
  side: string,
): Promise<Flow> {
  const isGuest = bot.mode === "guest"
  // Sharing a bot does not share what was removed before.
  if (isGuest && side !== "draft" && side !== "live") throw notFound(`Version ${side}`)
  const flow = await storedFlow(ctx, bot, side)
  return isGuest ? forGuests(flow) : flow
}

async function storedFlow({ db, user }: AuthContext, bot: BotRow, side: string): Promise<Flow> {
  if (side === "draft") return flowOfDraft(bot)
  const found =
    side === "live"
      ? (await findPublication(db, { botId: bot.id, userId: user.id }))?.publication
      : await findVersion(db, { botId: bot.id, number: Number(side) })
  if (found === undefined) throw notFound(side === "live" ? "Published bot" : `Version ${side}`)
  return trustFlow({ version: found.schemaVersion, ...found.payload })
}
