/** Operations on the members of a workspace. */

import { z } from "zod"
import { deleteMember, findMember, listMembers, updateMember } from "../../db/people/members.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { notFound } from "../../errors.ts"
import { manageWorkspace, requireWorkspace } from "../access.ts"
import { exampleAuthor, exampleIds } from "../examples.ts"
import { reaches } from "../grants.ts"
import { done, doneSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import {
  exampleMember,
  memberAddressSchema,
  memberSchema,
  presentMember,
  roleSchema,
} from "./memberSchema.ts"
import { requireOtherAdmin, requireSeat } from "./rules.ts"
import { workspaceIdSchema } from "./schema.ts"

export const members = {
  listMembers: tokenOperation("GET /workspaces/{workspaceId}/members", {
    operationId: "listMembers",
    admits: "workspaceViewers",
    tag: "Workspaces",
    summary: "List the members of a workspace",
    description:
      "For members of any role; guests see only their own email address. Ordered by when they joined.",
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
  })
    .input(z.object({ workspaceId: workspaceIdSchema }))
    .output(z.object({ members: z.array(memberSchema).describe("The members, including guests") }))
    .query(async ({ ctx, input: { workspaceId } }) => {
      const { role } = await requireWorkspace(ctx, workspaceId, "see")
      const members = await listMembers(ctx.db, workspaceId)
      const viewer = { userId: ctx.user.id, role }
      return { members: members.map((member) => presentMember(member, viewer)) }
    }),

  updateMember: tokenOperation("PATCH /workspaces/{workspaceId}/members/{userId}", {
    operationId: "updateMember",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Change the role of a member",
    description:
      "For ADMINs, 403 for other roles. 400 for the last ADMIN, and when a guest needs a seat and none is free.",
    example: { request: { role: "ADMIN" }, response: done },
  })
    .input(memberAddressSchema.extend({ role: roleSchema }))
    .output(doneSchema)
    .mutation(async ({ ctx, input: { workspaceId, userId, role } }) => {
      await manageWorkspace(ctx, workspaceId, async (locked, workspace) => {
        const member = await findMember(locked, { workspaceId, userId })
        if (member === undefined) throw notFound("Member")
        const { planLimits } = ctx.settings
        await requireSeat(locked, workspace, { from: member.role, to: role, planLimits })
        if (role !== "ADMIN") await requireOtherAdmin(locked, member)
        await updateMember(locked, { workspaceId, userId, role })
      })
      return done
    }),

  deleteMember: tokenOperation("DELETE /workspaces/{workspaceId}/members/{userId}", {
    operationId: "deleteMember",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "Remove a member",
    description:
      "For ADMINs, 403 for other roles. Also ends the sharing of bots with the member. 400 for the last ADMIN.",
    example: { response: done },
  })
    .input(memberAddressSchema)
    .output(doneSchema)
    .mutation(async ({ ctx, input: address }) => {
      await manageWorkspace(ctx, address.workspaceId, async (locked) => {
        const member = await findMember(locked, address)
        if (member === undefined) throw notFound("Member")
        await requireOtherAdmin(locked, member)
        await deleteMember(locked, address)
      })
      return done
    }),

  leave: tokenOperation("POST /workspaces/{workspaceId}/leave", {
    operationId: "leaveWorkspace",
    admits: "workspaceViewers",
    tag: "Workspaces",
    summary: "Leave a workspace",
    description:
      "For members of any role, even while the workspace is suspended. Also ends the sharing of its " +
      "bots with the caller. 400 for the last ADMIN.",
    example: { response: done },
  })
    .input(z.object({ workspaceId: workspaceIdSchema }))
    .output(doneSchema)
    .mutation(async ({ ctx, input: { workspaceId } }) => {
      const address = { workspaceId, userId: ctx.user.id }
      await withWorkspace(ctx.db, address, async (locked, facts) => {
        if (!facts?.role || !reaches(ctx.user, address)) throw notFound("Workspace")
        await requireOtherAdmin(locked, { ...address, role: facts.role })
        await deleteMember(locked, address)
      })
      return done
    }),
}
