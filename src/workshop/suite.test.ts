/** Test files: coverage of bots, and reports of runs with any texts. */
import { expect, it } from "vitest"
import { parse } from "yaml"
import { runScripts } from "../../test/support/outside.ts"
import { flowOf, text } from "../../test/support/workshopBots.ts"
import type { Flow } from "../engine/bot.ts"
import { failureText } from "./report/failureLines.ts"
import { githubLines } from "./report/github.ts"
import { jsonOf } from "./report/jsonReport.ts"
import { junitOf } from "./report/junit.ts"
import type { SuiteReport } from "./report/suiteReport.ts"
import { tapOf } from "./report/tap.ts"
import { createSuite } from "./suite.ts"

const equals = (value: string) => ({
  comparisons: [{ id: value, variableId: "Plan", comparisonOperator: "Equal to", value }],
})

const plans = flowOf({
  variables: ["Plan"],
  groups: [
    {
      id: "Ask",
      blocks: [
        { type: "text input", options: { variableId: "Plan" } },
        {
          type: "Condition",
          items: [
            { id: "1", content: equals("pro"), outgoingEdgeId: "toPro" },
            { id: "2", content: equals("old") },
          ],
        },
        text("Free it is.", { outgoingEdgeId: "toEnd" }),
      ],
    },
    { id: "Pro", blocks: [text("Pro!"), text("More"), { type: "text input" }] },
    { id: "End", blocks: [text("Bye")] },
    { id: "Nobody", blocks: [text("?")] },
  ],
  edges: [
    { id: "toPro", from: { blockId: "Ask1", itemId: "1" }, to: { groupId: "Pro" } },
    { id: "toEnd", from: { blockId: "Ask2" }, to: { groupId: "End" } },
  ],
})

const lead = flowOf({ blocks: [{ type: "Bot link", options: { botId: "kid" } }, text("Back")] })

async function run(files: Record<string, string>, bots: Record<string, Flow>) {
  const reads: string[] = []
  const suite = createSuite({
    readText: async (path) =>
      files[path] ?? Promise.reject(new Error(`File ${path} does not exist`)),
    resolve: (_, bot) => bot,
    async readBot(path) {
      reads.push(path)
      return bots[path] ?? [{ line: 2, column: 3, message: "Bot: No start" }]
    },
    runScripts: async (scripts) => runScripts({ kind: "script", scripts: [...scripts] }).results,
  })
  const reports = []
  for (const path of Object.keys(files)) reports.push(await suite.run(path))
  return { files: reports, coverage: suite.coverage(), reads }
}

const say = (reply: string, ...said: string[]) =>
  JSON.stringify([{ user: reply }, ...said.map((bot) => ({ bot }))])

it("counts groups, blocks, edges and the ways of conditions over all tests of a bot", async () => {
  const files = {
    "a.yaml": `bot: plans\nconversation: ${say("free", "Free it is.", "Bye")}`,
    "b.yaml": `bot: plans\nconversation: ${say("old")}`,
  }
  const { coverage, reads } = await run(files, { plans })
  expect(coverage).toEqual([
    {
      bot: "plans",
      groups: { total: 4, reached: 2 },
      blocks: { total: 8, reached: 4 },
      edges: { total: 2, reached: 1 },
      conditions: { total: 3, reached: 2 },
      missed: ['Group "Pro"', 'Group "Nobody"', 'Group "Ask" › block 2 "Condition" › item 1'],
    },
  ])
  expect(reads).toEqual(["plans"])
})

it("counts the else way of a chat that ended at a condition", async () => {
  const items = [{ id: "1", content: equals("pro"), outgoingEdgeId: "toPro" }]
  const asked = { type: "text input", options: { variableId: "Plan" } }
  const groups = [
    { id: "Ask", blocks: [asked, { type: "Condition", items }] },
    { id: "Pro", blocks: [text("Pro!")] },
  ]
  const edges = [{ id: "toPro", from: { blockId: "Ask1", itemId: "1" }, to: { groupId: "Pro" } }]
  const last = flowOf({ variables: ["Plan"], groups, edges })
  const { coverage } = await run({ "a.yaml": `bot: last\nconversation: ${say("free")}` }, { last })
  expect(coverage.map(({ conditions, missed }) => [conditions, missed])).toEqual([
    [{ total: 2, reached: 1 }, ['Group "Pro"', 'Group "Ask" › block 2 "Condition" › item 1']],
  ])
})

