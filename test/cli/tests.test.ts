/** `parley test`: which files it finds, what it prints and how it ends. */
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { expect, test, vi } from "vitest"
import { parse } from "yaml"
import { schemaCommand } from "../../src/cli/schema.ts"
import { testCommand } from "../../src/cli/test.ts"
import { ask, block, bot, group, say, set } from "../support/bots.ts"
import { run } from "../support/runCommand.ts"
import { testFolder } from "../support/testFolder.ts"

// Nothing of what a server or a database needs.
vi.stubEnv("DATABASE_URL", "postgres://nowhere.invalid/none")

const folder = await testFolder()

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}

await file(
  "bots/hello.json",
  bot(
    group(
      "Hello",
      set("Sum", "1 + 1"),
      say("Name?"),
      ask.text({ saves: "N" }),
      say("{{N}} {{Sum}}"),
    ),
  ),
)
const good = await file(
  "bots/tests/good.test.yaml",
  `
# What the bot says when all is well.
bot: ../hello.json
name: greets
conversation:
  - bot: Name?
  - user: Ann
  - bot: Ann 2
`,
)
const bad = await file(
  "bad/bad.test.json",
  `{
  "bot": "../bots/hello.json",
  "conversation": [
    { "bot": "Name?" },
    { "user": "Ann" },
    { "bot": "Ann 3" }
  ]
}`,
)
await file("bots/tests/node_modules/deep.test.yaml", "conversation: no")
await file("bots/tests/.hidden/deep.test.yaml", "conversation: no")
await file("bots/tests/notes.yaml", "conversation: no")

test("finds the test files of a folder, runs scripts in the sandbox, and ends with code 0", async () => {
  const { out, err, code } = await run(testCommand, join(folder, "bots"))
  expect(out.replaceAll(folder, "").replace(/\d\.\d s/, "T")).toBe(
    `passed /bots/tests/good.test.yaml › greets\n1 passed, 0 failed in 1 file (3 steps, T).\n`,
  )
  expect({ err, code }).toEqual({ err: "", code: 0 })
})

test("shows the conversation beside what was expected, with its place in file and bot", async () => {
  const { out, code } = await run(testCommand, good, bad)
  expect(code).toBe(1)
  expect(out.replaceAll(folder, "")).toContain(`failed /bad/bad.test.json › bad.test.json
  /bad/bad.test.json:6:5
  The bot says something else (Group "Hello" › block 4 "text")
      bot  | Name?   Group "Hello" › block 2 "text"
      asks | text input   Group "Hello" › block 3 "text input"
      user | Ann
    - | Ann 3
    + | Ann 2   Group "Hello" › block 4 "text"
`)
})

test("names mistakes by line and column, and ends with code 2", async () => {
  const wrong = await file(
    "wrong/wrong.test.yaml",
    "bot: ../bots/hello.json\nconversation:\n  - usr: a\n",
  )
  const lost = await file("wrong/lost.test.yaml", "conversation: []\nbot: ./none.json\n")
  const tests = await file("wrong/odd.test.yaml", "conversation: []\nbot: ./odd.json\n")
  const again = await file("wrong/oddAgain.test.yaml", "conversation: []\nbot: ./odd.json\n")
  await file("wrong/odd.json", '{ "version": "9",\n  "groups": [] }')
  const { out, code } = await run(testCommand, wrong, lost, tests, again, bad)
  expect(code).toBe(2)
  const lines = out.replaceAll(folder, "").split("\n")
  expect(lines.slice(0, 4)).toEqual([
    expect.stringMatching(/^mistake \/wrong\/wrong\.test\.yaml:3:5 .*`usr`/),
    "mistake /wrong/lost.test.yaml:2:1 There is no file /wrong/none.json",
    expect.stringMatching(/^mistake \/wrong\/odd\.json:1:14 Bot: The version is not one of/),
    expect.stringMatching(/^skipped \/wrong\/oddAgain\.test\.yaml: /),
  ])
  expect(lines.at(-2)).toMatch(/^0 passed, 1 failed in 5 files, 3 with mistakes, 1 skipped/)
})

