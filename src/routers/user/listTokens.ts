/** GET /api/v1/users/me/api-tokens */
import { z } from "zod"
import { listTokens } from "../../db/people/tokens.ts"
import { tokenOperation } from "../trpc.ts"
import { apiTokenSchema, presentToken } from "./schema.ts"

/** Lists the tokens of the caller. */
export const listTokensProcedure = tokenOperation("GET /api/v1/users/me/api-tokens", {
  operationId: "listApiTokens",
  admits: "accounts",
  tag: "Users",
  summary: "List your API tokens",
  description: "Newest first, without their secrets. Revoked ones are left out.",
})
  .output(z.object({ apiTokens: z.array(apiTokenSchema).describe("The caller's tokens") }))
  .query(async ({ ctx }) => {
    const rows = await listTokens(ctx.db, ctx.user.id)
    return { apiTokens: rows.map(presentToken) }
  })
