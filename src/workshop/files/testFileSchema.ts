/** The format of test files: conversations, the world around them, and expectations. */
import { z } from "zod"
import { listOf, mapOf } from "../../engine/schema/lists.ts"
import { conversationFaults } from "../explore/exploreRules.ts"

/** Max values of a list or an object of JSON. */
const maxValues = 50_000

/** Any JSON. */
const json: z.ZodType<z.core.util.JSONType> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    listOf(json, maxValues),
    mapOf(z.string(), json, maxValues),
  ]),
)
const text = z.string().max(100_000)
const several = <Schema extends z.ZodType>(item: Schema) => listOf(item, 1_000).optional()
const status = z.number().int().min(100).max(599).default(200)
const times = z.number().int().min(1).max(1_000).optional().describe("How often; absent: always")
const variables = mapOf(z.string().max(5_000), json, maxValues).optional()

/** Values whose members must all match, lists in full; `*` in texts matches anything. */
const partial = mapOf(z.string().max(255), json).describe("Members that it must have")

const textRule = z.strictObject({
  contains: text.optional().describe("The text contains this"),
  matches: z.string().max(5_000).optional().describe("The text matches this regular expression"),
  image: text.optional().describe("A picture with this address"),
  video: text.optional().describe("A video with this address"),
  audio: text.optional().describe("A clip with this address"),
  embed: text.optional().describe("A page with this address"),
})

const oneMember = (value: object) =>
  Object.values(value).filter((each) => each !== undefined).length === 1

/** Unknown members are reported alone. */
const ifKnown = { when: ({ issues }: { issues: unknown[] }) => issues.length === 0 }

const botStep = z
  .union([text, textRule.refine(oneMember, "A message needs exactly one rule")])
  .describe("The bot's next message, as Markdown, or a rule that it satisfies")

const userStep = z
  .union([
    text,
    z.strictObject({
      text: text.optional().describe("The words"),
      files: listOf(z.string().max(8192), 50).optional().describe("Addresses of files"),
      audio: z.string().max(8192).optional().describe("Address of a voice clip"),
      command: z.string().max(1024).optional().describe("Fires a command of the flow"),
    }),
  ])
  .describe("Message of the person")

const inputStep = z
  .union([
    text,
    z.strictObject({
      type: z.string().max(255).optional().describe("Type of the input"),
      choices: several(text).describe("Labels of all choices"),
    }),
  ])
  .describe("The bot's current question: the type of the input, or more about it")

/** One step of a conversation. */
export const stepSchema = z
  .strictObject({
    bot: botStep.optional(),
    user: userStep.optional(),
    input: inputStep.optional(),
    action: z
      .looseObject({ type: z.string().max(255).describe("Type of the action") })
      .optional()
      .describe("An action for the client; omitted members match anything"),
    client: text.optional().describe("Report of the client or an embedded page"),
    silence: z.number().positive().max(100_000_000).optional().describe("Seconds without a reply"),
    webhook: json.optional().describe("The body with which another system calls the bot"),
  })
  .refine(oneMember, {
    message: "A step is one thing: bot, user, input, action, client, silence or webhook",
    ...ifKnown,
  })

export type TestStep = z.infer<typeof stepSchema>

export const httpWhenSchema = z.strictObject({
  method: z.string().max(20).optional().describe("HTTP method; absent: any"),
  url: z.string().max(8192).optional().describe("Address with its query; * matches anything"),
  headers: mapOf(z.string().max(255), text).optional().describe("Headers that it must have"),
  json: json.optional().describe("Members that its JSON body must have"),
  body: text.optional().describe("Its whole body"),
})

const failure = z.strictObject({
  fail: z.string().max(1_000).describe("Failure instead of an answer, for the log"),
})

export const httpStubSchema = z.strictObject({
  when: httpWhenSchema.optional().describe("The requests that it answers; absent: all"),
  answer: z
    .union([
      z.strictObject({
        status: status.describe("HTTP status"),
        json: json.optional().describe("JSON body"),
        text: text.optional().describe("Body as text"),
      }),
      failure,
    ])
    .describe("Answer"),
  times,
})

const outcomes = {
  email: z.strictObject({ messageId: text.optional(), threadId: text.optional() }),
  sheet: z.strictObject({ status, json: json }),
  model: z.strictObject({
    text,
    usage: z
      .strictObject({
        total: z.number().optional(),
        prompt: z.number().optional(),
        completion: z.number().optional(),
      })
      .optional(),
    conversationId: text.optional(),
    assigned: mapOf(z.string().max(255), json).optional(),
  }),
  mcpTool: z.strictObject({ text, data: json.optional() }),
  paymentIntent: z.strictObject({ intentId: text, clientSecret: text, publicKey: text }),
  paymentCheck: z.strictObject({ succeeded: z.boolean() }),
  qrCode: z.strictObject({ url: text }),
  jwt: z.strictObject({ token: text }),
}

const stubbedCalls = Object.keys(outcomes) as (keyof typeof outcomes)[]

