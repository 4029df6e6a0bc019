/** Operations on all workspaces, bots and users of the service, for operators: to others their paths are unknown. */
import { z } from "zod"
import { decideBot } from "../../db/bots/decideBot.ts"
import {
  findWorkspaceLine,
  listAllWorkspaces,
  listUsers,
  type WorkspaceLine,
  workspaceStates,
} from "../../db/people/wholeService.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { cut } from "../../lib/cut.ts"
import { badRequest, notFound, orNotFound } from "../../lib/errors.ts"
import {
  chatsLimitOf,
  isClosedNow,
  monthOf,
  type PlanLimits,
  seatsLimitOf,
  usualPlanLimits,
} from "../../lib/plans.ts"
import { decideWorkspace } from "../../people/decideWorkspace.ts"
import type { Context } from "../context.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleCaller, exampleIds, exampleTime, exampleWorkspace } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { planSchema, usualLimits, workspaceSchema } from "../workspace/workspaceOperations.ts"

const operation = operationsOf("Operator")

const count = z.int().min(0)

const riskSchema = {
  riskLevel: z.number().nullable().describe("The risk; null: not assessed"),
  riskFound: z
    .array(z.string())
    .optional()
    .describe(
      "Words and domains of `PARLEY_RISK_WORDS` in its flow, at most 20; absent: not rated",
    ),
}

const riskyBotSchema = namedObject("BotAtRisk", "A bot that waits for a review", {
  id: z.string().describe("Id of the bot"),
  name: z.string().describe("Name"),
  ...riskSchema,
})

const operatedWorkspaceSchema = workspaceSchema
  .extend({
    admins: z.array(z.string()).describe("Email addresses of its first ADMINs, at most 5"),
    bots: count.describe("Its bots, without those in the bin"),
    seats: count.describe("Its members, without guests"),
    seatsLimit: count.optional().describe("Seats that it may have; absent: any number"),
    chats: count.describe("Chats of this month, as of the last count"),
    chatsLimit: count.optional().describe("Chats that it may have in a month; absent: any number"),
    isClosed: z.boolean().describe("Whether new chats are refused because it has had too many"),
    botsAtRisk: z
      .array(riskyBotSchema)
      .describe(
        "Bots that cannot be published until you verify the workspace or lower their risk: the first 5, highest first",
      ),
  })
  .meta({ id: "OperatedWorkspace", description: "A workspace as operators see it" })

const operatedBotSchema = namedObject("OperatedBot", "A bot as operators see it", {
  id: z.string().describe("Id of the bot"),
  workspaceId: z.string().describe("Workspace that it belongs to"),
  name: z.string().describe("Name"),
  publicId: z.string().nullable().describe("Address of the bot in chats; null: none"),
  ...riskSchema,
  isClosed: z.boolean().describe("Whether an operator has closed it"),
  closedReason: z.string().optional().describe("Why; absent: it is not closed"),
})

const operatedUserSchema = namedObject("OperatedUser", "An account as operators see it", {
  id: z.string().describe("Id of the user"),
  email: z.string().describe("Email address, in lower case"),
  name: z.string().nullable().describe("Name; null: none"),
  createdAt: timestampSchema("When the account was made"),
  lastUsedAt: timestampSchema(
    "When one of its tokens or sessions was last used, to the minute; absent: never",
  ).optional(),
  workspaces: count.describe("How many workspaces the user is a member of"),
  isDisabled: z.boolean().describe("Whether it is closed to sign-ins"),
  isOperator: z.boolean().describe("Whether the user operates the service"),
})

const exampleOperated = {
  ...exampleWorkspace,
  ...usualLimits,
  admins: [exampleCaller.email],
  bots: 0,
  seats: 1,
  chats: 0,
  isClosed: false,
  botsAtRisk: [],
}

const searchSchema = z.string().trim().min(1).max(255).optional()
const limitSchema = z.int().min(0).max(1_000_000_000).nullable().optional()
const positionSchema = z.object({ createdAt: z.string(), id: z.string() })

/** Reads the cursor of a list that is ordered by age, and cuts and presents its page. */
async function pageBy<Row extends { createdAt: Date; id: string }>(
  ctx: Pick<Context, "cursorCipher">,
  {
    bound,
    limit,
    cursor,
  }: { bound: [string, ...unknown[]]; limit: number; cursor?: string | undefined },
  list: (part: {
    after?: { createdAt: Date; id: string } | undefined
    limit: number
  }) => Promise<Row[]>,
) {
  const cursors = cursorsOf(ctx, bound, positionSchema)
  const at = cursors.read(cursor)
  const after = at && { id: at.id, createdAt: new Date(at.createdAt) }
  const { page, last } = pageOf(await list({ after, limit: limit + 1 }), limit)
  const position = last && { id: last.id, createdAt: last.createdAt.toISOString() }
  return { page, next: cursors.write(position) }
}

