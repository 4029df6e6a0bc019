/** GET /api/v1/billing/usage */

import { z } from "zod"
import { findChats } from "../../db/results/usage.ts"
import { notFound } from "../../errors.ts"
import { monthOf } from "../../plans.ts"
import { requireWorkspace } from "../access.ts"
import { exampleIds } from "../examples.ts"
import { timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

/** Returns how many chats a workspace has used this month. */
export const getUsageProcedure = tokenOperation("GET /billing/usage", {
  operationId: "getUsage",
  admits: "workspaceStaff",
  scope: "results:read",
  tag: "Workspaces",
  summary: "Get the chats used in this month",
  description:
    "For members except guests. Counts chats with at least one answer that started in this calendar month (UTC). The count is updated every five minutes.",
  example: {
    query: { workspaceId: exampleIds.workspaceId },
    response: { totalChatsUsed: 1, resetsAt: "2026-06-01T00:00:00.000Z" },
  },
})
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(
    z.object({
      totalChatsUsed: z.int().min(0).describe("Chats of this month, including deleted ones"),
      resetsAt: timestampSchema("When the count starts again from 0"),
    }),
  )
  .query(async ({ ctx, input: { workspaceId } }) => {
    const { role } = await requireWorkspace(ctx, workspaceId, "see")
    if (role === "GUEST") throw notFound("Workspace")
    const month = monthOf(Date.now())
    const totalChatsUsed = await findChats(ctx.db, { workspaceId, periodStart: month.start })
    return { totalChatsUsed, resetsAt: new Date(month.endMs).toISOString() }
  })
