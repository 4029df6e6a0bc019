/** Operations on the caller's API tokens. */

import { z } from "zod"
import { listTokens, revokeTokens, type TokenRow } from "../../db/people/tokens.ts"
import { listOf } from "../../engine/schema/lists.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { badRequest, notFound } from "../../lib/errors.ts"
import { type AuthContext, requireBot, requireWorkspace } from "../../people/access.ts"
import { createToken, maxTokens } from "../../people/createAccount.ts"
import {
  type GrantWishes,
  grantFor,
  requireScope,
  requireWholeAccount,
  type Scope,
  scopeSchema,
} from "../../people/grants.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { botIdSchema, instantSchema, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { callerOperation, operationsOf } from "../trpc.ts"

const operation = operationsOf("Users")

const apiTokenSchema = namedObject("ApiToken", "An API token, without its secret", {
  id: z.string().describe("Id of the token"),
  name: z.string().describe("Name of the token"),
  hint: z.string().describe("Its last four characters"),
  scopes: z
    .array(scopeSchema)
    .optional()
    .describe("What it may be used for; absent: everything that its owner may do"),
  workspaceId: z.string().optional().describe("The only workspace it is for; absent: all"),
  botIds: z.array(z.string()).optional().describe("The only bots it is for; absent: all"),
  createdAt: timestampSchema("When it was created"),
  lastUsedAt: timestampSchema("When it was last used, to the minute; absent: not yet").optional(),
  expiresAt: timestampSchema("When it stops working; absent: never").optional(),
})

function presentToken(row: TokenRow): z.infer<typeof apiTokenSchema> {
  return presentRow(apiTokenSchema, { ...row, scopes: row.scopes as Scope[] | null })
}

const newTokenShape = {
  scopes: listOf(scopeSchema, 10)
    .min(1)
    .optional()
    .describe("What it may be used for; absent: everything the caller may do"),
  workspaceId: workspaceIdSchema
    .optional()
    .describe(
      "The only workspace it is for, with all its bots; absent: everything the caller reaches",
    ),
  botIds: listOf(botIdSchema, 20)
    .min(1)
    .optional()
    .describe("The only bots it is for, instead of a workspace"),
}

const newApiTokenSchema = apiTokenSchema
  .extend({ token: z.string().describe("The secret, shown only this once") })
  .meta({ id: "CreatedApiToken", description: "An API token that was just made" })

const exampleToken = {
  id: exampleIds.tokenId,
  name: "Continuous integration",
  hint: "LAZD",
  scopes: ["bots:read" as const, "bots:write" as const],
  createdAt: exampleTime,
}

export const tokens = {
  listTokens: callerOperation("GET /users/me/api-tokens", {
    operationId: "listApiTokens",
    admits: "accounts",
    tag: "Users",
    summary: "List your API tokens",
    description: `Newest first, at most ${maxTokens}, without their secrets. Revoked ones are left out.`,
    example: {
      response: {
        apiTokens: [
          exampleToken,
          {
            id: "f1i2r3s4t5t6o7k8e9n0a1b2",
            name: "First token",
            hint: "LAZD",
            createdAt: exampleTime,
          },
        ],
      },
    },
    output: { apiTokens: z.array(apiTokenSchema).describe("The caller's tokens") },
  }).query(async ({ ctx }) => {
    const rows = await listTokens(ctx.db, ctx.user.id)
    return { apiTokens: rows.map(presentToken) }
  }),

  createToken: operation("POST /users/me/api-tokens", {
    operationId: "createApiToken",
    admits: "accounts",
    takesTargetedToken: true,
    summary: "Create an API token",
    description:
      "The response is the only place where the secret is ever shown. A token may be limited to scopes, " +
      "and to a workspace or bots that the caller sees: what lies outside does not exist for it. A limited " +
      "token with the scope `admin` can make others, none of which may do more than itself (403). An account " +
      `has at most ${maxTokens}.`,
    example: {
      request: { name: "Continuous integration", scopes: ["bots:read", "bots:write"] },
      response: {
        apiToken: {
          ...exampleToken,
          token: "parley_pat_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0LAZD",
        },
      },
    },
    input: {
      name: z.string().trim().min(1).max(100).describe("Name of the token"),
      expiresAt: instantSchema(
        "When it stops working, ISO 8601; absent: never, or when the caller's own token does",
      ).optional(),
      ...newTokenShape,
    },
    output: { apiToken: newApiTokenSchema },
  }).mutation(async ({ ctx, input }) => {
    const { name, scopes, workspaceId, botIds } = input
    const expiresAt = input.expiresAt === undefined ? undefined : new Date(input.expiresAt)
    if (expiresAt && expiresAt.getTime() <= Date.now()) {
      throw badRequest("`expiresAt` must be in the future")
    }
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    await requireTargets(ctx, { workspaceId, botIds })
    const grant = grantFor(ctx.user, { scopes, workspaceId, botIds, expiresAt })
    const { token, ...row } = await createToken(ctx.db, ctx.user.id, { name, ...grant })
    return { apiToken: { ...presentToken(row), token } }
  }),

  revokeToken: operation("DELETE /users/me/api-tokens/{tokenId}", {
    operationId: "revokeApiToken",
    admits: "itsAccount",
    scope: "any",
    takesTargetedToken: true,
    summary: "Revoke an API token",
    description:
      "The token stops working at once, in other processes of the service within 30 seconds. A token can " +
      "revoke itself; others need the scope `admin` and a token for the whole account.",
    example: { response: { apiToken: exampleToken } },
    input: { tokenId: z.string().max(255).describe("Id of the token") },
    output: { apiToken: apiTokenSchema },
  }).mutation(async ({ ctx, input: { tokenId } }) => {
    if (tokenId !== ctx.user.tokenId) {
      requireScope(ctx.user, "admin")
      requireWholeAccount(ctx.user)
    }
    const [row] = await revokeTokens(ctx.db, { tokenId, ownerId: ctx.user.id })
    if (row === undefined) throw notFound("API token")
    await ctx.forgetToken(tokenId)
    return { apiToken: presentToken(row) }
  }),
}

/** Throws a 404 for what the caller does not see, as if it did not exist. */
async function requireTargets(
  ctx: AuthContext,
  { workspaceId, botIds = [] }: Pick<GrantWishes, "workspaceId" | "botIds">,
): Promise<void> {
  if (workspaceId !== undefined && botIds.length > 0) {
    throw badRequest("A token is for a workspace or for bots, not for both")
  }
  if (workspaceId !== undefined) await requireWorkspace(ctx, workspaceId, "see")
  for (const botId of botIds) await requireBot(ctx, botId, "read")
}
