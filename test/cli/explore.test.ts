/** `parley explore`: what it prints and writes, and how it ends. */
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { exploreCommand } from "../../src/cli/explore.ts"
import { testCommand } from "../../src/cli/test.ts"
import { exploreRules } from "../../src/workshop/explore/exploreRules.ts"
import { ask, block, bot, group, say, set, when } from "../support/bots.ts"
import { run } from "../support/runCommand.ts"
import { testFolder } from "../support/testFolder.ts"

const folder = await testFolder()

async function file(name: string, content: object): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(content, null, 2))
  return path
}

const shop = (no: object) =>
  bot(
    group(
      "Menu",
      say("Hi"),
      ask.choice([
        { content: "Buy", to: "Thanks" },
        { content: "No", ...no },
      ]),
    ),
    group("Thanks", say("Thank you")),
    group("Bye", say("Bye")),
  )
const faulty = await file("faulty.json", shop({}))

test("a sound bot ends with code 0 and what was reached", async () => {
  const sound = await file("sound.json", shop({ to: "Bye" }))
  expect(await run(exploreCommand, sound)).toEqual({
    out:
      "0 errors and 0 warnings in 1 file.\n" +
      "Reached 3 of 3 groups (100 %), 4 of 4 blocks (100 %), 2 of 2 edges (100 %) in 1 place of conversations.\n",
    err: "",
    code: 0,
  })
})

/** Counts how often it has asked, so that no two places are alike, and waits for what never comes. */
const endless = bot(
  { variables: { Count: "0" } },
  group(
    "Ask",
    ask.text(),
    set("Count", "", { type: "Append value(s)", item: "x" }),
    when([["Count", "Equal to", "never"]], { to: "End", otherwise: "Ask#b1" }),
  ),
  group("End", say("The end")),
)

test("a budget that ends before everything is reached ends with code 3 and what is missing", async () => {
  const path = await file("endless.json", endless)
  const { out, code } = await run(exploreCommand, path, "--budget", "1s")
  expect(out).toContain('Not reached: Group "End"')
  expect(out).toContain("Exploring ended before everything was reached")
  expect(code).toBe(3)
  const sarif = JSON.parse((await run(exploreCommand, path, "--budget", "1s", "--sarif")).out)
  const [{ exitCode, toolExecutionNotifications }] = sarif.runs[0].invocations
  expect(exitCode).toBe(3)
  expect(JSON.stringify(toolExecutionNotifications)).toContain("Not reached")
  const json = JSON.parse((await run(exploreCommand, path, "--budget", "1s", "--json")).out)
  expect(json).toMatchObject({ exitCode: 3, left: expect.any(String) })
  expect(json.coverage.missed.length).toBeGreaterThan(0)
})

test("--min demands a share of what there is, and is a percentage", async () => {
  const request = block("Webhook", {
    webhook: { url: "https://crm.example" },
    responseVariableMapping: [
      { id: "m", bodyPath: "data.a.filter((b) => b).length", variableId: "vN" },
    ],
  })
  const counts = when([["N", "Equal to", "3"]], { to: "Three", otherwise: "Other" })
  const flow = bot(
    group("Ask", ask.text(), request, counts),
    group("Three", say("Three")),
    group("Other", say("Some")),
  )
  const path = await file("counts.json", flow)
  expect((await run(exploreCommand, path)).code).toBe(0)
  const { out, code } = await run(exploreCommand, path, "--min", "90")
  expect(out).toContain("The bot is reached by less than 90 %.")
  expect(code).toBe(2)
  expect((await run(exploreCommand, path, "--min", "50")).code).toBe(0)
  expect((await run(exploreCommand, path, "--min", "101")).err).toContain("percentage")
})

test("findings are reported even if no test of them can be written", async () => {
  // Below a file nobody can make a folder, root included.
  const { out, err, code } = await run(exploreCommand, faulty, "-o", join(faulty, "tests"))
  expect(out).toContain("(dead-end)")
  expect(err).toContain("ENOTDIR")
  expect(code).toBe(1)
})

