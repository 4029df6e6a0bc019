/** POST /api/v1/users/me/api-tokens */
import { z } from "zod"
import { badRequest } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { createToken } from "./accounts.ts"
import { newApiTokenSchema, presentToken } from "./schema.ts"

const inputSchema = z.object({
  name: z.string().trim().min(1).max(100).describe("What to call it"),
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("When it stops working, ISO 8601; absent: never"),
})

/** Creates a token for the caller. */
export const createTokenProcedure = tokenOperation("POST /api/v1/users/me/api-tokens", {
  operationId: "createApiToken",
  admits: "accounts",
  tag: "Users",
  summary: "Create an API token",
  description: "The response is the only place where the secret is ever shown.",
})
  .input(inputSchema)
  .output(z.object({ apiToken: newApiTokenSchema }))
  .mutation(async ({ ctx, input }) => {
    const { name } = input
    const expiresAt = input.expiresAt === undefined ? undefined : new Date(input.expiresAt)
    if (expiresAt && expiresAt.getTime() <= Date.now()) {
      throw badRequest("expiresAt must lie in the future")
    }
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { token, ...row } = await createToken(ctx.db, ctx.user.id, { name, expiresAt })
    return { apiToken: { ...presentToken(row), token } }
  })
