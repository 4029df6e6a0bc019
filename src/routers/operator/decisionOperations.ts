/** What operators have decided, in all workspaces. */
import { z } from "zod"
import { listDecisions } from "../../db/people/auditLog.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema, uuidPositionSchema } from "../cursor.ts"
import { exampleAuthor, exampleIds, exampleTime, exampleWorkspace } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { auditUserSchema } from "../workspace/workspaceOperations.ts"

const operation = operationsOf("Operator")

const decisionSchema = namedObject("OperatorDecision", "What an operator has done", {
  id: z.string().describe("Id of the entry"),
  at: timestampSchema("When it happened"),
  operation: z.string().describe("The operationId of what was done"),
  workspaceId: z.string().describe("Workspace that it is about"),
  workspaceName: z.string().optional().describe("Its name; absent: it was deleted"),
  botId: z.string().optional().describe("Bot that it is about; absent: none, or it was deleted"),
  botName: z.string().optional().describe("Name of the bot"),
  user: auditUserSchema
    .optional()
    .describe("The operator; absent: a command, a job or Stripe, or the account was deleted"),
})

export const decisions = {
  listDecisions: operation("GET /operator/decisions", {
    operationId: "listDecisions",
    admits: "operators",
    summary: "List what operators have decided",
    description:
      "Newest first, of the last 400 days: entries of the audit logs that are by an operator, with the operator.",
    example: {
      query: { workspaceId: exampleIds.workspaceId, limit: 1 },
      response: {
        decisions: [
          {
            id: "019e4ec0-f94b-7c05-8b22-3c33d44e55f7",
            at: exampleTime,
            operation: "decideBot",
            workspaceId: exampleIds.workspaceId,
            workspaceName: exampleWorkspace.name,
            botId: exampleIds.botId,
            botName: "Newsletter",
            user: exampleAuthor,
          },
        ],
        nextCursor: "DgzuAblBWXYOKMOnocPfeS3lnifPfSINBe2V6TzOy8LMYd",
      },
    },
    input: {
      workspaceId: z.string().min(1).max(255).optional().describe("Only about this workspace"),
      ...pageMembers,
    },
    output: pageSchema.extend({ decisions: z.array(decisionSchema).describe("Newest first") }),
  }).query(async ({ ctx, input: { workspaceId, limit, cursor } }) => {
    const cursors = cursorsOf(ctx, ["listDecisions", workspaceId], uuidPositionSchema)
    const before = cursors.read(cursor)
    const rows = await listDecisions(ctx.db, { workspaceId, before, limit: limit + 1 })
    const { page, last } = pageOf(rows, limit)
    return { decisions: page.map(present), ...cursors.write(last?.id) }
  }),
}

function present(row: Awaited<ReturnType<typeof listDecisions>>[number]) {
  const { userId: id, userName: name, userEmail: email } = row
  const user = id === null || email === null ? null : { id, name, email }
  return presentRow(decisionSchema, { ...row, at: row.createdAt, user })
}
