/** Operations on the caller. */

import { z } from "zod"
import { findUser, updateUser } from "../../db/people/users.ts"
import { unauthorized } from "../../errors.ts"
import { exampleAuthor, exampleCaller, exampleTime } from "../examples.ts"
import { tokenOperation } from "../trpc.ts"
import { presentUser, userSchema, userUpdatesSchema } from "./schema.ts"

export const me = {
  getMe: tokenOperation("GET /users/me", {
    operationId: "getMe",
    admits: "accounts",
    scope: "any",
    takesTargetedToken: true,
    tag: "Users",
    summary: "Get the current user",
    description: "The owner of the token that came with the request.",
    example: { response: { ...exampleCaller, name: null, image: null, createdAt: exampleTime } },
  })
    .output(userSchema)
    .query(async ({ ctx }) => {
      const user = await findUser(ctx.db, ctx.user.id)
      // The account was deleted while its token was still cached.
      if (user === undefined) throw unauthorized()
      return presentUser(user)
    }),

  updateMe: tokenOperation("PATCH /users/me", {
    operationId: "updateMe",
    admits: "accounts",
    tag: "Users",
    summary: "Update the current user",
    description: "Omitted members stay as they are. The email address cannot be changed.",
    example: {
      request: { updates: { name: "Ann", company: "Shop Ltd" } },
      response: {
        user: { ...exampleAuthor, image: null, company: "Shop Ltd", createdAt: exampleTime },
      },
    },
  })
    .input(z.object({ updates: userUpdatesSchema }))
    .output(z.object({ user: userSchema }))
    .mutation(async ({ ctx, input }) => {
      const { name, image, company, preferredLanguage } = input.updates
      const preferences = { company, preferredLanguage }
      const user = await updateUser(ctx.db, ctx.user.id, { name, image, preferences })
      if (user === undefined) throw unauthorized()
      return { user: presentUser(user) }
    }),
}