test("a finding is told with its place and the way to it, and ends with code 1", async () => {
  const { out, code } = await run(exploreCommand, faulty)
  const [where, what, remedy, way] = out.split("\n")
  expect(where).toMatch(/faulty\.json:\d+:\d+ \/groups\/0\/blocks\/1\/items\/1$/)
  expect(what).toBe(
    '  warning Group "Menu" › block 2 "choice input" › item 2: ' +
      "The chat ends silently, while the other ways continue. (dead-end)",
  )
  expect(remedy).toMatch(/^ {2}Connect it/)
  expect(way).toBe('  Start, then "No".')
  expect(out).toContain('Not reached: Group "Bye"')
  expect(code).toBe(1)
})

test("-o writes a test of each finding, which fails until the bot is mended", async () => {
  const tests = join(folder, "found")
  const { err } = await run(exploreCommand, faulty, "-o", tests)
  expect(err).toBe(`Wrote 2 test files to ${tests}.\n`)
  expect(await readdir(tests)).toEqual(["01-dead-end.test.yaml", "02-unreached-group.test.yaml"])
  expect(await readFile(join(tests, "01-dead-end.test.yaml"), "utf8")).toBe(
    "# Fails until the bot is mended. Connect it to a group, or show a message before the chat ends.\n\n" +
      "bot: ../faulty.json\n" +
      'name: \'Group "Menu" › block 2 "choice input" › item 2: The chat ends silently, ' +
      "while the other ways continue'\n" +
      "strict: false\nconversation:\n  - user: No\nexpect:\n  without:\n    - dead-end\n",
  )
  const before = await run(testCommand, tests)
  expect(before).toMatchObject({ code: 1, out: expect.stringMatching(/^0 passed, 2 failed/m) })
  await file("faulty.json", shop({ to: "Bye" }))
  expect(await run(testCommand, tests)).toMatchObject({ code: 0 })
  await file("faulty.json", shop({}))
})

test("--json and --sarif print the same findings for programs", async () => {
  const json = JSON.parse((await run(exploreCommand, faulty, "--json")).out)
  expect(json).toMatchObject({
    file: faulty,
    findings: [{ rule: "dead-end", steps: ['Start, then "No".'] }, { rule: "unreached-group" }],
    coverage: { blocks: { reached: 3, total: 4 } },
  })
  const { out } = await run(exploreCommand, faulty, "--sarif")
  const [{ tool, results }] = JSON.parse(out).runs
  expect(tool.driver.rules).toHaveLength(exploreRules.length)
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
  expect(results[0].message.text).toMatch(/\nStart, then "No"\.$/)
})

test("a bot of an older version is found in its file", async () => {
  const old = join(import.meta.dirname, "../fixtures/bots/v5-quiz.json")
  const { out } = await run(exploreCommand, old)
  expect(out).toMatch(/v5-quiz\.json:188:9 \/groups\/4\/blocks\/2\n/)
})

test("--rules lists what is looked for", async () => {
  const { out } = await run(exploreCommand, "--rules")
  for (const { id } of exploreRules) expect(out).toContain(id)
})

test.each([
  [["--budget", "soon"], /--budget must be like 30s or 5m, not "soon"/],
  [["--seed", "x"], /--seed must be a whole number/],
  [[], /Name the file of the bot/],
  [[join(folder, "none.json")], /There is no file/],
])("mistakes on the line are told as sentences: %j", async (words, message) => {
  const line = words[0]?.startsWith("--") ? [faulty, ...words] : words
  expect(await run(exploreCommand, ...line)).toMatchObject({
    code: 1,
    err: expect.stringMatching(message),
  })
})

test("linked bots are entered, and named in the tests of findings", async () => {
  const kid = await file("kid.json", bot(group("Ask", say("How are you?"), ask.text())))
  const link = { type: "Typebot link", options: { typebotId: "kid", mergeResults: true } } as const
  const choice = ask.choice([{ content: "Buy", to: "Thanks" }, { content: "No" }])
  const thanks = group("Thanks", say("Thank you"))
  const root = await file("root.json", bot(group("Start", link, choice), thanks))
  const tests = join(folder, "linked")
  const alone = await run(exploreCommand, root)
  const { out } = await run(exploreCommand, root, "--linked", `kid=${kid}`, "-o", tests)
  expect(alone.out).toContain('  Start, then "No".')
  expect(out).not.toContain('  Start, then "No".')
  const [name = ""] = await readdir(tests)
  expect(await readFile(join(tests, name), "utf8")).toContain("kid: ../kid.json")
  expect((await run(testCommand, join(tests, name))).out).toContain("How are you?")
})
