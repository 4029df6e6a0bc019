/** GET /api/v1/workspaces/{workspaceId}/auditLog */
import { z } from "zod"
import { type AuditEntry, listAuditEntries } from "../../db/people/auditLog.ts"
import { badRequest } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { requireWorkspace } from "../access.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { pageOf } from "../version/schema.ts"
import { workspaceIdSchema } from "./schema.ts"

const entrySchema = z
  .object({
    id: z.string().describe("Id of the entry"),
    at: timestampSchema("When it was changed"),
    operation: z.string().describe("What was done: the operationId of the API"),
    target: z
      .record(z.string(), z.string())
      .describe("Which things, by what the id names; never what was written into them"),
    counts: z.record(z.string(), z.number()).optional().describe("How many; absent: one"),
    user: z
      .object({
        id: z.string().describe("Id of the account"),
        name: z.string().nullable().describe("Name; null: it has none"),
        email: z.string().describe("Email address"),
      })
      .optional()
      .describe("Who; absent: the account is gone"),
    tokenId: z.string().optional().describe("The API token that was used"),
  })
  .meta({ id: "AuditEntry", description: "A change in a workspace" })

/** Lists who changed what. */
export const listAuditLogProcedure = tokenOperation(
  "GET /api/v1/workspaces/{workspaceId}/auditLog",
  {
    operationId: "listAuditLog",
    admits: "workspaceAdmins",
    tag: "Workspaces",
    summary: "List who changed what",
    description: "Newest first, of the last 400 days. For ADMINs; 403 for other members.",
  },
)
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      limit: z.number().int().min(1).max(200).default(50).describe("Most entries on a page"),
      cursor: z.string().optional().describe("`nextCursor` of the page before; absent: the first"),
    }),
  )
  .output(
    z.object({
      entries: z.array(entrySchema).describe("The page"),
      nextCursor: z.string().optional().describe("Of the next page; absent: this is the last"),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { workspaceId, limit, cursor } = input
    await requireWorkspace(ctx, workspaceId, "manage")
    if (cursor !== undefined && !isUuid(cursor)) throw badRequest("cursor is not one of this list")
    const rows = await listAuditEntries(ctx.db, { workspaceId, before: cursor, limit: limit + 1 })
    const { page, next } = pageOf(rows, limit, ({ id }) => id)
    return { entries: page.map(present), ...next }
  })

function present(row: AuditEntry): z.infer<typeof entrySchema> {
  const { id, operation, target, counts, userId, userEmail, userName, tokenId } = row
  return {
    id,
    at: row.createdAt.toISOString(),
    operation,
    target,
    ...(counts !== null && { counts }),
    ...(userId !== null &&
      userEmail !== null && { user: { id: userId, name: userName, email: userEmail } }),
    ...(tokenId !== null && { tokenId }),
  }
}
