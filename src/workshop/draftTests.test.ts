/** Tests of drafts by the service: their reports, and hostile files and bots. */
import { setImmediate as nextRound } from "node:timers/promises"
import { expect, test } from "vitest"
import { flowOf, text } from "../../test/support/workshopBots.ts"
import { userParty } from "../lib/party.ts"
import { openDraftTests } from "./draftTests.ts"

const sandbox = { run: async () => [] }
const tests = openDraftTests(sandbox)
const flow = flowOf({
  variables: ["Name"],
  blocks: [
    text("Your name?"),
    { type: "text input", options: { variableId: "Name" } },
    text("Thanks, {{Name}}!"),
  ],
})
/** Asks again after every answer. */
const asking = flowOf({
  variables: ["Name"],
  blocks: Array.from({ length: 1_001 }, () => {
    return { type: "text input", options: { variableId: "Name" } }
  }),
})
const run = (file: string, tested = flow) =>
  tests.run({ party: userParty("a"), flow: tested, file })

test("each conversation reports whether it passed, and where it failed", async () => {
  const file = `
bot: ./greeter.json
tests:
  - name: thanks
    conversation: [{ bot: Your name? }, { user: Ann }, { bot: "Thanks, Ann!" }]
  - name: says hello
    conversation:
      - bot: Your name?
      - user: Ann
      - bot: Hello
`
  expect(await run(file)).toMatchObject([
    { name: "thanks", hasPassed: true },
    {
      name: "says hello",
      hasPassed: false,
      line: 10,
      expected: "Hello",
      actual: "Thanks, Ann!",
      place: expect.stringContaining("block 3"),
      transcript: ["bot: Your name?", "input: text input", "user: Ann"],
    },
  ])
})

const few = "- { user: x }\n"

test.each([
  ["no YAML", "{", "line 1, column"],
  ["another form", "bot: b\nconversation: [{ bat: x }]", "line 2, column"],
  ["aliases", `bot: b\ntests:\n${"- &t { name: a, conversation: [] }\n- *t\n"}`, "Alias"],
  ["many steps", `bot: b\nconversation:\n${few.repeat(1_001)}`, "at most 1000"],
  [
    "many conversations",
    `bot: b\ntests:\n${"- { name: a, conversation: [] }\n".repeat(51)}`,
    "50 and",
  ],
  ["many levels", `bot: ${"[".repeat(20_000)}`, "The file cannot be used"],
])("a file is refused with a sentence for %s", async (_, file, sentence) => {
  await expect(run(file)).rejects.toMatchObject({
    reason: "BAD_REQUEST",
    message: expect.stringContaining(sentence),
  })
})

test("others get their turns while a long conversation is played", async () => {
  const steps = "- { user: x }\n".repeat(200)
  let rounds = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await nextRound()
      rounds += 1
    }
  })()
  await tests.run({ party: userParty("a"), flow: asking, file: `bot: b\nconversation:\n${steps}` })
  isOver = true
  await others
  expect(rounds).toBeGreaterThan(150)
})

test("a slow conversation ends in time", async () => {
  const hurried = openDraftTests(sandbox, 0.001)
  const file = `bot: b\nconversation:\n${"- { user: x }\n".repeat(1_000)}`
  const [outcome] = await hurried.run({ party: userParty("a"), flow: asking, file })
  expect(outcome?.message).toContain("The conversation takes longer than")
})

const costly = "bot: { matches: '(a?){120}(a?){120}c$' }"

test("one comparison takes at most the work of a turn, for any text and pattern", async () => {
  const talkative = flowOf({ blocks: [text("a".repeat(20_000))] })
  const file = `bot: b\nconversation: [{ ${costly} }]`
  const [outcome] = await tests.run({ party: userParty("a"), flow: talkative, file })
  expect(outcome?.message).toContain("The comparison takes too much work")
})

test("all comparisons of a request share one budget across conversations", async () => {
  const flow = flowOf({ blocks: [text("a".repeat(1_000))] })
  const each = `- { name: a, strict: false, conversation: [{ ${costly} }] }\n`
  const outcomes = await tests.run({
    party: userParty("a"),
    flow,
    file: `bot: b\ntests:\n${each.repeat(50)}`,
  })
  expect(outcomes.at(-1)?.message).toBe("The tests exceed the work limit of one request")
})

test("all turns of a request share it too", async () => {
  const comparison = { variableId: "Text", comparisonOperator: "Matches regex" }
  const pattern = { id: "c", ...comparison, value: "(a?){50}(a?){50}c$" }
  const judging = Array.from({ length: 20 }, (_, index) => {
    return { type: "Condition", items: [{ id: `${index}`, content: { comparisons: [pattern] } }] }
  })
  const input = { type: "text input", options: { variableId: "Text" } }
  const flow = flowOf({ variables: ["Text"], blocks: [input, ...judging] })
  const each = `- { name: a, conversation: [{ user: ${"a".repeat(50)} }] }\n`
  const outcomes = await tests.run({
    party: userParty("a"),
    flow,
    file: `bot: b\ntests:\n${each.repeat(50)}`,
  })
  expect(outcomes[0]?.hasPassed).toBe(true)
  expect(outcomes.at(-1)?.message).toBe("The tests exceed the work limit of one request")
})

test("comparing calls with stubs is charged to that budget", async () => {
  const webhook = { method: "POST", url: "https://a.example", body: "a".repeat(90_000) }
  const options = { isAdvancedConfig: true, isCustomBody: true, webhook }
  const flow = flowOf({ blocks: Array.from({ length: 20 }, () => ({ type: "Webhook", options })) })
  const stubs = "- { when: { body: '*ab*' }, answer: { status: 200 } }\n".repeat(300)
  const [outcome] = await run(`bot: b\nconversation: []\nhttp:\n${stubs}`, flow)
  expect(outcome?.message).toContain("The comparison takes too much work")
})