it("does not count an edge in the middle of a group, which no chat takes", async () => {
  const groups = [
    { id: "Ask", blocks: [text("Hi", { outgoingEdgeId: "toEnd" }), text("There")] },
    { id: "End", blocks: [text("Bye")] },
  ]
  const edges = [{ id: "toEnd", from: { blockId: "Ask0" }, to: { groupId: "End" } }]
  const files = { "a.yaml": "bot: lost\nconversation: [{ bot: Hi }, { bot: There }]" }
  const { coverage } = await run(files, { lost: flowOf({ groups, edges }) })
  expect(coverage.map((each) => [each.edges, each.missed])).toEqual([
    [{ total: 0, reached: 0 }, ['Group "End"']],
  ])
})

it("counts the blocks of linked bots for these bots", async () => {
  const file = `bot: lead\nlinked: { kid: plans }\nconversation: ${say("old", "Back")}`
  const { coverage, files } = await run({ "a.yaml": file }, { lead, plans })
  expect(files[0]?.tests).toMatchObject([{ name: "a.yaml", steps: 2 }])
  expect(files[0]?.tests[0]?.failure).toBeUndefined()
  expect(coverage.map(({ bot, blocks }) => [bot, blocks])).toEqual([
    ["lead", { total: 2, reached: 2 }],
    ["plans", { total: 8, reached: 2 }],
  ])
})

const hostile = `]]>&amp;<a b="'">\u0000\u001b[2J\ud800 # 100 %\r\n::error::x\n..., ok 1`

async function hostileRun(): Promise<SuiteReport> {
  const odd = flowOf({ groups: [{ id: hostile, blocks: [text(hostile)] }] })
  const test = (name: string, bot: string) => ({ name, conversation: [{ bot }] })
  const file = { bot: "odd", tests: [test(hostile, "x"), test("fine", hostile)] }
  const files = {
    "odd, 1: test.yaml": JSON.stringify(file),
    "wrong.yaml": "bot: odd\nconversation: [{ usr: x }]",
    "none.yaml": "bot: none\nconversation: []",
    "again.yaml": "bot: none\nconversation: []",
  }
  return await run(files, { odd })
}

it("reports mistakes of files by position, and those of a bot once", async () => {
  const { files } = await hostileRun()
  expect(files.slice(1)).toEqual([
    {
      path: "wrong.yaml",
      tests: [],
      bots: [],
      isSkipped: false,
      mistakes: [
        { path: "wrong.yaml", line: 2, column: 16, message: expect.stringContaining("usr") },
      ],
    },
    {
      path: "none.yaml",
      tests: [],
      bots: ["none"],
      isSkipped: false,
      mistakes: [{ path: "none", line: 2, column: 3, message: "Bot: No start" }],
    },
    { path: "again.yaml", tests: [], bots: ["none"], isSkipped: true, mistakes: [] },
  ])
})

it("is written as JUnit XML", async () => {
  const xml = junitOf(await hostileRun())
  const { tree, texts } = readXml(xml)
  expect(tree.filter((each) => !each.startsWith("testcase"))).toEqual([
    'testsuites name="parley test" tests="5" failures="1" errors="2" skipped="1" time="T"',
    'testsuite name="odd, 1: test.yaml" tests="2" failures="1" errors="0" skipped="0" time="T"',
    'failure message="The bot says something else" type="failure"',
    'testsuite name="wrong.yaml" tests="1" failures="0" errors="1" skipped="0" time="T"',
    expect.stringMatching(/^error message="[^"]*usr[^"]*" type="mistake"$/),
    'testsuite name="none.yaml" tests="1" failures="0" errors="1" skipped="0" time="T"',
    'error message="Bot: No start" type="mistake"',
    'testsuite name="again.yaml" tests="1" failures="0" errors="0" skipped="1" time="T"',
    expect.stringMatching(/^skipped message=/),
  ])
  const shown = hostile
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\r\n]/gu, "\ufffd")
    .replaceAll("\r\n", "\n")
  const names = tree.filter((each) => each.startsWith("testcase"))
  expect(names[0]).toContain(`name="${shown}"`)
  expect(texts.join("\n")).toContain(`]]>&amp;<a b="'">`)
})

