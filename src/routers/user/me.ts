/** Operations on the caller, and on the sessions in which they are signed in with browsers. */
import { z } from "zod"
import {
  deleteUserSession,
  listUserSessions,
  maxSessions,
  type UserSessionRow,
} from "../../db/people/userSessions.ts"
import { findUser, type UserRow, updateUser } from "../../db/people/users.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { orNotFound, unauthorized } from "../../lib/errors.ts"
import type { Caller } from "../../people/caller.ts"
import { isForOperations } from "../../people/operators.ts"
import type { SignInMethod } from "../../people/signIn.ts"
import { exampleAuthor, exampleCaller, exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { callerOperation, operationsOf } from "../trpc.ts"

const operation = operationsOf("Users")

/** The caller. */
const userSchema = namedObject("User", "An account of the service", {
  id: z.string().describe("Id of the user"),
  email: z.string().describe("Email address, in lower case"),
  name: z.string().nullable().describe("Name; null: none"),
  image: z.string().nullable().describe("Address of a picture; null: none"),
  company: z.string().optional().describe("Company; absent: none"),
  preferredLanguage: z
    .string()
    .optional()
    .describe("Language tag of the user's choice; absent: no choice"),
  isOperator: z
    .literal(true)
    .optional()
    .describe("The caller operates the service, and with this token may; absent: not so"),
  createdAt: timestampSchema("When the account was made"),
})

/** Changes of the caller; absent members stay. */
const userUpdatesSchema = namedObject("UserUpdates", "Changes to a user", {
  name: z.string().trim().min(1).max(255).nullish().describe("Name; null removes it"),
  image: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullish()
    .describe("Address of a picture; null removes it"),
  company: z.string().trim().min(1).max(255).nullish().describe("Company; null removes it"),
  preferredLanguage: z
    .string()
    .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, "must be a language tag such as pt-BR")
    .max(35)
    .nullish()
    .describe("Language tag such as `pt-BR`; null removes it"),
})

const userSessionSchema = namedObject("UserSession", "A browser session of the user", {
  id: z.string().describe("Id of the session"),
  method: z
    .enum(["link", "mail", "openId"])
    .describe("How the person signed in: by a link, a code by mail, or OpenID Connect"),
  userAgent: z.string().optional().describe("The `User-Agent` of the browser; absent: none"),
  isCurrent: z.boolean().describe("Whether this request came with it"),
  createdAt: timestampSchema("When the person signed in"),
  lastUsedAt: timestampSchema("When it was last used, to the minute; absent: not yet").optional(),
  expiresAt: timestampSchema("When it ends"),
})

const exampleSession = {
  id: exampleIds.userSessionId,
  method: "mail" as const,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  isCurrent: false,
  createdAt: exampleTime,
  expiresAt: "2026-06-21T08:15:30.123Z",
}

export const me = {
  getMe: callerOperation("GET /users/me", {
    operationId: "getMe",
    admits: "accounts",
    scope: "any",
    takesTargetedToken: true,
    tag: "Users",
    summary: "Get the current user",
    description: "The owner of the token that came with the request.",
    example: {
      response: {
        ...exampleCaller,
        name: null,
        image: null,
        isOperator: true,
        createdAt: exampleTime,
      },
    },
    output: userSchema,
  }).query(async ({ ctx }) => {
    const user = await findUser(ctx.db, ctx.user.id)
    // The account was deleted while its token was still cached.
    if (user === undefined) throw unauthorized()
    return presentUser(user, ctx.user)
  }),

  updateMe: operation("PATCH /users/me", {
    operationId: "updateMe",
    admits: "accounts",
    summary: "Update the current user",
    description: "Omitted members stay as they are. The email address cannot be changed.",
    example: {
      request: { updates: { name: "Ann", company: "Shop Ltd" } },
      response: {
        user: {
          ...exampleAuthor,
          image: null,
          company: "Shop Ltd",
          isOperator: true,
          createdAt: exampleTime,
        },
      },
    },
    input: { updates: userUpdatesSchema },
    output: { user: userSchema },
  }).mutation(async ({ ctx, input }) => {
    const { name, image, company, preferredLanguage } = input.updates
    const preferences = { company, preferredLanguage }
    const user = await updateUser(ctx.db, ctx.user.id, { name, image, preferences })
    if (user === undefined) throw unauthorized()
    return { user: presentUser(user, ctx.user) }
  }),
}

export const sessions = {
  listSessions: callerOperation("GET /users/me/sessions", {
    operationId: "listMySessions",
    admits: "accounts",
    tag: "Users",
    summary: "List your sessions",
    description:
      `Where the caller is signed in with a browser, newest first: at most ${maxSessions}, of which the oldest ` +
      "ends at the next sign-in. A session lasts 30 days.",
    example: { response: { sessions: [exampleSession] } },
    output: { sessions: z.array(userSessionSchema).describe("Newest first") },
  }).query(async ({ ctx: { db, user } }) => {
    const rows = await listUserSessions(db, user.id)
    return { sessions: rows.map((row) => presentUserSession(row, user)) }
  }),

  revokeSession: operation("DELETE /users/me/sessions/{userSessionId}", {
    operationId: "revokeMySession",
    admits: "itsAccount",
    summary: "End a session",
    description:
      "Signs that browser out at once, in other processes of the service within 30 seconds.",
    example: { response: { session: exampleSession } },
    input: { userSessionId: z.string().max(255).describe("Id of the session") },
    output: { session: userSessionSchema },
  }).mutation(async ({ ctx, input: { userSessionId: id } }) => {
    const row = orNotFound(await deleteUserSession(ctx.db, { id, userId: ctx.user.id }), "Session")
    await ctx.forgetToken(id)
    return { session: presentUserSession(row, ctx.user) }
  }),
}

function presentUser(row: UserRow, caller: Caller): z.infer<typeof userSchema> {
  const { company, preferredLanguage } = row.preferences
  return presentRow(userSchema, {
    ...row,
    company: typeof company === "string" ? company : null,
    preferredLanguage: typeof preferredLanguage === "string" ? preferredLanguage : null,
    isOperator: (row.isOperator && isForOperations(caller)) || null,
  })
}

function presentUserSession(row: UserSessionRow, { tokenId }: Caller) {
  const method = row.method as SignInMethod
  return presentRow(userSessionSchema, { ...row, method, isCurrent: row.id === tokenId })
}
