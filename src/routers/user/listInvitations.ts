/** GET /api/v1/users/me/invitations */
import { z } from "zod"
import { listOwnInvitations } from "../../db/people/invitations.ts"
import { tokenOperation } from "../trpc.ts"
import { ownInvitationSchema, presentOwnInvitation } from "./schema.ts"

/** A user may have any number, since anyone may invite them. */
const limit = 100

/** Lists the invitations of the caller that wait for an answer. */
export const listInvitationsProcedure = tokenOperation("GET /api/v1/users/me/invitations", {
  operationId: "listMyInvitations",
  admits: "accounts",
  tag: "Users",
  summary: "List your invitations",
  description: `Those of the caller's mail address that wait for an answer, the newest ${limit}.`,
})
  .output(z.object({ invitations: z.array(ownInvitationSchema).describe("Newest first") }))
  .query(async ({ ctx }) => {
    const rows = await listOwnInvitations(ctx.db, { email: ctx.user.email, limit })
    return { invitations: rows.map(presentOwnInvitation) }
  })
