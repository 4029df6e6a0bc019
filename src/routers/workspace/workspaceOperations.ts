/** Operations on workspaces, on their audit log and their usage. */
import { z } from "zod"
import { type AuditEntry, listAuditEntries } from "../../db/people/auditLog.ts"
import { listKnownCredentials } from "../../db/people/credentials.ts"
import { withUser } from "../../db/people/users.ts"
import {
  deleteWorkspace,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
} from "../../db/people/workspaces.ts"
import { listBotIds } from "../../db/results/erasure.ts"
import { findModelUsage } from "../../db/results/modelUsage.ts"
import { findQuotaFacts } from "../../db/results/usage.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, notFound } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { monthOf, plans } from "../../lib/plans.ts"
import { manageWorkspace, requireWorkspace, userModeSchema } from "../../people/access.ts"
import { reaches } from "../../people/grants.ts"
import { maxWorkspaces, requireRoomToJoin } from "../../people/joinWorkspace.ts"
import { archiveResults } from "../../results/archiveResults.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema, uuidPositionSchema } from "../cursor.ts"
import { exampleAuthor, exampleIds, exampleTime, exampleWorkspace } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { done, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { callerOperation, operationsOf } from "../trpc.ts"
import { roleSchema } from "./memberOperations.ts"

const workspaceNameSchema = z.string().trim().min(1).max(255).describe("Name")

const workspaceIconSchema = z.string().max(2048).describe("Emoji or address of a picture")

export const planSchema = z
  .enum(plans)
  .meta({ id: "Plan", description: "The plan that the workspace is on" })

const titlesSchema = z
  .object({
    isEnabled: z.boolean().optional().describe("Whether groups are named by a model"),
    provider: z.string().max(255).optional().describe("Provider of the model"),
    credentialsId: z.string().max(255).optional().describe("Credential for the provider"),
    model: z.string().max(255).optional().describe("Name of the model"),
    prompt: z.string().max(10_000).optional().describe("Prompt for the model"),
  })
  .meta({ id: "GroupTitlesAutoGeneration", description: "Naming of groups by a language model" })

const workspaceSettingsSchema = namedObject("WorkspaceSettings", "Settings of a workspace", {
  groupTitlesAutoGeneration: titlesSchema.optional(),
})

export const newWorkspaceSchema = z
  .object({
    id: z.string().describe("Id of the workspace"),
    createdAt: timestampSchema("When it was created"),
    updatedAt: timestampSchema("When it was last changed"),
    name: z.string().describe("Name"),
    icon: z.string().nullable().describe("Emoji or address of a picture; null: none"),
    plan: planSchema,
    stripeId: z.string().nullable().describe("Id at the payment processor; null: none"),
    settings: workspaceSettingsSchema.nullable().describe("Settings; null: all defaults"),
    isSuspended: z.boolean().describe("Whether the operator has suspended it"),
    isPastDue: z.boolean().describe("Whether a payment is overdue"),
    isVerified: z
      .boolean()
      .nullable()
      .describe("Whether the operator has reviewed it; null: not yet"),
    chatsHardLimit: z
      .number()
      .nullable()
      .describe("Chats per month after which new ones are refused; null: no limit of its own"),
    lastActivityAt: timestampSchema(
      "When a bot was last created or published in it, or its suspension was lifted, to the day; null: not yet. Reading does not count",
    ).nullable(),
    inactiveFirstEmailSentAt: timestampSchema(
      "When its ADMINs were first mailed that it is inactive; null: not since its last activity",
    ).nullable(),
    inactiveSecondEmailSentAt: timestampSchema(
      "When they were mailed again; null: not yet",
    ).nullable(),
  })
  .meta({ id: "CreatedWorkspace", description: "A workspace that was just made" })

export const workspaceSchema = newWorkspaceSchema
  .extend({
    customChatsLimit: z
      .number()
      .nullable()
      .describe("Chats per month instead of the plan's number; null: the plan's"),
    customSeatsLimit: z
      .number()
      .nullable()
      .describe("Members instead of the plan's number; null: the plan's"),
  })
  .meta({ id: "Workspace", description: "A group of bots, with its members and limits" })

const listedWorkspaceSchema = newWorkspaceSchema
  .pick({ id: true, name: true, icon: true, plan: true })
  .extend({ role: roleSchema.describe("Role of the caller") })
  .meta({ id: "ListedWorkspace", description: "A workspace in a list" })

const operation = operationsOf("Workspaces")

export const usualLimits = { customChatsLimit: null, customSeatsLimit: null }

export const auditUserSchema = namedObject("AuditUser", "Who made a change", {
  id: z.string().describe("Id of the account"),
  name: z.string().nullable().describe("Name; null: none"),
  email: z.string().describe("Email address"),
})

const entrySchema = namedObject("AuditEntry", "A change in a workspace", {
  id: z.string().describe("Id of the entry"),
  at: timestampSchema("When it happened"),
  operation: z.string().describe("The operationId of what was done"),
  target: z
    .record(z.string(), z.string())
    .describe("Ids of what was changed, by kind; never its contents"),
  counts: z
    .record(z.string(), z.number())
    .optional()
    .describe("How many things were changed, by kind; absent: one"),
  user: auditUserSchema
    .optional()
    .describe("Who changed it; absent: the account was deleted, or `isByOperator`"),
  isByOperator: z
    .literal(true)
    .optional()
    .describe(
      "By an operator of the service, who is not named; absent: by a person of the workspace",
    ),
  tokenId: z.string().optional().describe("The API token that was used"),
})

export const getUsageProcedure = operation("GET /billing/usage", {
  operationId: "getUsage",
  admits: "workspaceStaff",
  scope: "results:read",
  summary: "Get the chats and tokens used in this month",
  description:
    "For members except guests. Counts chats with at least one answer that started in this calendar month (UTC). That count is updated every five minutes, that of tokens within seconds.",
  example: {
    query: { workspaceId: exampleIds.workspaceId },
    response: {
      totalChatsUsed: 1,
      inputTokens: 0,
      outputTokens: 0,
      resetsAt: "2026-06-01T00:00:00.000Z",
    },
  },
  input: { workspaceId: workspaceIdSchema },
  output: {
    totalChatsUsed: z.int().min(0).describe("Chats of this month, including deleted ones"),
    inputTokens: z
      .int()
      .min(0)
      .describe("Tokens sent to language models this month, those of previews included"),
    outputTokens: z.int().min(0).describe("Tokens that language models wrote this month"),
    resetsAt: timestampSchema("When the count starts again from 0"),
  },
}).query(async ({ ctx, input: { workspaceId } }) => {
  const { role } = await requireWorkspace(ctx, workspaceId, "see")
  if (role === "GUEST") throw notFound("Workspace")
  const month = monthOf(Date.now())
  const facts = await findQuotaFacts(ctx.db, { workspaceId, periodStart: month.start })
  const tokens = await findModelUsage(ctx.db, { workspaceId, periodStart: month.start })
  return {
    totalChatsUsed: facts?.chats ?? 0,
    inputTokens: tokens?.inputTokens ?? 0,
    outputTokens: tokens?.outputTokens ?? 0,
    resetsAt: new Date(month.endMs).toISOString(),
  }
})

export const workspaces = {
  create: operation("POST /workspaces", {
    operationId: "createWorkspace",
    admits: "accounts",
    errorResponses: [409],
    summary: "Create a workspace",
    description:
      "The caller becomes its ADMIN. 409 (`NAME_TAKEN`) when the caller has a workspace of the same name.",
    example: { request: { name: "Shop", icon: "🛍️" }, response: { workspace: exampleWorkspace } },
    input: {
      name: workspaceNameSchema.describe("Name, different from those of the caller's workspaces"),
      icon: workspaceIconSchema.nullish(),
    },
    output: { workspace: newWorkspaceSchema },
  }).mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { id: ownerId, isPlatformAdmin } = ctx.user
    const plan = isPlatformAdmin ? "UNLIMITED" : ctx.settings.defaultPlan
    const { name, icon = null } = input
    const row = await withUser(ctx.db, ownerId, async (locked) => {
      await requireRoomToJoin(locked, ownerId)
      return await insertWorkspace(locked, { id: newId(), name, icon, plan, ownerId })
    })
    if (row === undefined)
      throw new AppError("NAME_TAKEN", "Workspace with same name already exists", {
        data: { name },
      })
    return { workspace: presentRow(newWorkspaceSchema, row) }
  }),

  get: operation("GET /workspaces/{workspaceId}", {
    operationId: "getWorkspace",
    admits: "workspaceViewers",
    scope: "bots:read",
    summary: "Get a workspace",
    description: "Mode `write` for an ADMIN, `read` for a MEMBER, `guest` for a GUEST.",
    example: {
      response: { workspace: { ...exampleWorkspace, ...usualLimits }, currentUserMode: "write" },
    },
    input: { workspaceId: workspaceIdSchema },
    output: { workspace: workspaceSchema, currentUserMode: userModeSchema },
  }).query(async ({ ctx, input }) => {
    const workspace = await requireWorkspace(ctx, input.workspaceId, "see")
    return { workspace: presentRow(workspaceSchema, workspace), currentUserMode: workspace.mode }
  }),

  list: callerOperation("GET /workspaces", {
    operationId: "listWorkspaces",
    admits: "accounts",
    scope: "bots:read",
    takesTargetedToken: true,
    tag: "Workspaces",
    summary: "List workspaces",
    description: `The workspaces that the caller is a member of, in any role, oldest first: at most ${maxWorkspaces}.`,
    example: {
      response: {
        workspaces: [
          {
            ...{ id: "m1y2w3o4r5k6s7p8a9c0e1d2", name: "My workspace", icon: null },
            ...{ plan: "UNLIMITED", role: "ADMIN" },
          },
          {
            ...{ id: exampleIds.workspaceId, name: "Shop", icon: "🛍️" },
            ...{ plan: "UNLIMITED", role: "ADMIN" },
          },
        ],
      },
    },
    output: { workspaces: z.array(listedWorkspaceSchema).describe("The caller's workspaces") },
  }).query(async ({ ctx: { db, user } }) => {
    const all = await listWorkspaces(db, user.id)
    return { workspaces: all.filter(({ id }) => reaches(user, { workspaceId: id })) }
  }),

  update: operation("PATCH /workspaces/{workspaceId}", {
    operationId: "updateWorkspace",
    admits: "workspaceAdmins",
    summary: "Update a workspace",
    description: "For ADMINs, 403 for other roles. Omitted members stay as they are.",
    example: {
      request: { name: "Shop", icon: null },
      response: { workspace: { ...exampleWorkspace, ...usualLimits, icon: null } },
    },
    input: {
      workspaceId: workspaceIdSchema,
      name: workspaceNameSchema.optional(),
      icon: workspaceIconSchema.nullish().describe("Emoji or address of a picture; null: none"),
      settings: workspaceSettingsSchema
        .nullish()
        .describe("Settings, replaced as a whole; null: all defaults"),
    },
    output: { workspace: workspaceSchema },
  }).mutation(async ({ ctx, input: { workspaceId, name, icon, settings } }) => {
    const changes = { name, icon, settings: settings && JSON.stringify(settings) }
    const { credentialsId: id } = settings?.groupTitlesAutoGeneration ?? {}
    const row = await manageWorkspace(ctx, workspaceId, async (locked) => {
      const known = id && (await listKnownCredentials(locked, { workspaceId, ids: [id] }))
      if (known && known.size === 0)
        throw new AppError("CREDENTIALS_UNKNOWN", "Credentials not found in the workspace")
      return await updateWorkspace(locked, workspaceId, changes)
    })
    return { workspace: presentRow(workspaceSchema, row) }
  }),

  delete: operation("DELETE /workspaces/{workspaceId}", {
    operationId: "deleteWorkspace",
    admits: "workspaceAdmins",
    summary: "Delete a workspace",
    description:
      "For ADMINs, 403 for other roles. Permanently deletes its bots, results, folders, themes, credentials, members and invitations.",
    input: { workspaceId: workspaceIdSchema },
  }).mutation(async ({ ctx, input: { workspaceId } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    await requireWorkspace(ctx, workspaceId, "manage")
    const { files } = ctx.uploads
    const deleteFiles = async (botIds: readonly string[]) => {
      for (const botId of botIds) await files.deleteBotFiles(botId)
      await files.deleteWorkspaceFiles(workspaceId)
    }
    // First: when the store of files fails, the workspace is still there to be deleted.
    await deleteFiles(await listBotIds(ctx.db, workspaceId))
    const botIds = await manageWorkspace(ctx, workspaceId, (locked) =>
      deleteWorkspace(locked, workspaceId),
    )
    // Last, because no new chat can start any more.
    for (const botId of botIds) {
      await archiveResults({ db: ctx.db }, { botId, selection: "all", workspaceBotIds: botIds })
    }
    // Files uploaded meanwhile.
    await deleteFiles(botIds)
    return done
  }),
}

