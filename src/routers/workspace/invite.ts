/** POST /api/v1/workspaces/{workspaceId}/invitations */
import { z } from "zod"
import type { PlanLimits } from "../../chat/planLimits.ts"
import { holdEmail, insertInvitation, isInvited } from "../../db/invitations.ts"
import { findMember, insertMember } from "../../db/members.ts"
import type { Db } from "../../db/open.ts"
import type { MemberRole } from "../../db/tables.ts"
import { findUserByEmail } from "../../db/users.ts"
import { type WorkspaceRow, withWorkspace } from "../../db/workspaces.ts"
import { badRequest } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { admitToWorkspace } from "../access.ts"
import { tokenProcedure } from "../trpc.ts"
import {
  invitationSchema,
  invitedEmailSchema,
  memberSchema,
  presentInvitation,
  presentMember,
  roleSchema,
} from "./memberSchema.ts"
import { requireSeat } from "./rules.ts"
import { workspaceIdSchema } from "./schema.ts"

const outputSchema = z.object({
  member: memberSchema.optional().describe("The person had an account and belongs to it now"),
  invitation: invitationSchema.optional().describe("The person has no account yet"),
})

/** Brings somebody into a workspace: at once, or as soon as they have an account. */
export const inviteProcedure = tokenProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/v1/workspaces/{workspaceId}/invitations",
      operationId: "createInvitation",
      tags: ["Workspaces"],
      summary: "Invite somebody",
      description:
        "For ADMINs, 403 for other roles. Whoever has an account becomes a member at once, others when their account is made; no mail is sent. Members and invitations, but for guests, take the seats of the plan: 400 when none is free, and for somebody who is a member or invited already.",
    },
  })
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      email: invitedEmailSchema,
      type: roleSchema.describe("Role that the person will have"),
    }),
  )
  .output(outputSchema)
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, email, type: role } = input
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const request = { workspaceId, userId: ctx.user.id }
    return await withWorkspace(ctx.db, request, async (locked, facts) => {
      const workspace = admitToWorkspace(facts, ctx.user, "manage")
      const { planLimits } = ctx.settings
      await holdEmail(locked, email)
      return await bringIn(locked, { workspace, email, role, planLimits })
    })
  })

type Invited = {
  workspace: WorkspaceRow
  email: string
  role: MemberRole
  planLimits: PlanLimits | undefined
}

async function bringIn(
  locked: Pick<Db, "kysely">,
  { workspace, email, role, planLimits }: Invited,
): Promise<z.infer<typeof outputSchema>> {
  const workspaceId = workspace.id
  const takeSeat = () => requireSeat(locked, workspace, { to: role, planLimits })
  const user = await findUserByEmail(locked, email)
  if (user === undefined) {
    if (await isInvited(locked, { workspaceId, email })) throw badRequest("Already invited")
    await takeSeat()
    const row = await insertInvitation(locked, { id: newId(), workspaceId, email, role })
    return { invitation: presentInvitation(row) }
  }
  const { name, image } = user
  const address = { workspaceId, userId: user.id }
  if (await findMember(locked, address)) throw badRequest("Already a member")
  await takeSeat()
  await insertMember(locked, { ...address, role })
  return { member: presentMember({ ...address, role, email, name, image }) }
}
