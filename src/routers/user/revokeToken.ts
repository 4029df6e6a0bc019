/** DELETE /api/v1/users/me/api-tokens/{tokenId} */
import { z } from "zod"
import { revokeTokens } from "../../db/people/tokens.ts"
import { notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { apiTokenSchema, presentToken } from "./schema.ts"

/** Revokes a token of the caller. */
export const revokeTokenProcedure = tokenOperation("DELETE /api/v1/users/me/api-tokens/{tokenId}", {
  operationId: "revokeApiToken",
  admits: "itsAccount",
  tag: "Users",
  summary: "Revoke an API token",
  description:
    "It stops working at once, in other processes of the service within 30 seconds. Revoking the token of this very request is possible.",
})
  .input(z.object({ tokenId: z.string().max(255).describe("Id of the token") }))
  .output(z.object({ apiToken: apiTokenSchema }))
  .mutation(async ({ ctx, input }) => {
    const { tokenId } = input
    const [row] = await revokeTokens(ctx.db, { tokenId, ownerId: ctx.user.id })
    if (row === undefined) throw notFound("API token")
    await ctx.forgetToken(tokenId)
    return { apiToken: presentToken(row) }
  })
