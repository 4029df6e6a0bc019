/** Reads and deletes results, and reads their logs. */
import { z } from "zod"
import { listBotIds } from "../../db/results/erasure.ts"
import {
  countUnarchived,
  findResult,
  listLogs,
  maxLines,
  type StoredLog,
} from "../../db/results/results.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { variableSchema } from "../../engine/schema/variable.ts"
import { cut } from "../../lib/cut.ts"
import { badRequest, orNotFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { fitting } from "../../lib/responseSize.ts"
import { requireBot } from "../../people/access.ts"
import { archiveResults, type ResultSelection } from "../../results/archiveResults.ts"
import { readResultPage } from "../../results/listResults.ts"
import { fitTogether, readResults } from "../../results/readResults.ts"
import { withUsage } from "../../results/withUsage.ts"
import { cursorSchema, cursorsOf, pageSchema, uuidPositionSchema } from "../cursor.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import {
  botIdSchema,
  done,
  doneSchema,
  queryFlag,
  timestampSchema,
  versionNumberSchema,
} from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { filterMembers, filterOf } from "./resultFilter.ts"

/** A result, in paths. */
export const resultIdSchema = z
  .string()
  .describe("Id of the result, as the start of the chat gave it")

const answerSchema = namedObject("Answer", "An accepted reply", {
  blockId: z.string().describe("The input that asked"),
  name: z
    .string()
    .optional()
    .describe(
      "Its variable, else the title of its group, numbered from its second input on, cut at 100 characters; absent: the input was deleted",
    ),
  groupTitle: z
    .string()
    .optional()
    .describe("Title of its group, cut at 100 characters; absent: the input was deleted"),
  variableName: z
    .string()
    .optional()
    .describe("Name of the variable that stores its answers, cut at 100 characters; absent: none"),
  content: z.string().describe("What was answered, as it was saved"),
  attachedFileUrls: z.array(z.string()).optional().describe("URLs of attached files; absent: none"),
})

const tokens = {
  calls: z.int().describe("Calls of language models, failed ones included"),
  inputTokens: z.int().describe("Tokens sent, as far as providers report them"),
  outputTokens: z.int().describe("Tokens written by models, as far as providers report them"),
}

const usageSchema = namedObject("ResultUsage", "What calls of language models used", {
  ...tokens,
  byModel: z
    .array(
      namedObject("ModelUsage", "What one language model used", {
        provider: z.string().describe("Provider, `other` if unknown"),
        model: z.string().optional().describe("The model; absent: unknown"),
        ...tokens,
      }),
    )
    .describe("By provider and model, at most 100"),
})

const resultSchema = namedObject("Result", "A recorded conversation", {
  id: z.string().describe("Id of the result"),
  createdAt: timestampSchema("When the chat started"),
  botId: z.string().describe("Id of the bot"),
  versionNumber: versionNumberSchema
    .optional()
    .describe("Number of the version that the chat ran; absent: it was deleted"),
  variables: z
    .array(variableSchema)
    .describe("Variables that have a value; names are cut at 100 characters"),
  isCompleted: z.boolean().describe("Whether the chat reached an end"),
  endedAt: timestampSchema(
    "When the last answer of a completed chat was given; absent: the chat is not completed",
  ).optional(),
  durationSeconds: z
    .int()
    .optional()
    .describe("Whole seconds from `createdAt` to `endedAt`; absent: the chat is not completed"),
  hasStarted: z.boolean().describe("Whether there is an answer"),
  isArchived: z.boolean().describe("Whether it was deleted, which leaves it empty"),
  lastChatSessionId: z.string().nullable().describe("Id of its last session; null: unknown"),
  answers: z.array(answerSchema).describe("What was answered, oldest first"),
  usage: usageSchema
    .optional()
    .describe(
      "What calls of language models used, only in `getResult` and exports as JSON; absent: there were none",
    ),
})

export const resultLogSchema = namedObject("ResultLog", "Something that happened in a chat", {
  id: z.string().describe("Id of the line"),
  createdAt: timestampSchema("When it happened"),
  resultId: z.string().describe("The result that it belongs to"),
  status: z.string().describe("error, success or info"),
  description: z.string().describe("What happened"),
  details: z.string().nullable().describe("Details; null: none"),
  context: z.string().nullable().describe("What was being done; null: unknown"),
})

/** Max length of a log text in a response: the limit when stored, plus the mark of a cut. */
const maxTextLength = 1_003

export function presentLog(row: StoredLog): z.infer<typeof resultLogSchema> {
  return presentRow(resultLogSchema, {
    ...row,
    description: cut(row.description, maxTextLength),
    details: row.details && cut(row.details, maxTextLength),
    context: row.context && cut(row.context, maxTextLength),
  })
}

/** The result of the chat of the examples. */
export const exampleResult = {
  id: exampleIds.resultId,
  createdAt: exampleTime,
  botId: exampleIds.botId,
  versionNumber: 1,
  variables: [{ id: "v1", name: "Name", isSessionVariable: false, value: "Ann" }],
  isCompleted: true,
  endedAt: exampleTime,
  durationSeconds: 12,
  hasStarted: true,
  isArchived: false,
  lastChatSessionId: exampleIds.sessionId,
  answers: [
    { blockId: "b2", name: "Name", groupTitle: "Sign up", variableName: "Name", content: "Ann" },
  ],
}

const operation = operationsOf("Results")

