/** GET /api/v1/bots/{botId}/results/{resultId}/transcript */

import { z } from "zod"
import { type ConversationLine, rebuildConversation } from "../../engine/recorded/conversation.ts"
import { transcriptMarkdown } from "../../engine/recorded/transcriptMarkdown.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { fitting, mostBytes } from "../../pageOfAnswer.ts"
import { readChat } from "../../results/readChat.ts"
import { requireBot } from "../access.ts"
import { exampleTime } from "../examples.ts"
import { botIdSchema, timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { resultIdSchema } from "./schema.ts"

const exampleLine = { at: exampleTime, groupTitle: "Sign up", type: "text" }

const lineSchema = namedObject("TranscriptLine", "One line of a conversation", {
  at: timestampSchema("When the turn was stored"),
  from: z.enum(["bot", "person"]).describe("Who says it"),
  groupTitle: z.string().optional().describe("Title of the group; absent: the block is gone"),
  blockId: z
    .string()
    .optional()
    .describe(
      "Id of the bubble, or of the input that was answered; absent: the bot did not hear it, as it only started the chat or was said while paused",
    ),
  type: z
    .enum(["text", "image", "video", "audio", "embed", "custom-embed"])
    .describe("Type of the content"),
  text: z
    .string()
    .describe(
      "Text as Markdown, cut at 1,000 characters if the bot said it; for other types, a URL",
    ),
  wasPaused: z
    .boolean()
    .optional()
    .describe("True: said while the chat was paused, so the bot did not receive it"),
})

const reasonsOf = [
  [
    "isOld",
    "For some turns only the answers are stored: an earlier version recorded them, or nobody answered in time",
  ],
  ["isPartial", "Long texts are cut, and values of session variables are left out"],
  ["isLong", "The last lines are left out: they do not fit into one response"],
] as const

/** Reads a conversation as it was shown. */
export const transcriptProcedure = tokenOperation(
  "GET /bots/{botId}/results/{resultId}/transcript",
  {
    operationId: "getResultTranscript",
    admits: "botReaders",
    tag: "Results",
    errorResponses: [422],
    summary: "Get the transcript of a result",
    description:
      "What the bot and the person said. Rejected replies, and what the bot said about them, are not stored. Needs a role at the bot. 422 when the conversation is too long for one answer.",
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
  },
)
  .input(
    z.object({
      botId: botIdSchema,
      resultId: resultIdSchema,
      format: z.enum(["json", "markdown"]).default("json").describe("markdown: a page to read"),
    }),
  )
  .output(
    z.object({
      lines: z.array(lineSchema).optional().describe("The lines, oldest first; absent in Markdown"),
      markdown: z.string().optional().describe("The page; only in Markdown"),
      isExact: z.boolean().describe("Whether it is exactly what the person was shown"),
      reasons: z.array(z.string()).describe("What is missing; empty when nothing is"),
    }),
  )
  .query(async ({ ctx, input }) => {
    await requireBot(ctx, input.botId, "read")
    const { own, turns, bots } = await readChat(ctx, input)
    const kept = own.kept.map(({ createdAt, message }) => ({ at: createdAt.getTime(), message }))
    const { lines: all, isOld, isPartial } = rebuildConversation(turns, kept, bots)
    // A page says each line break twice.
    const most = input.format === "json" ? mostBytes : mostBytes / 2
    const lines = fitting(all, most)
    const missing = { isOld, isPartial, isLong: lines.length < all.length }
    const reasons = reasonsOf.flatMap(([name, reason]) => (missing[name] ? reason : []))
    const shared = { isExact: reasons.length === 0, reasons }
    if (input.format === "json") return { lines: lines.map(present), ...shared }
    return { markdown: transcriptMarkdown(lines, reasons), ...shared }
  })

function present({ at, ...line }: ConversationLine) {
  return { at: new Date(at).toISOString(), ...line }
}