/**
 * Reads the subset of XML that JUnit needs, strictly: elements that close, five entities, no control
 * characters.
 */
function readXml(xml: string): { tree: string[]; texts: string[] } {
  const read =
    /<(\/?)([a-z]+)((?: [a-z]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#10);[^"<&]*)*")*)(\/?)>|([^<&>]|&(?:amp|lt|gt|quot);)+/y
  const [tree, texts, open]: [string[], string[], string[]] = [[], [], []]
  const plain = (text: string) =>
    text
      .replaceAll("&#10;", "\n")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&")
  expect(xml.isWellFormed()).toBe(true)
  expect(xml).not.toMatch(/[^\P{Cc}\n\t]/u)
  read.lastIndex = xml.indexOf("\n")
  while (read.lastIndex < xml.length) {
    const from = read.lastIndex
    const found = read.exec(xml)
    if (!found) expect.fail(`no XML: ${xml.slice(from, from + 80)}`)
    const [all, closes, name = "", attributes = "", isEmpty] = found
    if (name === "") texts.push(plain(all))
    else if (closes) expect(open.pop()).toBe(name)
    else {
      tree.push(plain(`${name}${attributes.replace(/ time="[\d.]+"/, ' time="T"')}`))
      if (!isEmpty) open.push(name)
    }
  }
  expect(open).toEqual([])
  return { tree, texts }
}

it("is written in the Test Anything Protocol", async () => {
  const lines = tapOf(await hostileRun()).split("\n")
  expect(lines.slice(0, 2)).toEqual(["TAP version 14", "1..5"])
  const points = lines.filter((line) => !line.startsWith("  ")).slice(2)
  expect(points).toEqual([
    expect.stringMatching(/^not ok 1 - odd, 1: test.yaml > \]\]>.* \\# 100 % ::error::x /),
    "ok 2 - odd, 1: test.yaml > fine",
    "not ok 3 - wrong.yaml can be read",
    "not ok 4 - none.yaml can be read",
    expect.stringMatching(/^ok 5 - again.yaml can be read # SKIP /),
  ])
  const block = lines.slice(lines.indexOf("  ---") + 1, lines.indexOf("  ..."))
  expect(parse(block.join("\n"))).toMatchObject({
    message: "The bot says something else",
    at: { file: "odd, 1: test.yaml", line: 1 },
    conversation: expect.stringContaining("+ | ]]>"),
  })
})

it("is written as JSON, with the conversations of failed tests", async () => {
  const { coverage, ...report } = jsonOf(await hostileRun()) as Record<string, unknown>
  expect(report).toMatchObject({
    isPassed: false,
    passed: 1,
    failed: 1,
    wrong: 2,
    skipped: 1,
    files: [
      {
        tests: [
          { name: hostile, isPassed: false, failure: { step: 0, expected: "x" }, transcript: [] },
          { name: "fine", isPassed: true },
        ],
      },
      {},
      {},
      {},
    ],
  })
  expect(coverage).toMatchObject([{ bot: "odd" }])
})

it("is written as annotations that no text can end", async () => {
  const lines = githubLines(await hostileRun())
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    expect(line).toMatch(/^::error file=[^:,\r\n]+,line=\d+,col=\d+,title=[^:,\r\n]+::[^\r\n]+$/)
  }
  expect(lines[0]).toMatch(/^::error file=odd%2C 1%3A test.yaml,line=1,/)
})

it("shows no line of a bot as the beginning of a line", async () => {
  const [failed] = (await hostileRun()).files
  const [test] = failed?.tests ?? []
  const shown = test ? failureText(test).split("\n") : []
  expect(shown.length).toBeGreaterThan(3)
  for (const line of shown) expect(line).toMatch(/^[ +-] [a-z ]*\|/)
})
