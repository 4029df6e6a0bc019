/** GET /api/v1/bots/{botId}/results/{resultId}/transcript */
import { z } from "zod"
import type { ConversationLine } from "../../engine/recorded/replayTurns.ts"
import type { Inexactness } from "../../engine/recorded/stage.ts"
import { transcriptMarkdown } from "../../engine/recorded/transcriptMarkdown.ts"
import { requireBot } from "../access.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { readChat } from "./recordedChat.ts"
import { botIdSchema, resultIdSchema } from "./schema.ts"
import { tellChat } from "./tellChat.ts"

const lineSchema = z
  .object({
    at: timestampSchema("When the turn was stored"),
    from: z.enum(["bot", "person"]).describe("Who says it"),
    groupTitle: z.string().optional().describe("Title of the group; absent: the block is gone"),
    blockId: z
      .string()
      .optional()
      .describe("The bubble that says it, or the input that it answers; absent: `wasPaused`"),
    type: z
      .enum(["text", "image", "video", "audio", "embed", "custom-embed"])
      .describe("What it is"),
    text: z.string().describe("Texts as Markdown; an address for everything else"),
    wasPaused: z
      .boolean()
      .optional()
      .describe("True: said while the chat was paused, so that the bot did not hear it"),
  })
  .meta({ id: "TranscriptLine", description: "One line of a conversation" })

const why: Record<Inexactness, string> = {
  untraced: "It began before the way of each turn was kept, and follows the flow by its answers",
  cut: "A turn did more than is kept of it",
  versionGone: "A version that it ran is gone",
  code: "A text holds code, which gives what it gives now, or is shown as it stands",
  linked: "A value that is not kept went into a linked bot, or came out of it",
  sessionVariable: "A value of a session variable is shown or decides: results do not keep these",
  replyLost: "A reply started an event and was never processed: only processed replies are kept",
  forgotten: "Nobody answered, and values of such chats are kept for hours only",
}

/** Reads a conversation as it was shown. */
export const transcriptProcedure = tokenOperation(
  "GET /api/v1/bots/{botId}/results/{resultId}/transcript",
  {
    operationId: "getResultTranscript",
    admits: "botReaders",
    tag: "Results",
    summary: "Get the transcript of a result",
    description:
      "What bot and person said. Replies that were refused, and the words of the bot about them, are not kept. Needs a role at the bot.",
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
      isExact: z.boolean().describe("Whether it is what the person was shown, for certain"),
      reasons: z.array(z.string()).describe("Why it is not certain; none when it is"),
    }),
  )
  .query(async ({ ctx, input }) => {
    await requireBot(ctx, input.botId, "read")
    const chat = await readChat(ctx, input)
    const told = await tellChat(ctx, chat)
    const reasons = [...told.inexact].map((reason) => why[reason])
    const shared = { isExact: reasons.length === 0, reasons }
    if (input.format === "json") return { lines: told.lines.map(present), ...shared }
    return { markdown: transcriptMarkdown(told.lines, reasons), ...shared }
  })

function present({ at, ...line }: ConversationLine) {
  return { at: new Date(at).toISOString(), ...line }
}