function present(row: AuditEntry): z.infer<typeof entrySchema> {
  const { userId: id, userName: name, userEmail: email } = row
  const isByOperator = row.isByOperator || null
  const user = id === null || email === null || isByOperator ? null : { id, name, email }
  const tokenId = isByOperator ? null : row.tokenId
  return presentRow(entrySchema, { ...row, at: row.createdAt, user, tokenId, isByOperator })
}

export const listAuditLogProcedure = operation("GET /workspaces/{workspaceId}/auditLog", {
  operationId: "listAuditLog",
  admits: "workspaceAdmins",
  summary: "List the audit log",
  description: "Newest first, of the last 400 days. For ADMINs; 403 for other members.",
  example: {
    query: { limit: 1 },
    response: {
      entries: [
        {
          id: "019e4ec0-f94b-7c05-8b22-3c33d44e55f6",
          at: exampleTime,
          operation: "deleteWebhookEndpoint",
          target: { endpointId: exampleIds.endpointId, workspaceId: exampleIds.workspaceId },
          user: exampleAuthor,
          tokenId: "f1i2r3s4t5t6o7k8e9n0a1b2",
        },
      ],
      nextCursor: "DgzuAblBWXYOKMOnocPfeS3lnifPfSINBe2V6TzOy8LMYd",
    },
  },
  input: { workspaceId: workspaceIdSchema, ...pageMembers },
  output: pageSchema.extend({ entries: z.array(entrySchema).describe("Newest first") }),
}).query(async ({ ctx, input: { workspaceId, limit, cursor } }) => {
  await requireWorkspace(ctx, workspaceId, "manage")
  const cursors = cursorsOf(ctx, ["listAuditLog", workspaceId], uuidPositionSchema)
  const before = cursors.read(cursor)
  const rows = await listAuditEntries(ctx.db, { workspaceId, before, limit: limit + 1 })
  const { page, last } = pageOf(rows, limit)
  return { entries: page.map(present), ...cursors.write(last?.id) }
})
