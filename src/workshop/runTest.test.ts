/** A test file states the bot's outputs, and locates deviations. */
import { describe, expect, it } from "vitest"
import { ask, bot, group, say } from "../../test/support/bots.ts"
import { runScripts } from "../../test/support/outside.ts"
import { flowOf, text } from "../../test/support/workshopBots.ts"
import { hasMistakes, readTestFile } from "./files/readTestFile.ts"
import { testsIn } from "./files/testFileSchema.ts"
import { runTest } from "./runTest.ts"

const signUp = flowOf({
  variables: ["Name", "Email", "plan"],
  blocks: [
    text("Hi! What is your name?"),
    { type: "text input", options: { variableId: "Name" } },
    text("Thanks {{Name}}, your e-mail?"),
    { type: "email input", options: { variableId: "Email" } },
    {
      type: "Webhook",
      options: {
        isCustomBody: true,
        webhook: {
          method: "POST",
          url: "https://crm.example/people",
          body: '{"name":"{{Name}}"}',
        },
      },
    },
    text("See you on {{plan}}."),
  ],
})

const file = `
bot: ./signup.json
clock: 2026-01-05T09:00:00Z
seed: 7
start: { variables: { plan: pro } }
http:
  - when: { method: POST, url: "https://crm.example/*" }
    answer: { status: 201, json: { id: 42 } }
conversation:
  - bot: Hi! What is your name?
  - user: Ann
  - bot: { contains: "Ann" }
  - input: email input
  - user: not an address
  - bot: { matches: "type it again" }
  - user: ann@example.com
  - bot: See you on pro.
expect:
  completed: true
  variables: { Email: ann@example.com }
  answers: [Ann, ann@example.com]
  http: [{ method: POST, json: { name: Ann } }]
`

async function run(text: string, flow = signUp) {
  const read = readTestFile(text)
  if (hasMistakes(read)) throw new Error(JSON.stringify(read))
  const [test] = testsIn(read.file, "signup")
  if (!test) throw new Error("no test")
  return await runTest(test, {
    flow,
    runScripts: async (scripts) => runScripts({ kind: "script", scripts: [...scripts] }).results,
  })
}

describe("a test", () => {
  it("passes when the bot says, asks and does all of it", async () => {
    const { failure, transcript } = await run(file)
    expect(failure).toBeUndefined()
    expect(transcript.map(({ from, text }) => `${from}: ${text}`)).toEqual([
      "bot: Hi! What is your name?",
      "input: text input",
      "user: Ann",
      "bot: Thanks Ann, your e-mail?",
      "input: email input",
      "user: not an address",
      "bot: This does not look like an email address. Could you type it again?",
      "input: email input",
      "user: ann@example.com",
      "bot: See you on pro.",
    ])
  })

  it.each([
    ["another text", ['contains: "Ann"', "contains: Bob"], "The bot says something else", 2],
    ["another input", ["email input", "number input"], "The bot asks something else", 3],
    [
      "an unmentioned text",
      ["  - bot: Hi! What is your name?\n", ""],
      "The bot says more before that",
      0,
    ],
    [
      "a text that is missing",
      ["  - bot: See you on pro.", "  - bot: See you on pro.\n  - bot: Bye"],
      "The bot does not say this",
      8,
    ],
    [
      "a message after the end",
      ["See you on pro.", "See you on pro.\n  - user: Bye"],
      "The chat is over, so this is not read",
      8,
    ],
    [
      "a request that no stub answers",
      ["crm.example/*", "other.example/*"],
      "No stub answers a call of the bot",
      6,
    ],
    [
      "another variable",
      ["Email: ann@example.com }", "Email: bob@example.com }"],
      "The variable Email differs in the end",
      undefined,
    ],
    [
      "other answers",
      ["[Ann, ann@example.com]", "[Ann]"],
      "The recorded answers differ in the end",
      undefined,
    ],
    [
      "another request",
      ["{ name: Ann }", "{ name: Bob }"],
      "The requests differ in the end",
      undefined,
    ],
    ["an early end", ["completed: true", "completed: false"], "The chat is over", undefined],
  ])("fails on %s", async (_, change, message, step) => {
    const [from = "", to = ""] = change as string[]
    expect(file).toContain(from)
    const { failure } = await run(file.replace(from, to))
    expect(failure).toMatchObject({ message, ...(step !== undefined && { step }) })
  })
})

describe("a test that is not strict", () => {
  const lenient = (steps: string) => `${file.slice(0, file.indexOf("conversation:"))}
strict: false
conversation:
${steps}
`

  it("mentions only relevant messages", async () => {
    const { failure, transcript } = await run(
      lenient(
        "  - user: Ann\n  - input: email input\n  - user: ann@example.com\n  - bot: See you on pro.",
      ),
    )
    expect(failure).toBeUndefined()
    expect(transcript.map(({ text }) => text)).toContain("Thanks Ann, your e-mail?")
  })

  it("fails if the bot never sends a mentioned message", async () => {
    const { failure } = await run(lenient("  - user: Ann\n  - bot: Good bye"))
    expect(failure).toMatchObject({ message: "The bot says something else", step: 1 })
  })
})

