/** Members and invitations in requests and responses. */

import { z } from "zod"
import type { InvitationRow } from "../../db/people/invitations.ts"
import type { Member } from "../../db/people/members.ts"
import type { MemberRole } from "../../db/schema/tables.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { exampleIds } from "../examples.ts"
import { presentRow, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"

/** The role of a member. */
export const roleSchema = z.enum(["ADMIN", "MEMBER", "GUEST"]).meta({
  id: "MemberRole",
  description: "`ADMIN` manages the workspace, `MEMBER` edits bots, `GUEST` opens what is shared",
})

/** An email address, trimmed and in lower case. */
export const invitedEmailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .check(z.email())
  .describe("Email address of the person")

/** A member, in paths. */
export const memberAddressSchema = z.object({
  workspaceId: workspaceIdSchema,
  userId: z.string().min(1).describe("Id of the member"),
})

/** An invitation, in paths. */
export const invitationAddressSchema = z.object({
  workspaceId: workspaceIdSchema,
  invitationId: z.string().min(1).describe("Id of the invitation"),
})

/** A member of a workspace. */
export const memberSchema = namedObject("Member", "A member of a workspace", {
  workspaceId: z.string().describe("Id of the workspace"),
  userId: z.string().describe("Id of the user"),
  role: roleSchema,
  user: namedObject("MemberUser", "Who the member is", {
    name: z.string().nullable().describe("Name; null: unknown"),
    email: z.string().optional().describe("Email address; absent: hidden from guests"),
    image: z.string().nullable().describe("Address of a picture; null: none"),
  }),
})

/** A pending invitation. */
export const invitationSchema = namedObject("Invitation", "An invitation into a workspace", {
  id: z.string().describe("Id of the invitation"),
  email: z.string().optional().describe("Email address, in lower case; absent: hidden from guests"),
  type: roleSchema.describe("Role that the person will have"),
  createdAt: timestampSchema("When it was created"),
  updatedAt: timestampSchema("When it was last changed"),
})

/** Presents a member; guests only see their own email address. */
export function presentMember(
  { workspaceId, userId, role, name, email, image }: Member,
  viewer?: Viewer,
): z.infer<typeof memberSchema> {
  const isHidden = viewer?.role === "GUEST" && viewer.userId !== userId
  return { workspaceId, userId, role, user: { name, ...(isHidden ? {} : { email }), image } }
}

/** Presents an invitation; guests see no email address. */
export function presentInvitation(
  row: InvitationRow,
  viewer?: Viewer,
): z.infer<typeof invitationSchema> {
  const email = viewer?.role === "GUEST" ? null : row.email
  return presentRow(invitationSchema, { ...row, email, type: row.role })
}

/** The member who looks at it; absent: whoever created it. */
type Viewer = { userId: string; role: MemberRole | null }

/** A member of the workspace of the examples. */
export const exampleMember = (
  role: string,
  { id, ...user }: { id: string; name: string; email: string },
) => ({
  workspaceId: exampleIds.workspaceId,
  userId: id,
  role,
  user: { ...user, image: null },
})