const deletionSchema = z.object({
  botId: botIdSchema,
  resultIds: z
    .string()
    .max(50_000)
    .optional()
    .describe("Ids separated by commas; required unless `all` is true"),
  all: queryFlag("Whether to delete all results of the bot"),
  dryRun: queryFlag("Whether to only count, and delete nothing"),
})

export const results = {
  get: operation("GET /bots/{botId}/results/{resultId}", {
    operationId: "getResult",
    admits: "botReaders",
    summary: "Get a result",
    description:
      "Needs a role at the bot: public sharing does not open results. Archived results are empty.",
    example: { response: { result: exampleResult } },
    input: { botId: botIdSchema, resultId: resultIdSchema },
    output: { result: resultSchema },
  }).query(async ({ ctx, input: { botId, resultId } }) => {
    await requireBot(ctx, botId, "read")
    const row = isUuid(resultId) ? await findResult(ctx.db, { botId, resultId }) : undefined
    const [result] = row === undefined ? [] : await withUsage(ctx.db, await readResults(ctx, [row]))
    return { result: orNotFound(result, "Result") }
  }),

  list: operation("GET /bots/{botId}/results", {
    operationId: "listResults",
    admits: "botReaders",
    summary: "List results",
    description:
      "Results with an answer that are not archived, newest first. The `starts` of `getAnalytics` also count chats without an answer. With `status` or `version` a page covers at most 50,000 results, with `search` as many as half a second is enough for: a page may be short or even empty although it has a `nextCursor`. A page ends at 16 MB. In a result that is larger, or has more than 10,000 answers, long answers are cut and the last ones left out.",
    example: { response: { results: [exampleResult] } },
    input: {
      botId: botIdSchema,
      limit: z.int().min(1).max(500).default(50).describe("Maximum number of results per page"),
      cursor: cursorSchema,
      ...filterMembers,
    },
    output: pageSchema.extend({ results: z.array(resultSchema).describe("Newest first") }),
  }).query(async ({ ctx, input }) => {
    const { botId, limit, cursor } = input
    await requireBot(ctx, botId, "read")
    const cursors = cursorsOf(ctx, ["listResults", botId], uuidPositionSchema)
    const startAt = cursors.read(cursor)
    const filter = await filterOf(ctx.db, botId, input)
    const page = await readResultPage(ctx.db, filter, { startAt, limit })
    const read = await readResults(ctx, page.results, page.sizes)
    // Usually pages are small, and need not be serialized to be measured.
    const results = fitTogether(page.sizes) ? read : fitting(read)
    return { results, ...cursors.write(read[results.length]?.id ?? page.next) }
  }),

  listLogs: operation("GET /bots/{botId}/results/{resultId}/logs", {
    operationId: "listResultLogs",
    admits: "botReaders",
    summary: "List the logs of a result",
    description:
      "Oldest first, at most 16 MB. Texts are cut at 1,000 characters. Needs a role at the bot.",
    example: {
      response: {
        logs: [
          {
            id: "019e4ec0-f94b-7c01-8b22-3c33d44e55f6",
            createdAt: exampleTime,
            resultId: exampleIds.resultId,
            status: "error",
            description: "A script failed",
            details: "x is not defined",
            context: null,
          },
        ],
      },
    },
    input: { botId: botIdSchema, resultId: resultIdSchema },
    output: {
      logs: z.array(resultLogSchema).describe("The lines"),
      isCut: z.boolean().optional().describe("True: there are more logs than fit into a response"),
    },
  }).query(async ({ ctx, input: { botId, resultId } }) => {
    await requireBot(ctx, botId, "read")
    const address = { botId, resultId }
    const found = isUuid(resultId) ? await listLogs(ctx.db, address, maxTextLength + 1) : undefined
    const rows = orNotFound(found, "Result")
    const logs = fitting(rows.slice(0, maxLines).map(presentLog))
    return { logs, ...(logs.length < rows.length && { isCut: true }) }
  }),

  delete: operation("DELETE /bots/{botId}/results", {
    operationId: "deleteResults",
    admits: "botWriters",
    summary: "Delete results",
    description:
      "Archives the named results, or all with `all=true`: deletes their answers, logs, files and running chats. Ids that the bot does not have are ignored. `dryRun=true` only counts the results.",
    example: { query: { resultIds: exampleIds.resultId }, response: { ...done, count: 1 } },
    input: deletionSchema,
    output: doneSchema.extend({
      count: z.int().describe("How many results were deleted, or would be"),
    }),
  }).mutation(async ({ ctx, input }) => {
    const { botId, dryRun } = input
    const { workspaceId } = await requireBot(ctx, botId, "write")
    const selection = selectionOf(input)
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const archived = { botId, selection, workspaceBotIds: await listBotIds(ctx.db, workspaceId) }
    const count = dryRun
      ? await countUnarchived(ctx.db, { botId, ...(selection !== "all" && { among: selection }) })
      : await archiveResults({ db: ctx.db, files: ctx.uploads.files }, archived)
    if (dryRun) ctx.audit?.skip()
    ctx.audit?.count({ results: count })
    return { ...done, count }
  }),
}

// An empty or missing list is a mistake: only `all` deletes everything.
function selectionOf({ resultIds = "", all }: z.infer<typeof deletionSchema>): ResultSelection {
  const ids = resultIds.split(",").map((id) => id.trim())
  const isEmpty = ids.every((id) => id === "")
  if (all && !isEmpty) throw badRequest("Set resultIds or all=true, not both")
  if (all) return "all"
  if (isEmpty) throw badRequest("Name the results in resultIds, or set all=true to delete all")
  return ids.filter(isUuid)
}