describe("what a test expects of the way through a flow", () => {
  const flow = bot(
    group("Draw", {
      type: "AB test",
      items: [
        { id: "a", path: "a", to: "Won" },
        { id: "b", path: "b", to: "Lost" },
      ],
    }),
    group("Won", ask.choice([{ content: "Take it", to: "Lost" }, "Leave it"])),
    group("Lost", say("Bye {{Prize}}")),
  )
  const expecting = (expect: object, steps: object[] = [], dice = [0]) =>
    runTest(
      {
        ...{ name: "test", strict: false, dice, expect, steps },
        ...{ path: ["conversation"], expectPath: ["expect"] },
      },
      { flow, runScripts: async () => [] },
    )

  it("is the groups that it reaches, as the dice decide", async () => {
    const won = await expecting({ reaches: ["Won"] })
    expect(won.failure).toBeUndefined()
    const { failure } = await expecting({ reaches: ["Won"] }, [], [0.99])
    expect(failure?.message).toBe('The chat does not reach the group "Won"')
  })

  it("is the faults that it does not have", async () => {
    const { failure } = await expecting({ without: ["dead-end"] }, [{ user: "Leave it" }])
    expect(failure).toMatchObject({
      message: expect.stringMatching(/silently.*\(dead-end\)/),
      actual: 'Group "Won" › block 1 "choice input" › item 2',
    })
    const others = await expecting({ without: ["silent-failure"] }, [{ user: "Leave it" }])
    expect(others.failure).toBeUndefined()
  })
})

describe("a file with mistakes", () => {
  it.each([
    ["conversation:\n  - bot: a\n  - usr: b", { line: 4, column: 5, message: /usr/ }],
    ["conversation:\n  - bot: a\n    user: b", { line: 3, column: 5, message: /one thing/ }],
    ["conversation: [\n", { line: 3, column: 1 }],
    ["seed: x\nconversation: []", { line: 2, column: 1, message: /seed: / }],
    ["", { line: 1, column: 1, message: /either a conversation or tests/ }],
  ])("is refused by line and column: %j", (text, mistake) => {
    const { message, ...place } = mistake as { line: number; column: number; message?: RegExp }
    const read = readTestFile(`bot: b.json\n${text}`)
    expect(read).toEqual([
      { ...place, message: message ? expect.stringMatching(message) : expect.any(String) },
    ])
  })

  it("keeps messages as written", () => {
    const read = readTestFile("bot: b.json\nconversation:\n  - user: 007\n  - bot: 1.50\n")
    expect(!hasMistakes(read) && read.file.conversation).toEqual([{ user: "007" }, { bot: "1.50" }])
  })

  it("keeps members of bodies that are named like speakers", () => {
    const http = [{ when: { json: { user: 42 } }, answer: { json: { bot: true } } }]
    const conversation = [{ webhook: { conversation: [{ user: 7 }] } }]
    const expected = { http: [{ json: { user: 42 } }], variables: { bot: 1.5 } }
    const file = { bot: "b.json", http, conversation, expect: expected }
    expect(readTestFile(JSON.stringify(file))).toMatchObject({ file })
    const { conversation: steps, ...shared } = file
    const several = { ...shared, tests: [{ name: "One", conversation: steps }] }
    expect(readTestFile(JSON.stringify(several))).toMatchObject({ file: several })
  })

  it.each([
    ["a key twice", "seed: 1\nseed: 2\nconversation: []", { line: 3, column: 1 }, /unique/],
    [
      "too many aliases",
      `x: &a [1]\nconversation: [${"*a,".repeat(1_001)}]`,
      { line: 3 },
      /1000 times/,
    ],
    ["too many levels", `x: ${"[".repeat(20_000)}`, { line: 2 }, /too many levels/],
    ["too many characters", `#${"x".repeat(1_000_000)}`, { line: 1 }, /longer than 1000000/],
  ])("is refused for %s", (_, text, place, message) => {
    const [mistake] = readTestFile(`bot: b.json\n${text}`) as { message: string }[]
    expect(mistake).toMatchObject(place)
    expect(mistake?.message).toMatch(message)
  })

  it("is read in linear time, for any number of keys", () => {
    const variables = Object.fromEntries(Array.from({ length: 30_000 }, (_, key) => [`k${key}`, 1]))
    const read = readTestFile(JSON.stringify({ bot: "b", conversation: [], start: { variables } }))
    expect(hasMistakes(read)).toBe(false)
  })

  it("is refused when its aliases grow exponentially", () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) =>
        `${"abcdefghij"[level + 1]}: &${"abcdefghij"[level + 1]} [${`*${"abcdefghij"[level]}, `.repeat(9)}]`,
    )
    const bomb = `bot: b.json\na: &a [x]\n${levels.join("\n")}\n`
    expect(readTestFile(bomb)).toEqual([expect.objectContaining({ line: 1 })])
  })
})

describe("22.6 a bot with variables of the workspace", () => {
  const options = {
    isCustomBody: true,
    webhook: {
      url: "{{$shop}}/orders",
      headers: [{ key: "Authorization", value: "Basic ann:{{$key}}" }],
      body: '{"key":"{{$key}}"}',
    },
    responseVariableMapping: [{ bodyPath: "data", variableId: "Got" }],
  }
  const shop = flowOf({
    variables: ["Got"],
    blocks: [{ type: "Webhook", options }, text("{{$key}} at {{$shop}}: {{Got}}")],
  })
  const file = `
bot: ./shop.json
workspaceVariables: { shop: "https://b.example", key: { secret: a key of tests } }
http: [{ answer: { text: "You sent a key of tests" } }]
tests:
  - name: orders
    workspaceVariables: { shop: "https://shop.example" }
    conversation: [{ bot: "••• at https://shop.example: You sent •••" }]
    expect:
      http:
        - url: https://shop.example/orders
          headers: { Authorization: Basic ${btoa("ann:a key of tests")} }
          json: { key: a key of tests }
`

  it("has those of its test and of its file, and sees no secret", async () => {
    expect((await run(file, shop)).failure).toBeUndefined()
    const { failure } = await run(file.replace("secret: a key of tests", "secret: another"), shop)
    expect(failure).toBeDefined()
  })
})