export const callStubSchema = z.discriminatedUnion(
  "call",
  stubbedCalls.map((call) =>
    z.strictObject({
      call: z.literal(call).describe("Kind of call"),
      when: partial.optional().describe("The calls that it answers; absent: all of the kind"),
      answer: z.union([outcomes[call], failure]).describe("Answer"),
      times,
    }),
  ) as unknown as [z.ZodObject<CallStubShape>],
)

type CallStubShape = {
  call: z.ZodLiteral<keyof typeof outcomes>
  when: z.ZodOptional<typeof partial>
  answer: z.ZodType<object>
  times: typeof times
}

export type HttpStub = z.infer<typeof httpStubSchema>
export type CallStub = z.infer<typeof callStubSchema>
export type HttpWhen = z.infer<typeof httpWhenSchema>

const expectation = z.strictObject({
  completed: z.boolean().optional().describe("Whether the chat is over"),
  variables: variables.describe("Values by name; null: none"),
  answers: several(text).describe("All recorded answers, in order"),
  http: several(httpWhenSchema).describe("All requests, in order"),
  calls: several(
    z.looseObject({ call: z.enum(stubbedCalls as [string]).describe("Kind of call") }),
  ).describe("All other calls, in order, each with members that it must have"),
  logs: several(text).describe("Texts that logs must contain, in order"),
  reaches: several(z.string().max(255)).describe(
    "Groups that it passes, by title or id, and edges by id, in any order",
  ),
  without: listOf(z.enum(conversationFaults), conversationFaults.length)
    .optional()
    .describe("Faults that it must not have; `parley explore --rules` describes them"),
})

const variableText = z.string().max(10_000)

const world = {
  clock: z.iso.datetime({ offset: true }).optional().describe("Time of every clock"),
  seed: z.number().int().min(0).max(2_147_483_647).optional().describe("Determines all dice"),
  dice: listOf(z.number().min(0).lt(1), 10_000)
    .optional()
    .describe("Values of the first dice, in order, instead of the seed's"),
  strict: z
    .boolean()
    .optional()
    .describe("False: the bot may send more messages than the steps mention; absent: it may not"),
  start: z
    .strictObject({
      variables: variables.describe("Prefilled, by name"),
      message: text.optional().describe("Message of the person with the start"),
      group: z.string().max(255).optional().describe("Id of the group to begin at"),
      event: z.string().max(255).optional().describe("Id of the event to begin at"),
    })
    .optional()
    .describe("How the chat begins"),
  workspaceVariables: mapOf(
    z.string().max(64),
    z.union([variableText, z.strictObject({ secret: variableText })]),
    200,
  )
    .optional()
    .describe("Variables of the workspace by name, without the dollar sign; secrets as `secret`"),
  http: several(httpStubSchema).describe("Answers to HTTP requests; the first that fits"),
  calls: several(callStubSchema).describe("Answers to mails, models, sheets and so on"),
}

const conversation = {
  conversation: listOf(stepSchema, 10_000).describe("Messages, questions and actions, in order"),
  expect: expectation.optional().describe("Expectations at the end"),
}

/** A file of one conversation, or of several under `tests`. */
export const testFileSchema = z
  .strictObject({
    $schema: z.string().max(8192).optional(),
    bot: z.string().min(1).max(4096).describe("File of the bot, relative to this file"),
    linked: mapOf(z.string().max(255), z.string().max(4096), 100)
      .optional()
      .describe("Files of the bots that it links to, by the ids in its blocks"),
    name: z.string().max(1_000).optional().describe("Title for reports"),
    ...world,
    ...conversation,
    conversation: conversation.conversation.optional(),
    tests: listOf(
      z.strictObject({
        name: z.string().max(1_000).describe("Title for reports"),
        ...world,
        ...conversation,
      }),
      1_000,
    )
      .min(1)
      .optional()
      .describe("Several conversations; the file's members are their defaults"),
  })
  .refine(({ conversation, tests }) => (conversation === undefined) !== (tests === undefined), {
    message: "A file has either a conversation or tests",
  })

export type TestFile = z.infer<typeof testFileSchema>

/** One conversation with the defaults of its file. */
export type ConversationTest = Pick<TestFile, keyof typeof world | "expect"> & {
  name: string
  steps: TestStep[]
  /** Keys to its conversation in the file. */
  path: (string | number)[]
  /** Keys to its expectations at the end. */
  expectPath: (string | number)[]
}

/** The conversations of a file; stubs of a test come before those of its file. */
export function testsIn(file: TestFile, fileName: string): ConversationTest[] {
  const { conversation, tests = [], name = fileName, ...shared } = file
  if (conversation) {
    const paths = { path: ["conversation"], expectPath: ["expect"] }
    return [{ ...shared, name, steps: conversation, ...paths }]
  }
  const { start, http = [], calls = [] } = shared
  return tests.map(({ conversation: steps, ...test }, index) => ({
    ...shared,
    ...test,
    start: {
      ...start,
      ...test.start,
      variables: { ...start?.variables, ...test.start?.variables },
    },
    workspaceVariables: { ...shared.workspaceVariables, ...test.workspaceVariables },
    http: [...(test.http ?? []), ...http],
    calls: [...(test.calls ?? []), ...calls],
    steps,
    path: ["tests", index, "conversation"],
    expectPath: test.expect ? ["tests", index, "expect"] : ["expect"],
  }))
}
