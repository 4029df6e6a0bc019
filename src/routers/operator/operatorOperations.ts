/** Operations on all workspaces and users of the service, for operators: to others their paths are unknown. */
import { z } from "zod"
import {
  findWorkspaceLine,
  listAllWorkspaces,
  listUsers,
  type WorkspaceLine,
  workspaceStates,
} from "../../db/people/wholeService.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { notFound, orNotFound } from "../../lib/errors.ts"
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
import { pageMembers, pageSchema } from "../cursor.ts"
import { exampleCaller, exampleTime, exampleWorkspace } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { planSchema, usualLimits, workspaceSchema } from "../workspace/workspaceOperations.ts"
import { riskSchema } from "./botOperations.ts"
import { listByAge, searchSchema } from "./listByAge.ts"

const operation = operationsOf("Operator")

const count = z.int().min(0)

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

const limitSchema = z.int().min(0).max(1_000_000_000).nullable().optional()

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
    const { page, next } = await listByAge(ctx, { bound, limit, cursor }, (part) =>
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
    const { page, next } = await listByAge(
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
