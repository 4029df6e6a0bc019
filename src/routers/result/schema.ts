/** Results and their logs in responses. */

import { z } from "zod"
import type { StoredLog } from "../../db/results/results.ts"
import { cut } from "../../engine/cut.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { variableSchema } from "../../engine/schema/variable.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { presentRow, timestampSchema, versionNumberSchema } from "../sharedSchemas.ts"

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

/** A result with its answers. */
export const resultSchema = namedObject("Result", "A recorded conversation", {
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
})

/** A log of a result. */
export const resultLogSchema = namedObject("ResultLog", "Something that happened in a chat", {
  id: z.string().describe("Id of the line"),
  createdAt: timestampSchema("When it happened"),
  resultId: z.string().describe("The result that it belongs to"),
  status: z.string().describe("error, success or info"),
  description: z.string().describe("What happened"),
  details: z.string().nullable().describe("Details; null: none"),
  context: z.string().nullable().describe("What was being done; null: unknown"),
})

/** Longest text of a log in a response: the limit when it was stored, plus the mark of a cut. */
export const longestText = 1_003

/** Presents a log. */
export function presentLog(row: StoredLog): z.infer<typeof resultLogSchema> {
  return presentRow(resultLogSchema, {
    ...row,
    description: cut(row.description, longestText),
    details: row.details && cut(row.details, longestText),
    context: row.context && cut(row.context, longestText),
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
