/** Checks bots and changes nothing: the linter, and tests in files. */
import { z } from "zod"
import { readFlow } from "../../authoring/upgrade/validateFlow.ts"
import { referencesOf } from "../../bots/flowReferences.ts"
import type { LintReport } from "../../bots/heavy/heavyJobs.ts"
import { surroundingsOf } from "../../bots/surroundings.ts"
import { withoutSecrets } from "../../effects/variables/turnVariables.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { namesWorkspaceVariable } from "../../engine/variables/workspaceVariables.ts"
import { userParty } from "../../lib/party.ts"
import { type AuthContext, requireBotWithFlow, requireWorkspace } from "../../people/access.ts"
import { maxTestFileLength } from "../../workshop/draftTests.ts"
import type { TestedConversation } from "../../workshop/testDraft.ts"
import type { Context } from "../context.ts"
import { exampleIds } from "../examples.ts"
import { botIdSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { presentBot, presentToGuest } from "./botSchemas.ts"
import { findingSchema } from "./findingSchemas.ts"

const operation = operationsOf("Bots")

const maxFindings = 500

const testedSchema = namedObject("TestedConversation", "Result of a conversation of a test file", {
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

const exampleFile = [
  "bot: ./signup.json",
  "conversation:",
  "  - bot: Your name?",
  "  - user: Ann",
  "  - bot: { contains: Ann }",
  "expect: { completed: true }",
].join("\n")

const countOf = (what: string) => z.int().describe(`How many ${what} there are`)

export const checks = {
  lint: operation("POST /bots/lint", {
    operationId: "lintBot",
    admits: ["botViewers", "workspaceListers", "accounts"],
    scope: "bots:read",
    isAudited: false,
    errorResponses: [422],
    summary: "Check a bot",
    description:
      "Lists what is wrong with a bot of the service (`botId`) or with one in the body (`bot`), " +
      "ordered by pointer. The status is 200 for any `bot`: what cannot be read becomes a finding.",
    example: {
      request: { botId: exampleIds.botId },
      response: { findings: [], errorCount: 0, warningCount: 0 },
    },
    input: z
      .object({
        bot: z.unknown().optional().describe("The bot to check, as an import takes it"),
        botId: botIdSchema.optional().describe("Id of a stored bot to check, instead of `bot`"),
        workspaceId: workspaceIdSchema
          .optional()
          .describe(
            "Workspace in which `bot` is checked; absent: its credentials and links are assumed to exist",
          ),
      })
      .refine(({ bot, botId }) => (bot === undefined) !== (botId === undefined), {
        message: "Send either a bot or a botId",
      }),
    output: {
      findings: z.array(findingSchema).describe(`What is wrong, the first ${maxFindings}`),
      errorCount: countOf("errors"),
      warningCount: countOf("warnings"),
    },
  }).mutation(async ({ ctx, input: { bot, botId, workspaceId } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    return botId === undefined ? lintSent(ctx, bot, workspaceId) : lintStored(ctx, botId)
  }),

  test: operation("POST /bots/{botId}/test", {
    operationId: "testBot",
    admits: "botReaders",
    isAudited: false,
    summary: "Test the draft of a bot",
    description:
      "Plays the conversations of a test file, YAML or JSON, as `parley test` does: scripts run in the " +
      "sandbox, other systems are answered by the stubs of the file alone, variables of the workspace that the file " +
      "does not set have their values (secrets are `•••`), clock and dice stand still, and " +
      "nothing is stored. A file has at most 50 conversations and 1,000 steps, for which it gets ten seconds " +
      "and half a second of computing, and no aliases; its `bot` is ignored, and links lead nowhere. 400 says what is wrong with a file, by line.",
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
    input: {
      botId: botIdSchema,
      file: z
        .string()
        .min(1)
        .max(maxTestFileLength)
        .describe(
          "The test file: `conversation` is a list of steps such as `bot: text`, `user: text`, `input: type`; " +
            "`tests` is a list of such, each with a `name`; `parley schema --test` documents `start`, `http`, " +
            "`calls` and `expect`",
        ),
    },
    output: {
      passed: z.int().describe("How many conversations went as expected"),
      failed: z.int().describe("How many did not"),
      tests: z.array(testedSchema).describe("Each conversation, in the order of the file"),
    },
  }).mutation(async ({ ctx, input: { botId, file } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const bot = await requireBotWithFlow(ctx, botId, "read")
    const flow = readFlow(bot)
    const known = namesWorkspaceVariable(flow) ? await ctx.chat.variables.of(bot.workspaceId) : []
    const workspace = withoutSecrets(new Map(known))
    const party = userParty(ctx.user.id)
    return counted(await ctx.draftTests.run({ party, flow, file, workspace }))
  }),
}

type Linter = AuthContext & Pick<Context, "heavy">

async function lintStored(ctx: Linter, botId: string): Promise<LintReport> {
  const row = await requireBotWithFlow(ctx, botId, "see")
  // Guests must not learn about the workspace.
  if (row.mode === "guest") {
    const seen = { bot: presentToGuest(row), around: { botId } }
    return ctx.heavy.run(userParty(ctx.user.id), "lint", seen)
  }
  const bot = presentBot(row)
  const { workspaceId } = row
  const around = await surroundingsOf(ctx.db, { workspaceId, botId }, referencesOf(bot))
  return ctx.heavy.run(userParty(ctx.user.id), "lint", { bot, around })
}

async function lintSent(ctx: Linter, bot: unknown, workspaceId: string | undefined) {
  if (workspaceId === undefined) return ctx.heavy.run(userParty(ctx.user.id), "lint", { bot })
  const { role } = await requireWorkspace(ctx, workspaceId, "list")
  const references = await ctx.heavy.run(userParty(ctx.user.id), "references", bot)
  if (!references) return ctx.heavy.run(userParty(ctx.user.id), "lint", { bot })
  const { variables, ...around } = await surroundingsOf(ctx.db, { workspaceId }, references)
  // Guests must not learn which names the workspace has.
  const known = { ...around, ...(role !== "GUEST" && variables && { variables }) }
  return ctx.heavy.run(userParty(ctx.user.id), "lint", { bot, around: known })
}

function counted(tests: TestedConversation[]) {
  const passed = tests.filter(({ hasPassed }) => hasPassed).length
  return { passed, failed: tests.length - passed, tests }
}
