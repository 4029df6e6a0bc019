/** The caller's own invitations in requests and responses. */
import { z } from "zod"
import type { OwnInvitation } from "../../db/people/invitations.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { roleSchema } from "../workspace/memberSchema.ts"

/** An invitation of the caller, in paths. */
export const ownInvitationAddressSchema = z.object({
  invitationId: z.string().min(1).describe("Id of the invitation"),
})

/** An invitation of the caller. */
export const ownInvitationSchema = z
  .object({
    id: z.string().describe("Id of the invitation"),
    type: roleSchema.describe("Role that the caller will have"),
    workspace: z
      .object({
        id: z.string().describe("Id of the workspace"),
        name: z.string().describe("Name"),
        icon: z.string().nullable().describe("Emoji or address of a picture; null: none"),
      })
      .meta({ id: "InvitingWorkspace", description: "Where an invitation leads" }),
    createdAt: timestampSchema("When it was made"),
    updatedAt: timestampSchema("When it was last changed"),
  })
  .meta({ id: "OwnInvitation", description: "An invitation of the caller into a workspace" })

/** Presents an invitation to its recipient. */
export function presentOwnInvitation({
  workspaceId,
  workspace,
  ...row
}: OwnInvitation): z.infer<typeof ownInvitationSchema> {
  return {
    id: row.id,
    type: row.role,
    workspace: { id: workspaceId, ...workspace },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