test("--update writes what the bot says, keeps the rights of the file, and passes", async () => {
  const text = "bot: ./bots/hello.json\nconversation:\n  - user: Ann # Anna\n  - bot: Hi\n"
  const path = await file("update.test.yaml", text)
  await chmod(path, 0o640)
  const { out, code } = await run(testCommand, path, "--update")
  expect(await readFile(path, "utf8")).toBe(
    text.replace("  - user", "  - bot: Name?\n  - user").replace("Hi", "Ann 2"),
  )
  expect((await stat(path)).mode & 0o777).toBe(0o640)
  expect(out.replaceAll(folder, "")).toContain(
    "updated /update.test.yaml:3:5\n    + | Name?\nupdated /update.test.yaml:4:5\n    - | Hi\n    + | Ann 2\npassed",
  )
  expect(code).toBe(0)
  const { out: again } = await run(testCommand, path, "--update")
  expect(again).not.toContain("updated")
})

test("--min asks for a share of everything in a bot", async () => {
  await file("bots/half.json", bot(group("One", ask.text()), group("Two", say("Never"))))
  const half = await file("half.test.yaml", "bot: ./bots/half.json\nconversation: [{ user: a }]\n")
  const covered = await run(testCommand, half, "--coverage")
  expect(covered.code).toBe(0)
  expect(covered.out).toContain("  blocks     1 of 2 (50 %)\n")
  expect(covered.out).toContain('  not reached: Group "Two"\n')
  expect(await run(testCommand, half, "--min", "50")).toMatchObject({ code: 0 })
  expect(await run(testCommand, half, "--min", "51")).toMatchObject({
    code: 2,
    out: expect.stringMatching(/reached by less than 51 %\.\n$/),
  })
  for (const reporter of ["junit", "tap", "json"]) {
    const words = ["--min", "51", "--reporter", reporter]
    expect(await run(testCommand, half, ...words)).toMatchObject({
      code: 2,
      out: expect.not.stringContaining("reached by less"),
      err: "Some bot is reached by less than 51 %.\n",
    })
  }
})

test.each([
  [["--reporter", "xml"], /must be one of pretty, junit/],
  [["--min", "most"], /--min must be a whole number/],
  [["--min", "101"], /--min is a percentage: at most 100/],
  [["--cover"], /no option --cover/],
  [[join(folder, "nowhere")], /There is no file/],
  [[join(folder, "bots/tests/.hidden/none")], /There is no file/],
])("mistakes on the line are told as sentences with code 2: %j", async (words, message) => {
  expect(await run(testCommand, ...words)).toMatchObject({
    code: 2,
    err: expect.stringMatching(message),
  })
})

test("folders and too large files are not read", async () => {
  await symlink("/dev/zero", join(folder, "endless.json"))
  const endless = await file("endless.test.yaml", "bot: ./endless.json\nconversation: []\n")
  const large = await file("large.test.yaml", " ".repeat(16_000_001))
  const { out } = await run(testCommand, endless, large)
  expect(out).toMatch(/endless\.json is not a file\n.*large\.test\.yaml is larger than 16 MB\n/)
})

test("a bot that is no JSON is not quoted", async () => {
  await file("secret", "//registry/:_authToken=abc")
  const path = await file("secret.test.yaml", "bot: ./secret\nconversation: []\n")
  const { out } = await run(testCommand, path, "--reporter", "json")
  expect(out).toContain("The file is no JSON")
  expect(out).not.toContain("registry")
})

test("the JSON Schema of `parley schema --test` takes what the command takes", async () => {
  const { out } = await run(schemaCommand, "--test")
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(out))
  const written = parse(await readFile(good, "utf8"))
  expect(fits({ $schema: "./parley.schema.json", ...written })).toBe(true)
  expect(fits({ ...written, conversation: [{ usr: "a" }] })).toBe(false)
})

test("the example of the page for authors passes", async () => {
  const page = await readFile(new URL("../../src/workshop/README.md", import.meta.url), "utf8")
  const [, example = ""] = page.match(/```yaml\n(bot: [\s\S]*?)```/) ?? []
  const body = { url: "https://crm.example/people", method: "POST", body: '{"name":"{{Name}}"}' }
  const greeter = group(
    "Greeter",
    say("Hi! What is your name?"),
    ask.text({ saves: "Name" }),
    say("Thanks, {{Name}}. Your e-mail?"),
    ask.email({ saves: "Email" }),
    block("Webhook", { isCustomBody: true, webhook: body }),
  )
  await file("page/greeter.json", bot(greeter))
  const path = await file("page/greeter.test.yaml", example)
  expect(await run(testCommand, path)).toMatchObject({ code: 0 })
})
