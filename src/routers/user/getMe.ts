/** GET /api/v1/users/me */
import { findUser } from "../../db/people/users.ts"
import { unauthorized } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { presentUser, userSchema } from "./schema.ts"

/** Reads the caller. */
export const getMeProcedure = tokenOperation("GET /api/v1/users/me", {
  operationId: "getMe",
  admits: "accounts",
  tag: "Users",
  summary: "Get yourself",
  description: "The owner of the token that came with the request.",
})
  .output(userSchema)
  .query(async ({ ctx }) => {
    const user = await findUser(ctx.db, ctx.user.id)
    // The account was deleted while its token was still cached.
    if (user === undefined) throw unauthorized()
    return presentUser(user)
  })
