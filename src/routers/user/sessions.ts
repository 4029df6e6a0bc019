/** Operations on the sessions in which the caller is signed in with browsers. */

import { z } from "zod"
import { deleteUserSession, listUserSessions } from "../../db/people/userSessions.ts"
import { notFound } from "../../errors.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { tokenOperation } from "../trpc.ts"
import { presentUserSession, userSessionSchema } from "./schema.ts"

const exampleSession = {
  id: exampleIds.userSessionId,
  method: "mail" as const,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  isCurrent: false,
  createdAt: exampleTime,
  expiresAt: "2026-06-21T08:15:30.123Z",
}

export const sessions = {
  listSessions: tokenOperation("GET /users/me/sessions", {
    operationId: "listMySessions",
    admits: "accounts",
    tag: "Users",
    summary: "List your sessions",
    description:
      "Where the caller is signed in with a browser, newest first. A session lasts 30 days.",
    example: { response: { sessions: [exampleSession] } },
  })
    .output(z.object({ sessions: z.array(userSessionSchema).describe("Newest first") }))
    .query(async ({ ctx: { db, user } }) => {
      const rows = await listUserSessions(db, user.id)
      return { sessions: rows.map((row) => presentUserSession(row, user)) }
    }),

  revokeSession: tokenOperation("DELETE /users/me/sessions/{userSessionId}", {
    operationId: "revokeMySession",
    admits: "itsAccount",
    tag: "Users",
    summary: "End a session",
    description:
      "Signs that browser out at once, in other processes of the service within 30 seconds.",
    example: { response: { session: exampleSession } },
  })
    .input(z.object({ userSessionId: z.string().max(255).describe("Id of the session") }))
    .output(z.object({ session: userSessionSchema }))
    .mutation(async ({ ctx, input: { userSessionId: id } }) => {
      const row = await deleteUserSession(ctx.db, { id, userId: ctx.user.id })
      if (row === undefined) throw notFound("Session")
      await ctx.forgetToken(id)
      return { session: presentUserSession(row, ctx.user) }
    }),
}
