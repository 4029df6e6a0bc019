/** POST /api/v1/workspaces/{workspaceId}/invitations */
import { z } from "zod"
import { insertInvitation, isInvited } from "../../db/people/invitations.ts"
import { findMember } from "../../db/people/members.ts"
import { findUserByEmail } from "../../db/people/users.ts"
import { badRequest } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { manageWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import {
  invitationSchema,
  invitedEmailSchema,
  presentInvitation,
  roleSchema,
} from "./memberSchema.ts"
import { requireSeat } from "./rules.ts"
import { workspaceIdSchema } from "./schema.ts"

/** Invites a person into a workspace. */
export const inviteProcedure = tokenOperation("POST /api/v1/workspaces/{workspaceId}/invitations", {
  operationId: "createInvitation",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "Invite somebody",
  description:
    "For ADMINs, 403 for other roles. The person accepts or declines under `/users/me/invitations`, " +
    "with or after their account; no mail is sent. Members and invitations, but for guests, take " +
    "the seats of the plan: 400 when none is free, and for somebody who is a member or invited " +
    "already.",
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
        throw badRequest("Already a member")
      }
      if (await isInvited(locked, { workspaceId, email })) throw badRequest("Already invited")
      await requireSeat(locked, workspace, { to: role, planLimits })
      const row = await insertInvitation(locked, { id: newId(), workspaceId, email, role })
      return { invitation: presentInvitation(row) }
    })
  })
