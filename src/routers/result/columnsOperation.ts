/** GET /api/v1/bots/{botId}/results/columns */

import { z } from "zod"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { fitting } from "../../lib/responseSize.ts"
import { requireBot } from "../../people/access.ts"
import { collectColumnsOf } from "../../results/readColumns.ts"
import { exampleIds } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { botIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { filterMembers, filterOf } from "./resultFilter.ts"

const columnSchema = namedObject("ResultColumn", "A column of a table of results", {
  id: z
    .string()
    .describe(
      "What `resultsTablePreferences` call it: a member of `Result`, the id of an input or of a variable",
    ),
  title: z.string().describe("Its title, as exports have it; no two columns share one"),
  kind: z
    .enum(["fact", "input", "variable"])
    .describe("fact: a member of the result; input: what was answered; variable: its last value"),
  variableId: z
    .string()
    .optional()
    .describe("Id of the variable that takes the answers of an input; absent: none"),
})

export const columnsProcedure = tokenOperation("GET /bots/{botId}/results/columns", {
  operationId: "listResultColumns",
  admits: "botReaders",
  tag: "Results",
  summary: "List the columns of a table of results",
  description:
    "The columns of `exportResults` before `resultsTablePreferences` order and hide them. Covers the versions that the newest 50,000 results of the period ran, at most 50, and bots that these link.",
  example: {
    response: {
      columns: [
        { id: "id", title: "id", kind: "fact" },
        { id: "createdAt", title: "created", kind: "fact" },
        { id: "isCompleted", title: "completed", kind: "fact" },
        { id: "versionNumber", title: "version", kind: "fact" },
        { id: exampleIds.blockId, title: "Sign up: Name", kind: "input", variableId: "v1" },
        { id: "v1", title: "Name", kind: "variable" },
        { id: "endedAt", title: "ended", kind: "fact" },
        { id: "durationSeconds", title: "seconds", kind: "fact" },
      ],
    },
  },
  input: { botId: botIdSchema, ...filterMembers },
  output: { columns: z.array(columnSchema).describe("In the order of the flow, at most 16 MB") },
}).query(async ({ ctx, input }) => {
  const { botId } = input
  await requireBot(ctx, botId, "read")
  const filter = await filterOf(ctx.db, botId, input)
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  const collection = await collectColumnsOf(ctx, filter, { isBrief: true })
  const columns = collection
    .arranged(null)
    .map((column) => presentRow(columnSchema, { ...column, variableId: column.variableId }))
  return { columns: fitting(columns) }
})
