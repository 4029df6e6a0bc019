/** Users, their API tokens and the invitations to them, in requests and responses. */

import { z } from "zod"
import type { OwnInvitation } from "../../db/people/invitations.ts"
import type { TokenRow } from "../../db/people/tokens.ts"
import type { UserSessionRow } from "../../db/people/userSessions.ts"
import type { UserRow } from "../../db/people/users.ts"
import { namedObject } from "../../engine/schema/members.ts"
import type { Caller } from "../context.ts"
import { type Scope, scopeSchema } from "../grants.ts"
import { botIdSchema, presentRow, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { invitationSchema, roleSchema } from "../workspace/memberSchema.ts"
import { newWorkspaceSchema } from "../workspace/schema.ts"
import type { SignInMethod } from "./signIn.ts"

/** The caller. */
export const userSchema = namedObject("User", "An account of the service", {
  id: z.string().describe("Id of the user"),
  email: z.string().describe("Email address, in lower case"),
  name: z.string().nullable().describe("Name; null: none"),
  image: z.string().nullable().describe("Address of a picture; null: none"),
  company: z.string().optional().describe("Company; absent: none"),
  preferredLanguage: z
    .string()
    .optional()
    .describe("Language tag of the user's choice; absent: no choice"),
  createdAt: timestampSchema("When the account was made"),
})

/** Changes of the caller; absent members stay. */
export const userUpdatesSchema = namedObject("UserUpdates", "What to change of a user", {
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

/** Presents a user. */
export function presentUser(row: UserRow): z.infer<typeof userSchema> {
  const { company, preferredLanguage } = row.preferences
  return presentRow(userSchema, {
    ...row,
    company: typeof company === "string" ? company : null,
    preferredLanguage: typeof preferredLanguage === "string" ? preferredLanguage : null,
  })
}

/** A token without its secret. */
export const apiTokenSchema = namedObject("ApiToken", "An API token, without its secret", {
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

/** Presents a token. */
export function presentToken(row: TokenRow): z.infer<typeof apiTokenSchema> {
  return presentRow(apiTokenSchema, { ...row, scopes: row.scopes as Scope[] | null })
}

/** What a new token is limited to. */
export const newTokenShape = {
  scopes: z
    .array(scopeSchema)
    .min(1)
    .max(10)
    .optional()
    .describe("What it may be used for; absent: whatever the caller may do"),
  workspaceId: workspaceIdSchema
    .optional()
    .describe(
      "The only workspace it is for, with all its bots; absent: whatever the caller reaches",
    ),
  botIds: z
    .array(botIdSchema)
    .min(1)
    .max(20)
    .optional()
    .describe("The only bots it is for, instead of a workspace"),
}

/** A new token, with its secret. */
export const newApiTokenSchema = apiTokenSchema
  .extend({ token: z.string().describe("The secret, shown only this once") })
  .meta({ id: "CreatedApiToken", description: "An API token that was just made" })

/** A session with a browser. */
export const userSessionSchema = z
  .object({
    id: z.string().describe("Id of the session"),
    method: z
      .enum(["link", "mail", "openId"])
      .describe("How the person signed in: by a link, a code by mail, or OpenID Connect"),
    userAgent: z.string().optional().describe("What the browser calls itself; absent: nothing"),
    isCurrent: z.boolean().describe("Whether this request came with it"),
    createdAt: timestampSchema("When the person signed in"),
    lastUsedAt: timestampSchema("When it was last used, to the minute; absent: not yet").optional(),
    expiresAt: timestampSchema("When it ends"),
  })
  .meta({ id: "UserSession", description: "Where somebody is signed in with a browser" })

/** Presents a session to its owner. */
export function presentUserSession(
  row: UserSessionRow,
  { tokenId }: Caller,
): z.infer<typeof userSessionSchema> {
  const method = row.method as SignInMethod
  return presentRow(userSessionSchema, { ...row, method, isCurrent: row.id === tokenId })
}

/** An invitation of the caller, in paths. */
export const ownInvitationAddressSchema = z.object({
  invitationId: z.string().min(1).describe("Id of the invitation"),
})

/** An invitation of the caller. */
export const ownInvitationSchema = invitationSchema
  .omit({ email: true })
  .extend({
    type: roleSchema.describe("Role that the caller will have"),
    workspace: newWorkspaceSchema
      .pick({ id: true, name: true, icon: true })
      .meta({ id: "InvitingWorkspace", description: "The workspace that the caller may join" }),
  })
  .meta({ id: "OwnInvitation", description: "An invitation of the caller into a workspace" })

/** Presents an invitation to its recipient. */
export function presentOwnInvitation(row: OwnInvitation): z.infer<typeof ownInvitationSchema> {
  const workspace = { id: row.workspaceId, ...row.workspace }
  return presentRow(ownInvitationSchema, { ...row, type: row.role, workspace })
}
