/** Operations on the caller's API tokens. */

import { z } from "zod"
import { listTokens, revokeTokens } from "../../db/people/tokens.ts"
import { badRequest, notFound } from "../../errors.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { instantSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { createToken } from "./accounts.ts"
import { apiTokenSchema, newApiTokenSchema } from "./schema.ts"

const exampleToken = {
  id: exampleIds.tokenId,
  name: "Continuous integration",
  hint: "LAZD",
  createdAt: exampleTime,
}

const inputSchema = z.object({
  name: z.string().trim().min(1).max(100).describe("Name of the token"),
  expiresAt: instantSchema("When it stops working, ISO 8601; absent: never").optional(),
})

export const tokens = {
  listTokens: tokenOperation("GET /users/me/api-tokens", {
    operationId: "listApiTokens",
    admits: "accounts",
    tag: "Users",
    summary: "List your API tokens",
    description: "Newest first, without their secrets. Revoked ones are left out.",
    example: {
      response: {
        apiTokens: [
          exampleToken,
          { ...exampleToken, id: "f1i2r3s4t5t6o7k8e9n0a1b2", name: "First token" },
        ],
      },
    },
  })
    .output(z.object({ apiTokens: z.array(apiTokenSchema).describe("The caller's tokens") }))
    .query(async ({ ctx }) => {
      const rows = await listTokens(ctx.db, ctx.user.id)
      return { apiTokens: rows.map((row) => presentRow(apiTokenSchema, row)) }
    }),

  createToken: tokenOperation("POST /users/me/api-tokens", {
    operationId: "createApiToken",
    admits: "accounts",
    tag: "Users",
    summary: "Create an API token",
    description: "The response is the only place where the secret is ever shown.",
    example: {
      request: { name: "Continuous integration" },
      response: {
        apiToken: {
          ...exampleToken,
          token: "parley_pat_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0LAZD",
        },
      },
    },
  })
    .input(inputSchema)
    .output(z.object({ apiToken: newApiTokenSchema }))
    .mutation(async ({ ctx, input }) => {
      const { name } = input
      const expiresAt = input.expiresAt === undefined ? undefined : new Date(input.expiresAt)
      if (expiresAt && expiresAt.getTime() <= Date.now()) {
        throw badRequest("`expiresAt` must be in the future")
      }
      await ctx.limit("heavyManagement", ctx.user.tokenId)
      const { token, ...row } = await createToken(ctx.db, ctx.user.id, { name, expiresAt })
      return { apiToken: { ...presentRow(apiTokenSchema, row), token } }
    }),

  revokeToken: tokenOperation("DELETE /users/me/api-tokens/{tokenId}", {
    operationId: "revokeApiToken",
    admits: "itsAccount",
    tag: "Users",
    summary: "Revoke an API token",
    description:
      "The token stops working at once, in other processes of the service within 30 seconds. A token can revoke itself.",
    example: { response: { apiToken: exampleToken } },
  })
    .input(z.object({ tokenId: z.string().max(255).describe("Id of the token") }))
    .output(z.object({ apiToken: apiTokenSchema }))
    .mutation(async ({ ctx, input }) => {
      const { tokenId } = input
      const [row] = await revokeTokens(ctx.db, { tokenId, ownerId: ctx.user.id })
      if (row === undefined) throw notFound("API token")
      await ctx.forgetToken(tokenId)
      return { apiToken: presentRow(apiTokenSchema, row) }
    }),
}
