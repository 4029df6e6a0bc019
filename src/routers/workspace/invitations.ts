/** Operations on invitations into a workspace. */

import { z } from "zod"
import {
  deleteInvitation,
  findInvitation,
  insertInvitation,
  isInvited,
  listInvitations,
  updateInvitation,
} from "../../db/people/invitations.ts"
import { findMember } from "../../db/people/members.ts"
import { findUserByEmail } from "../../db/people/users.ts"
import { AppError, badRequest, notFound } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { manageWorkspace, requireWorkspace } from "../access.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { done, doneSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import {
  invitationAddressSchema,
  invitationSchema,
  invitedEmailSchema,
  presentInvitation,
  roleSchema,
} from "./memberSchema.ts"
import { requireSeat } from "./rules.ts"
import { workspaceIdSchema } from "./schema.ts"

const exampleInvitation = {
  id: exampleIds.invitationId,
  email: "bob@example.com",
  type: "MEMBER",
  createdAt: exampleTime,
  updatedAt: exampleTime,
}

export const invitations = {
  listInvitations: tokenOperation("GET /workspaces/{workspaceId}/invitations", {
    operationId: "listInvitations",
    admits: "workspaceViewers",
    tag: "Workspaces",
    summary: "List the invitations into a workspace",
    description:
      "For members of any role; guests see no email addresses. Pending invitations, oldest first.",
    example: { response: { invitations: [exampleInvitation] } },
  })
    .input(z.object({ workspaceId: workspaceIdSchema }))
    .output(z.object({ invitations: z.array(invitationSchema).describe("Oldest first") }))
    .query(async ({ ctx, input: { workspaceId } }) => {
      const { role } = await requireWorkspace(ctx, workspaceId, "see")
      const invitations = await listInvitations(ctx.db, workspaceId)
      const viewer = { userId: ctx.user.id, role }
      return { invitations: invitations.map((row) => presentInvitation(row, viewer)) }
    }),

  invite: tokenOperation("POST /workspaces/{workspaceId}/invitations", {
    operationId: "createInvitation",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Invite somebody",
    description:
      "For ADMINs, 403 for other roles. The person accepts or declines under `/users/me/invitations`, " +
      "whenever they get their account; no email is sent. Members and invitations, except guests, " +
      "take seats of the plan: 400 when none is free, and for somebody who is already a member or " +
      "invited.",
    example: {
      request: { email: exampleInvitation.email, type: "MEMBER" },
      response: { invitation: exampleInvitation },
    },
  })
    .input(
      z.object({
        workspaceId: workspaceIdSchema,
        email: invitedEmailSchema,
        type: roleSchema.describe("Role that the person will have"),
      }),
    )
    .output(z.object({ invitation: invitationSchema }))
    .mutation(async ({ ctx, input }) => {
      const { workspaceId, email, type: role } = input
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

  updateInvitation: tokenOperation("PATCH /workspaces/{workspaceId}/invitations/{invitationId}", {
    operationId: "updateInvitation",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Change the role of an invitation",
    description:
      "For ADMINs, 403 for other roles. 400 when an invited guest needs a seat and none is free.",
    example: { request: { type: "GUEST" }, response: done },
  })
    .input(
      invitationAddressSchema.extend({
        type: roleSchema
          .optional()
          .describe("Role that the person will have; required unless `role` is sent"),
        role: roleSchema.optional().describe("The same as `type`, which takes precedence"),
      }),
    )
    .output(doneSchema)
    .mutation(async ({ ctx, input }) => {
      const { type, role, ...address } = input
      const to = type ?? role
      if (to === undefined)
        throw badRequest("`type` is missing: send the role that the person will have")
      await manageWorkspace(ctx, address.workspaceId, async (locked, workspace) => {
        const invitation = await findInvitation(locked, address)
        if (invitation === undefined) throw notFound("Invitation")
        const { planLimits } = ctx.settings
        await requireSeat(locked, workspace, { from: invitation.role, to, planLimits })
        const isChanged = await updateInvitation(locked, address, to)
        if (!isChanged) throw notFound("Invitation")
      })
      return done
    }),

  deleteInvitation: tokenOperation("DELETE /workspaces/{workspaceId}/invitations/{invitationId}", {
    operationId: "deleteInvitation",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Withdraw an invitation",
    description: "For ADMINs, 403 for other roles. Its seat becomes free.",
    example: { response: done },
  })
    .input(invitationAddressSchema)
    .output(doneSchema)
    .mutation(async ({ ctx, input: address }) => {
      await manageWorkspace(ctx, address.workspaceId, async (locked) => {
        if (!(await deleteInvitation(locked, address))) throw notFound("Invitation")
      })
      return done
    }),
}
