/** PATCH /api/v1/users/me */
import { z } from "zod"
import { updateUser } from "../../db/people/users.ts"
import { unauthorized } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { presentUser, userSchema, userUpdatesSchema } from "./schema.ts"

/** Changes the caller. */
export const updateMeProcedure = tokenOperation("PATCH /api/v1/users/me", {
  operationId: "updateMe",
  admits: "accounts",
  tag: "Users",
  summary: "Update yourself",
  description: "Members that are absent stay as they are. The mail address cannot be changed.",
})
  .input(z.object({ updates: userUpdatesSchema }))
  .output(z.object({ user: userSchema }))
  .mutation(async ({ ctx, input }) => {
    const { name, image, company, preferredLanguage } = input.updates
    const preferences = { company, preferredLanguage }
    const user = await updateUser(ctx.db, ctx.user.id, { name, image, preferences })
    if (user === undefined) throw unauthorized()
    return { user: presentUser(user) }
  })
