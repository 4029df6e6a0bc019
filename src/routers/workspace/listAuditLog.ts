/** GET /api/v1/workspaces/{workspaceId}/auditLog */

import { z } from "zod"
import { type AuditEntry, listAuditEntries } from "../../db/people/auditLog.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { requireWorkspace } from "../access.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleAuthor, exampleIds, exampleTime } from "../examples.ts"
import { presentRow, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

const entrySchema = namedObject("AuditEntry", "A change in a workspace", {
  id: z.string().describe("Id of the entry"),
  at: timestampSchema("When it was last changed"),
  operation: z.string().describe("The operationId of what was done"),
  target: z
    .record(z.string(), z.string())
    .describe("Ids of what was changed, by kind; never its contents"),
  counts: z
    .record(z.string(), z.number())
    .optional()
    .describe("How many things were changed, by kind; absent: one"),
  user: z
    .object({
      id: z.string().describe("Id of the account"),
      name: z.string().nullable().describe("Name; null: none"),
      email: z.string().describe("Email address"),
    })
    .optional()
    .describe("Who changed it; absent: the account was deleted"),
  tokenId: z.string().optional().describe("The API token that was used"),
})

/** Lists who changed what. */
export const listAuditLogProcedure = tokenOperation("GET /workspaces/{workspaceId}/auditLog", {
  operationId: "listAuditLog",
  admits: "workspaceAdmins",
  tag: "Workspaces",
  summary: "List the audit log",
  description: "Newest first, of the last 400 days. For ADMINs; 403 for other members.",
  example: {
    query: { limit: 1 },
    response: {
      entries: [
        {
          id: "019e4ec0-f94b-7c05-8b22-3c33d44e55f6",
          at: exampleTime,
          operation: "deleteWebhookEndpoint",
          target: { endpointId: exampleIds.endpointId, workspaceId: exampleIds.workspaceId },
          user: exampleAuthor,
          tokenId: "f1i2r3s4t5t6o7k8e9n0a1b2",
        },
      ],
      nextCursor: "DgzuAblBWXYOKMOnocPfeS3lnifPfSINBe2V6TzOy8LMYd",
    },
  },
})
  .input(z.object({ workspaceId: workspaceIdSchema, ...pageMembers }))
  .output(pageSchema.extend({ entries: z.array(entrySchema).describe("Newest first") }))
  .query(async ({ ctx, input }) => {
    const { workspaceId, limit, cursor } = input
    await requireWorkspace(ctx, workspaceId, "manage")
    const cursors = cursorsOf(ctx, ["listAuditLog", workspaceId], z.guid())
    const before = cursors.read(cursor)
    const rows = await listAuditEntries(ctx.db, { workspaceId, before, limit: limit + 1 })
    const { page, last } = pageOf(rows, limit)
    return { entries: page.map(present), ...cursors.write(last?.id) }
  })

function present(row: AuditEntry): z.infer<typeof entrySchema> {
  const { userId: id, userName: name, userEmail: email } = row
  const user = id === null || email === null ? null : { id, name, email }
  return presentRow(entrySchema, { ...row, at: row.createdAt, user })
}
