/** POST /api/v1/bots/{botId}/test */

import { z } from "zod"
import { readFlow } from "../../authoring/upgrade/validateFlow.ts"
import { maxTestFileLength } from "../../workshop/draftTests.ts"
import type { TestedConversation } from "../../workshop/testDraft.ts"
import { requireBotWithFlow } from "../access.ts"
import { botIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

const testedSchema = z
  .object({
    name: z.string().describe("What it shows"),
    hasPassed: z.boolean().describe("Whether the bot does all that is expected"),
    message: z.string().optional().describe("Why it fails; absent: it has passed"),
    line: z
      .int()
      .optional()
      .describe("Line of the step that fails; absent: it has passed, or no single step fails"),
    expected: z.string().optional().describe("What the step expects; absent: nothing in words"),
    actual: z.string().optional().describe("What the bot does; absent: nothing in words"),
    place: z.string().optional().describe("Where in the flow; absent: nowhere"),
    transcript: z.array(z.string()).describe("How the conversation went, its last lines"),
  })
  .meta({ id: "TestedConversation", description: "What came of a conversation of a test file" })

const exampleFile = [
  "bot: ./signup.json",
  "conversation:",
  "  - bot: Your name?",
  "  - user: Ann",
  "  - bot: { contains: Ann }",
  "expect: { completed: true }",
].join("\n")

/** Tests a draft with conversations in a file. */
export const testProcedure = tokenOperation("POST /bots/{botId}/test", {
  operationId: "testBot",
  admits: "botReaders",
  isAudited: false,
  tag: "Bots",
  summary: "Test the draft of a bot",
  description:
    "Plays the conversations of a test file, YAML or JSON, as `parley test` does: scripts run in the " +
    "sandbox, other systems are answered by the stubs of the file alone, clock and dice stand still, and " +
    "nothing is stored. A file has at most 50 conversations and 1,000 steps, for which it gets ten seconds, " +
    "and no aliases; its `bot` is ignored, and links lead nowhere. 400 says what is wrong with a file, by line.",
  example: {
    request: { file: exampleFile },
    response: {
      passed: 1,
      failed: 0,
      tests: [
        {
          name: "conversation",
          hasPassed: true,
          transcript: ["bot: Your name?", "input: text input", "user: Ann", "bot: Thanks, Ann!"],
        },
      ],
    },
  },
})
  .input(
    z.object({
      botId: botIdSchema,
      file: z
        .string()
        .min(1)
        .max(maxTestFileLength)
        .describe(
          "The test file: `conversation` is a list of steps such as `bot: text`, `user: text`, `input: type`; " +
            "`tests` is a list of such, each with a `name`; `start`, `http`, `calls` and `expect` are told by " +
            "`parley schema --test`",
        ),
    }),
  )
  .output(
    z.object({
      passed: z.int().describe("How many conversations went as expected"),
      failed: z.int().describe("How many did not"),
      tests: z.array(testedSchema).describe("Each conversation, in the order of the file"),
    }),
  )
  .mutation(async ({ ctx, input: { botId, file } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = await requireBotWithFlow(ctx, botId, "read")
    const flow = readFlow(bot)
    return counted(await ctx.draftTests.run({ owner: bot.workspaceId, flow, file }))
  })

function counted(tests: TestedConversation[]) {
  const passed = tests.filter(({ hasPassed }) => hasPassed).length
  return { passed, failed: tests.length - passed, tests }
}