export const operator = {
  listWorkspaces: operation("GET /operator/workspaces", {
    operationId: "listAllWorkspaces",
    admits: "operators",
    summary: "List the workspaces of the service",
    description: "Newest first, with their use of this month.",
    example: {
      query: { search: "ann@", plan: "UNLIMITED", state: "open", limit: 1 },
      response: { workspaces: [exampleOperated], nextCursor: "DgzuAblBWXYOKMOnocPfeS3lnifP" },
    },
    input: {
      search: searchSchema.describe(
        "Part of a name or of an ADMIN's address; or the id of the workspace, of one of its bots or at the " +
          "payment processor, or the public id of a bot",
      ),
      plan: planSchema.optional().describe("Only workspaces on this plan"),
      state: z
        .enum(workspaceStates)
        .optional()
        .describe(
          "`closed`: has had too many chats; `open`: takes chats; `atRisk`: has bots that wait for a review",
        ),
      ...pageMembers,
    },
    output: pageSchema.extend({
      workspaces: z.array(operatedWorkspaceSchema).describe("Newest first"),
    }),
  }).query(async ({ ctx, input: { limit, cursor, ...filter } }) => {
    const bound: [string, ...unknown[]] = ["listAllWorkspaces", filter]
    const { page, next } = await pageBy(ctx, { bound, limit, cursor }, (part) =>
      listAllWorkspaces(ctx.db, { ...filter, ...part, periodStart: thisMonth() }),
    )
    return { workspaces: page.map((line) => presentWorkspace(line, ctx)), ...next }
  }),

  getWorkspace: operation("GET /operator/workspaces/{workspaceId}", {
    operationId: "getAnyWorkspace",
    admits: "operators",
    summary: "Get a workspace of the service",
    description: "With its use of this month, and its limits.",
    example: { response: { workspace: exampleOperated } },
    input: { workspaceId: workspaceIdSchema },
    output: { workspace: operatedWorkspaceSchema },
  }).query(async ({ ctx, input: { workspaceId } }) => ({
    workspace: await readWorkspace(ctx, workspaceId),
  })),

  updateWorkspace: operation("PATCH /operator/workspaces/{workspaceId}", {
    operationId: "decideWorkspace",
    admits: "operators",
    errorResponses: [409],
    summary: "Decide about a workspace",
    description:
      "Sets its plan, limits and states, which take effect at once. Omitted members stay as they are, and null " +
      "lifts a limit. The audit log of the workspace has it as by an operator. 409 (`STRIPE_ID_TAKEN`) when " +
      "another workspace has the id at the payment processor.",
    example: {
      request: { customChatsLimit: 20_000, isVerified: true },
      response: {
        workspace: {
          ...exampleOperated,
          icon: null,
          customChatsLimit: 20_000,
          isVerified: true,
          chatsLimit: 20_000,
        },
      },
    },
    input: {
      workspaceId: workspaceIdSchema,
      plan: planSchema.optional(),
      isSuspended: z
        .boolean()
        .optional()
        .describe("Whether to refuse new chats, and to close it to all but its ADMINs"),
      isPastDue: z
        .boolean()
        .optional()
        .describe("Whether a payment is overdue, which closes its bots to its members"),
      isVerified: z
        .boolean()
        .nullable()
        .optional()
        .describe("Whether it was reviewed, so that bots at risk may be published; null: not yet"),
      chatsHardLimit: limitSchema.describe(
        "Chats per month after which new ones are refused; null: any",
      ),
      customChatsLimit: limitSchema.describe(
        "Chats per month instead of the plan's number; null: the plan's",
      ),
      customSeatsLimit: limitSchema.describe(
        "Members instead of the plan's number; null: the plan's",
      ),
      stripeId: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .nullable()
        .optional()
        .describe("Id of the customer at the payment processor; null: none"),
    },
    output: { workspace: operatedWorkspaceSchema },
  }).mutation(async ({ ctx, input: { workspaceId, ...decision } }) => {
    const planLimits = limitsOf(ctx)
    const isThere = await decideWorkspace(ctx.db, { workspaceId, decision, planLimits })
    if (!isThere) throw notFound("Workspace")
    return { workspace: await readWorkspace(ctx, workspaceId) }
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

  listUsers: operation("GET /operator/users", {
    operationId: "listAllUsers",
    admits: "operators",
    summary: "List the users of the service",
    description: "Newest first.",
    example: {
      query: { search: "ann@example.com" },
      response: {
        users: [
          {
            ...exampleCaller,
            name: "Ann",
            createdAt: exampleTime,
            workspaces: 2,
            isDisabled: false,
            isOperator: true,
          },
        ],
      },
    },
    input: {
      search: searchSchema.describe("Part of an address or name, or an id"),
      ...pageMembers,
    },
    output: pageSchema.extend({ users: z.array(operatedUserSchema).describe("Newest first") }),
  }).query(async ({ ctx, input: { search, limit, cursor } }) => {
    const { page, next } = await pageBy(
      ctx,
      { bound: ["listAllUsers", search], limit, cursor },
      (part) => listUsers(ctx.db, { search, ...part }),
    )
    return { users: page.map((row) => presentRow(operatedUserSchema, row)), ...next }
  }),
}

const thisMonth = () => monthOf(Date.now()).start

type OperatorContext = Pick<Context, "db" | "settings">

function limitsOf({ settings }: Pick<Context, "settings">): PlanLimits {
  return settings.planLimits ?? usualPlanLimits
}

async function readWorkspace(ctx: OperatorContext, workspaceId: string) {
  const asked = { workspaceId, periodStart: thisMonth() }
  const line = orNotFound(await findWorkspaceLine(ctx.db, asked), "Workspace")
  return presentWorkspace(line, ctx)
}

function presentWorkspace(line: WorkspaceLine, ctx: OperatorContext) {
  const limits = limitsOf(ctx)
  return presentRow(operatedWorkspaceSchema, {
    ...line,
    seatsLimit: seatsLimitOf(line, limits) ?? null,
    chatsLimit: chatsLimitOf(line, limits) ?? null,
    isClosed: isClosedNow(line, limits),
  })
}
