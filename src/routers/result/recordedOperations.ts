/** Transcript and trace of a recorded conversation. */
import { z } from "zod"
import { describeTrace } from "../../engine/recorded/describeTrace.ts"
import {
  type ConversationLine,
  isOld,
  rebuildConversation,
} from "../../engine/recorded/rebuildConversation.ts"
import { onlyRefuses } from "../../engine/recorded/recordedTurn.ts"
import { transcriptMarkdown } from "../../engine/recorded/transcriptMarkdown.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { variableValueSchema } from "../../engine/schema/variable.ts"
import { groupBy } from "../../lib/groupBy.ts"
import { fitting, maxBytes } from "../../lib/responseSize.ts"
import { requireBot } from "../../people/access.ts"
import { conversationTooLong, type ReadChat, readChat } from "../../results/readChat.ts"
import { exampleTime } from "../examples.ts"
import { botIdSchema, timestampSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { presentLog, resultIdSchema, resultLogSchema } from "./resultOperations.ts"

const operation = operationsOf("Results")

const blockSchema = namedObject("TracedBlock", "A block that a turn visited", {
  blockId: z.string().describe("Id of the block"),
  type: z.string().optional().describe("Type of the block; absent: it was deleted"),
  groupTitle: z.string().optional().describe("Title of its group; absent: it was deleted"),
  at: timestampSchema("When it was reached, estimated from the calls before it"),
  edgeId: z
    .string()
    .optional()
    .describe("Id of the edge that the chat took; absent: it stayed in the group, or stopped"),
})

const variableSchema = namedObject("TracedVariable", "A variable that a block set", {
  blockId: z.string().describe("The block that set it"),
  variableId: z.string().describe("Id of the variable"),
  name: z.string().optional().describe("Name of the variable; absent: it was deleted"),
  value: variableValueSchema
    .optional()
    .describe(
      "Value at that time; absent: no text, picture or condition uses it, or results do not store it",
    ),
  isSessionVariable: z.boolean().describe("Whether results never store its values"),
})

/** The common members of calls in traces. */
export const callShape = {
  kind: z
    .string()
    .describe("Kind of call, for example `http`, `email`, `model`, `mcpTool` or `script`"),
  status: z.enum(["done", "failed"]).describe("done: there was a response; failed: there was none"),
  httpStatus: z.int().optional().describe("HTTP status of the response; absent: not an HTTP call"),
  ms: z.int().describe("How long it took, in milliseconds"),
  tool: z
    .string()
    .optional()
    .describe("Name of the tool of an MCP server; absent: not a call of one"),
  provider: z
    .string()
    .optional()
    .describe("Provider of the language model, `other` if unknown; absent: not a call of a model"),
  model: z
    .string()
    .optional()
    .describe("Language model; absent: not a call of a model, or unknown"),
  inputTokens: z
    .int()
    .optional()
    .describe("Tokens sent to the model, all its steps together; absent: not reported"),
  outputTokens: z
    .int()
    .optional()
    .describe("Tokens that the model wrote, all its steps together; absent: not reported"),
}

const callSchema = namedObject("TracedCall", "A call to the outside world", {
  blockId: z
    .string()
    .optional()
    .describe("Id of the block that made it; absent: it validated a reply"),
  ...callShape,
})

const turnSchema = namedObject("TracedTurn", "Trace of one turn", {
  at: timestampSchema("When it was stored"),
  blocks: z.array(blockSchema).describe("The blocks that were visited, in order"),
  variables: z.array(variableSchema).describe("Variables that blocks set, without answers"),
  calls: z.array(callSchema).describe("Calls to the outside world, in order"),
  errors: z.array(resultLogSchema).describe("What went wrong"),
  isCut: z.boolean().describe("Whether the record was cut, at about 16,000 characters"),
})

const exampleLine = { at: exampleTime, groupTitle: "Sign up", type: "text" }

/** What a line of a conversation says. */
export const lineShape = {
  at: timestampSchema("When it was stored"),
  from: z
    .enum(["bot", "person", "team"])
    .describe("Who says it; team: a person who answers in the place of the bot"),
  author: z
    .string()
    .optional()
    .describe("Shown name of the person of the team; absent: none, or another line"),
  groupTitle: z.string().optional().describe("Title of the group; absent: the block is gone"),
  blockId: z
    .string()
    .optional()
    .describe(
      "Id of the bubble, or of the input that was answered; absent: the bot did not hear it, as it only started the chat, or was said while paused or by the team",
    ),
  type: z
    .enum(["text", "image", "video", "audio", "file", "embed", "custom-embed"])
    .describe("Type of the content"),
  text: z
    .string()
    .describe(
      "Text as Markdown, cut at 1,000 characters if the bot said it; for a file its name, for other types a URL",
    ),
  wasPaused: z
    .boolean()
    .optional()
    .describe("True: said while the chat was paused, so the bot did not receive it"),
}

const lineSchema = namedObject("TranscriptLine", "One line of a conversation", lineShape)

const reasonsOf = [
  [
    "isOld",
    "For some turns only the answers are stored: an earlier version recorded them, or no answer came in time",
  ],
  ["isPartial", "Long texts are cut, and values of session variables are left out"],
  ["isLong", "The last lines are left out: they do not fit into one response"],
] as const

const exampleTurn = (blocks: { blockId: string; type: string }[]) => ({
  at: exampleTime,
  blocks: blocks.map((block) => ({ ...block, groupTitle: "Sign up", at: exampleTime })),
  variables: [],
  calls: [],
  errors: [],
  isCut: false,
})

export const recorded = {
  transcript: operation("GET /bots/{botId}/results/{resultId}/transcript", {
    operationId: "getResultTranscript",
    admits: "botReaders",
    errorResponses: [422],
    summary: "Get the transcript of a result",
    description:
      "What the bot, the person and the team said, rejected replies and the words about them included. Needs a role at the bot. 422 when the conversation is too long for one answer.",
    example: {
      response: {
        lines: [
          { ...exampleLine, from: "bot", blockId: "b1", text: "Your name?" },
          { ...exampleLine, from: "person", blockId: "b2", text: "Ann" },
          { ...exampleLine, from: "bot", blockId: "b3", text: "Thanks, Ann!" },
        ],
        isExact: true,
        reasons: [],
      },
    },
    input: {
      botId: botIdSchema,
      resultId: resultIdSchema,
      format: z.enum(["json", "markdown"]).default("json").describe("markdown: a page to read"),
    },
    output: {
      lines: z.array(lineSchema).optional().describe("The lines, oldest first; absent in Markdown"),
      markdown: z.string().optional().describe("The page; only in Markdown"),
      isExact: z.boolean().describe("Whether it is exactly what the person was shown"),
      reasons: z.array(z.string()).describe("What is missing; empty when nothing is"),
    },
  }).query(async ({ ctx, input }) => {
    await requireBot(ctx, input.botId, "read")
    const { own, turns, bots } = await readChat(ctx, input)
    const kept = own.kept.map(({ createdAt, ...each }) => ({ ...each, at: createdAt.getTime() }))
    const { lines: all, isOld, isPartial } = rebuildConversation(turns, kept, bots)
    // A page has each line break twice.
    const most = input.format === "json" ? maxBytes : maxBytes / 2
    const lines = fitting(all, most)
    const missing = { isOld, isPartial, isLong: lines.length < all.length }
    const reasons = reasonsOf.flatMap(([name, reason]) => (missing[name] ? reason : []))
    const shared = { isExact: reasons.length === 0, reasons }
    if (input.format === "json") return { lines: lines.map(present), ...shared }
    return { markdown: transcriptMarkdown(lines, reasons), ...shared }
  }),

  trace: operation("GET /bots/{botId}/results/{resultId}/trace", {
    operationId: "getResultTrace",
    admits: "botReaders",
    errorResponses: [422],
    summary: "Get the trace of a result",
    description:
      "Turn by turn: blocks, edges, variables, calls and errors. Rejected replies change nothing and are not included. Needs a role at the bot. 422 when the conversation is too long for one answer.",
    example: {
      response: {
        turns: [
          exampleTurn([
            { blockId: "b1", type: "text" },
            { blockId: "b2", type: "text input" },
          ]),
          {
            ...exampleTurn([]),
            variables: [
              {
                blockId: "b2",
                variableId: "v1",
                name: "Name",
                value: "Ann",
                isSessionVariable: false,
              },
            ],
          },
          exampleTurn([{ blockId: "b3", type: "text" }]),
        ],
        isTraced: true,
      },
    },
    input: { botId: botIdSchema, resultId: resultIdSchema },
    output: {
      turns: z.array(turnSchema).describe("The turns, oldest first"),
      isTraced: z
        .boolean()
        .describe("False: some turns have no record of their blocks, as the transcript explains"),
    },
  }).query(async ({ ctx, input }) => {
    await requireBot(ctx, input.botId, "read")
    const chat = await readChat(ctx, input)
    const turns = presentTurns(chat)
    if (fitting(turns).length < turns.length) throw conversationTooLong()
    return { turns, isTraced: !isOld(chat.turns) }
  }),
}

function presentTurns({ result, own, turns, bots }: ReadChat): z.infer<typeof turnSchema>[] {
  const kept = new Set((result.variables as { id: string }[]).map(({ id }) => id))
  const errors = groupBy(
    own.logs.filter(({ status }) => status === "error"),
    ({ createdAt }) => createdAt.toISOString(),
  )
  return turns
    .filter((turn) => !onlyRefuses(turn))
    .map((turn) => {
      const at = new Date(turn.at).toISOString()
      const { blocks, variables, calls, isCut } = describeTrace(turn, bots, kept)
      return {
        at,
        blocks: blocks.map((block) => ({ ...block, at: new Date(block.at).toISOString() })),
        variables,
        calls,
        errors: (errors.get(at) ?? []).map(presentLog),
        isCut,
      }
    })
}

function present({ at, id: _, ...line }: ConversationLine) {
  return { at: new Date(at).toISOString(), ...line }
}
