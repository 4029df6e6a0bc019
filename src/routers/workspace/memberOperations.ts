/** Operations on the members of a workspace, and on invitations into it. */
import { z } from "zod"
import {
  deleteInvitation,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  isInvited,
  listInvitations,
  updateInvitation,
} from "../../db/people/invitations.ts"
import {
  deleteMember,
  findMember,
  listMembers,
  type Member,
  updateMember,
} from "../../db/people/members.ts"
import { findUserByEmail } from "../../db/people/users.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import type { MemberRole } from "../../db/schema/tables.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, badRequest, notFound, orNotFound } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { manageWorkspace, requireWorkspace } from "../../people/access.ts"
import { reaches } from "../../people/grants.ts"
import { emailSchema } from "../../people/mailAddress.ts"
import { maxPeople, requireOtherAdmin, requireSeat } from "../../people/memberBounds.ts"
import { exampleAuthor, exampleDates, exampleIds } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { done, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

export const roleSchema = z.enum(["ADMIN", "MEMBER", "GUEST"]).meta({
  id: "MemberRole",
  description: "`ADMIN` manages the workspace, `MEMBER` edits bots, `GUEST` opens what is shared",
})

export const invitedEmailSchema = emailSchema.describe("Email address of the person")

const memberAddressSchema = z.object({
  workspaceId: workspaceIdSchema,
  userId: z.string().min(1).describe("Id of the member"),
})

const invitationAddressSchema = z.object({
  workspaceId: workspaceIdSchema,
  invitationId: z.string().min(1).describe("Id of the invitation"),
})

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
function presentInvitation(row: InvitationRow, viewer?: Viewer): z.infer<typeof invitationSchema> {
  const email = viewer?.role === "GUEST" ? null : row.email
  return presentRow(invitationSchema, { ...row, email, type: row.role })
}

/** The member who reads it; absent: its creator. */
type Viewer = { userId: string; role: MemberRole | null }

export const exampleMember = (
  role: string,
  { id, ...user }: { id: string; name: string; email: string },
) => ({
  workspaceId: exampleIds.workspaceId,
  userId: id,
  role,
  user: { ...user, image: null },
})

const operation = operationsOf("Workspaces")

const exampleInvitation = {
  id: exampleIds.invitationId,
  email: "bob@example.com",
  type: "MEMBER",
  ...exampleDates,
}

export const members = {
  listMembers: operation("GET /workspaces/{workspaceId}/members", {
    operationId: "listMembers",
    admits: "workspaceViewers",
    summary: "List the members of a workspace",
    description:
      "For members of any role; guests see only their own email address. Ordered by when they joined: " +
      `at most ${maxPeople}.`,
    example: {
      response: {
        members: [
          exampleMember("ADMIN", exampleAuthor),
          exampleMember("MEMBER", {
            id: exampleIds.userId,
            name: "Carol",
            email: "carol@example.com",
          }),
        ],
      },
    },
    input: { workspaceId: workspaceIdSchema },
    output: { members: z.array(memberSchema).describe("The members, including guests") },
  }).query(async ({ ctx, input: { workspaceId } }) => {
    const { role } = await requireWorkspace(ctx, workspaceId, "see")
    const members = await listMembers(ctx.db, workspaceId)
    const viewer = { userId: ctx.user.id, role }
    return { members: members.map((member) => presentMember(member, viewer)) }
  }),

  updateMember: operation("PATCH /workspaces/{workspaceId}/members/{userId}", {
    operationId: "updateMember",
    admits: "workspaceAdmins",
    summary: "Change the role of a member",
    description:
      "For ADMINs, 403 for other roles. 400 for the last ADMIN, and when a guest needs a seat and none is free.",
    example: { request: { role: "ADMIN" }, response: done },
    input: memberAddressSchema.extend({ role: roleSchema }),
  }).mutation(async ({ ctx, input: { workspaceId, userId, role } }) => {
    await manageWorkspace(ctx, workspaceId, async (locked, workspace) => {
      const member = orNotFound(await findMember(locked, { workspaceId, userId }), "Member")
      const { planLimits } = ctx.settings
      await requireSeat(locked, workspace, { from: member.role, to: role, planLimits })
      if (role !== "ADMIN") await requireOtherAdmin(locked, member)
      await updateMember(locked, { workspaceId, userId, role })
    })
    return done
  }),

  deleteMember: operation("DELETE /workspaces/{workspaceId}/members/{userId}", {
    operationId: "deleteMember",
    admits: "workspaceAdmins",
    summary: "Remove a member",
    description:
      "For ADMINs, 403 for other roles. Also ends the sharing of bots with the member. 400 for the last ADMIN.",
    input: memberAddressSchema,
  }).mutation(async ({ ctx, input: address }) => {
    await manageWorkspace(ctx, address.workspaceId, async (locked) => {
      const member = orNotFound(await findMember(locked, address), "Member")
      await requireOtherAdmin(locked, member)
      await deleteMember(locked, address)
    })
    return done
  }),

  leave: operation("POST /workspaces/{workspaceId}/leave", {
    operationId: "leaveWorkspace",
    admits: "workspaceViewers",
    summary: "Leave a workspace",
    description:
      "For members of any role, even while the workspace is suspended. Also ends the sharing of its " +
      "bots with the caller. 400 for the last ADMIN.",
    input: { workspaceId: workspaceIdSchema },
  }).mutation(async ({ ctx, input: { workspaceId } }) => {
    const address = { workspaceId, userId: ctx.user.id }
    await withWorkspace(ctx.db, address, async (locked, facts) => {
      if (!facts?.role || !reaches(ctx.user, address)) throw notFound("Workspace")
      await requireOtherAdmin(locked, { ...address, role: facts.role })
      await deleteMember(locked, address)
    })
    return done
  }),

  listInvitations: operation("GET /workspaces/{workspaceId}/invitations", {
    operationId: "listInvitations",
    admits: "workspaceViewers",
    summary: "List the invitations into a workspace",
    description:
      "For members of any role; guests see no email addresses. Pending invitations, oldest first: at " +
      `most ${maxPeople} with the members.`,
    example: { response: { invitations: [exampleInvitation] } },
    input: { workspaceId: workspaceIdSchema },
    output: { invitations: z.array(invitationSchema).describe("Oldest first") },
  }).query(async ({ ctx, input: { workspaceId } }) => {
    const { role } = await requireWorkspace(ctx, workspaceId, "see")
    const invitations = await listInvitations(ctx.db, workspaceId)
    const viewer = { userId: ctx.user.id, role }
    return { invitations: invitations.map((row) => presentInvitation(row, viewer)) }
  }),

  invite: operation("POST /workspaces/{workspaceId}/invitations", {
    operationId: "createInvitation",
    admits: "workspaceAdmins",
    summary: "Invite a person",
    description:
      "For ADMINs, 403 for other roles. The person accepts or declines under `/users/me/invitations`, " +
      "whenever they get their account; no email is sent. Members and invitations, except guests, " +
      "take seats of the plan: 400 when none is free, and for a person who is already a member or " +
      "invited.",
    example: {
      request: { email: exampleInvitation.email, type: "MEMBER" },
      response: { invitation: exampleInvitation },
    },
    input: {
      workspaceId: workspaceIdSchema,
      email: invitedEmailSchema,
      type: roleSchema.describe("Role that the person will have"),
    },
    output: { invitation: invitationSchema },
  }).mutation(async ({ ctx, input: { workspaceId, email, type: role } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    return await manageWorkspace(ctx, workspaceId, async (locked, workspace) => {
      const { planLimits } = ctx.settings
      const user = await findUserByEmail(locked, email)
      if (user && (await findMember(locked, { workspaceId, userId: user.id }))) {
        throw new AppError("MEMBER_EXISTS", "Already a member")
      }
      if (await isInvited(locked, { workspaceId, email }))
        throw new AppError("INVITATION_EXISTS", "Already invited")
      await requireSeat(locked, workspace, { to: role, planLimits })
      const row = await insertInvitation(locked, { id: newId(), workspaceId, email, role })
      return { invitation: presentInvitation(row) }
    })
  }),

  updateInvitation: operation("PATCH /workspaces/{workspaceId}/invitations/{invitationId}", {
    operationId: "updateInvitation",
    admits: "workspaceAdmins",
    summary: "Change the role of an invitation",
    description:
      "For ADMINs, 403 for other roles. 400 when an invited guest needs a seat and none is free.",
    example: { request: { type: "GUEST" }, response: done },
    input: invitationAddressSchema.extend({
      type: roleSchema
        .optional()
        .describe("Role that the person will have; required unless `role` is sent"),
      role: roleSchema.optional().describe("The same as `type`, which takes precedence"),
    }),
  }).mutation(async ({ ctx, input: { type, role, ...address } }) => {
    const to = type ?? role
    if (to === undefined)
      throw badRequest("`type` is missing: send the role that the person will have")
    await manageWorkspace(ctx, address.workspaceId, async (locked, workspace) => {
      const invitation = orNotFound(await findInvitation(locked, address), "Invitation")
      const { planLimits } = ctx.settings
      await requireSeat(locked, workspace, { from: invitation.role, to, planLimits })
      await updateInvitation(locked, address, to)
    })
    return done
  }),

  deleteInvitation: operation("DELETE /workspaces/{workspaceId}/invitations/{invitationId}", {
    operationId: "deleteInvitation",
    admits: "workspaceAdmins",
    summary: "Withdraw an invitation",
    description: "For ADMINs, 403 for other roles. Its seat becomes free.",
    input: invitationAddressSchema,
  }).mutation(async ({ ctx, input: address }) => {
    await manageWorkspace(ctx, address.workspaceId, async (locked) => {
      if (!(await deleteInvitation(locked, address))) throw notFound("Invitation")
    })
    return done
  }),
}
