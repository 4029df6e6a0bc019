/** Operations of operators on the bots of the service. */
import { z } from "zod"
import { decideBot } from "../../db/bots/decideBot.ts"
import { botStates, listAllBots } from "../../db/people/wholeService.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { cut } from "../../lib/cut.ts"
import { badRequest, orNotFound } from "../../lib/errors.ts"
import { pageMembers, pageSchema } from "../cursor.ts"
import { exampleIds, exampleTime, exampleWorkspace } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { listByAge, searchSchema } from "./listByAge.ts"

const operation = operationsOf("Operator")

export const riskSchema = {
  riskLevel: z.number().nullable().describe("The risk; null: not assessed"),
  riskFound: z
    .array(z.string())
    .optional()
    .describe(
      "Words and domains of `PARLEY_RISK_WORDS` in its flow, at most 20; absent: not rated",
    ),
}

const operatedBotSchema = namedObject("OperatedBot", "A bot as operators see it", {
  id: z.string().describe("Id of the bot"),
  workspaceId: z.string().describe("Workspace that it belongs to"),
  name: z.string().describe("Name"),
  publicId: z.string().nullable().describe("Address of the bot in chats; null: none"),
  ...riskSchema,
  isClosed: z.boolean().describe("Whether an operator has closed it"),
  closedReason: z.string().optional().describe("Why; absent: it is not closed"),
})

const listedBotSchema = operatedBotSchema
  .extend({
    workspaceName: z.string().describe("Name of its workspace"),
    createdAt: timestampSchema("When it was made"),
  })
  .meta({ id: "ListedOperatedBot", description: "A bot in a list of operators" })

export const operatedBots = {
  listBots: operation("GET /operator/bots", {
    operationId: "listAllBots",
    admits: "operators",
    summary: "List the bots of the service",
    description: "Newest first, without those in the bin.",
    example: {
      query: { state: "closed", limit: 1 },
      response: {
        bots: [
          {
            id: exampleIds.botId,
            workspaceId: exampleIds.workspaceId,
            workspaceName: exampleWorkspace.name,
            name: "Newsletter",
            publicId: exampleIds.publicId,
            riskLevel: 90,
            isClosed: true,
            closedReason: "Asks for passwords of a bank",
            createdAt: exampleTime,
          },
        ],
      },
    },
    input: {
      search: searchSchema.describe("Part of a name, or an id or public id"),
      workspaceId: z.string().min(1).max(255).optional().describe("Only bots of this workspace"),
      state: z
        .enum(botStates)
        .optional()
        .describe("`atRisk`: waits for a review; `closed`: by an operator"),
      ...pageMembers,
    },
    output: pageSchema.extend({ bots: z.array(listedBotSchema).describe("Newest first") }),
  }).query(async ({ ctx, input: { limit, cursor, ...filter } }) => {
    const bound: [string, ...unknown[]] = ["listAllBots", filter]
    const { page, next } = await listByAge(ctx, { bound, limit, cursor }, (part) =>
      listAllBots(ctx.db, { ...filter, ...part }),
    )
    const present = (row: (typeof page)[number]) =>
      presentRow(listedBotSchema, { ...row, isClosed: row.closedReason !== null })
    return { bots: page.map(present), ...next }
  }),

  updateBot: operation("PATCH /operator/bots/{botId}", {
    operationId: "decideBot",
    admits: "operators",
    summary: "Decide about a bot",
    description:
      "Sets its risk, which no later rating changes (null lets the next one set it), and closes it to new chats or opens it again, " +
      "independent of `isClosed`, which its authors set. They read `reason` as `closedReason`. Omitted members stay as they are. " +
      "The audit log of the workspace has it as by an operator.",
    example: {
      request: { isClosed: true, reason: "Asks for passwords of a bank", riskLevel: 90 },
      response: {
        bot: {
          id: exampleIds.botId,
          workspaceId: exampleIds.workspaceId,
          name: "Newsletter",
          publicId: exampleIds.publicId,
          riskLevel: 90,
          isClosed: true,
          closedReason: "Asks for passwords of a bank",
        },
      },
    },
    input: {
      botId: z.string().min(1).max(255).describe("Id or public id of the bot"),
      riskLevel: z
        .int()
        .min(0)
        .max(100)
        .nullable()
        .optional()
        .describe("The risk, from 0 to 100; null: not assessed"),
      isClosed: z.boolean().optional().describe("Whether new chats are refused"),
      reason: z
        .string()
        .trim()
        .min(1)
        .max(1_000)
        .optional()
        .describe("Why, for its authors; required with `isClosed: true`"),
    },
    output: { bot: operatedBotSchema },
  }).mutation(async ({ ctx, input: { botId, riskLevel, isClosed, reason } }) => {
    if (isClosed && reason === undefined) {
      throw badRequest("`reason` is missing: say to the authors why the bot is closed")
    }
    const row = await decideBot(ctx.db, botId, {
      ...(riskLevel !== undefined && {
        riskLevel,
        riskLevelBy: riskLevel === null ? null : "operator",
      }),
      ...(isClosed !== undefined && { closedReason: isClosed ? reason : null }),
    })
    const { name, ...bot } = orNotFound(row, "Bot")
    const isShut = bot.closedReason !== null
    return { bot: presentRow(operatedBotSchema, { ...bot, name: cut(name), isClosed: isShut }) }
  }),
}
