/** The action for GitHub: in a repository of Git, against a server that stands in for GitHub. */
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text as readAll } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeEach, expect, it } from "vitest"
import { parse } from "yaml"
import { builtCommand } from "../support/builtProduct.ts"
import { flowOf, text } from "../support/workshopBots.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const action = join(root, ".github/actions/parley")
const repository = mkdtempSync(join(tmpdir(), "parley-action-"))
const outside = mkdtempSync(join(tmpdir(), "parley-action-"))

type Comment = { id: number; body: string; user: { type: string } }
let comments: Comment[] = []
let calls: string[] = []
let status = 200
const github = createServer(async (request, response) => {
  const { method = "", url = "" } = request
  calls.push(`${method} ${url}`)
  const sent = await readAll(request)
  const { body } = sent === "" ? { body: "" } : JSON.parse(sent)
  const id = Number(/comments\/(\d+)$/.exec(url)?.[1] ?? comments.length + 1)
  if (status !== 200) response.statusCode = status
  else if (method === "POST") comments.push({ id, body, user: { type: "Bot" } })
  else if (method === "PATCH") {
    comments = comments.map((each) => (each.id === id ? { ...each, body } : each))
  }
  response.end(JSON.stringify(method === "GET" ? comments : {}))
})
await new Promise<void>((resolve) => github.listen(0, "127.0.0.1", resolve))
afterAll(() => github.close())

beforeEach(() => {
  comments = []
  calls = []
  status = 200
})

function git(...words: string[]): string {
  const settings = ["user.name=Ann", "user.email=ann@example.com", "commit.gpgsign=false"]
  const options = settings.flatMap((setting) => ["-c", setting])
  return execFileSync("git", [...options, ...words], { cwd: repository, encoding: "utf8" }).trim()
}

const hostile = "$(touch pwned)`@team`;\n::error::forged.bot.json"
const bot = (said: string) =>
  JSON.stringify({ name: "Sign up", ...flowOf({ blocks: [text(said)] }) })
git("init", "-q")
writeFileSync(join(repository, "signup.bot.json"), bot("Hello"))
git("add", ".")
git("commit", "-qm", "One")
const base = git("rev-parse", "HEAD")
writeFileSync(join(repository, "signup.bot.json"), bot("Welcome"))
writeFileSync(join(repository, hostile), bot("New"))
const steps = "bot: ./signup.bot.json\nconversation:\n  - bot: Welcome\n"
writeFileSync(join(repository, "signup.test.yaml"), steps)
git("add", ".")
git("commit", "-qm", "Two")

/** Something that answers as `parley` does, at once. */
function standIn(answers: { diff?: string; test?: string; code?: number }): string {
  const path = join(outside, `parley${readdirSync(outside).length}.mjs`)
  const sarif = JSON.stringify({ runs: [{ results: [] }] })
  const out = { lint: sarif, explore: sarif, diff: "No changes.", test: "", ...answers }
  const program = `
    const [word] = process.argv.slice(2)
    process.stdout.write(${JSON.stringify(out)}[word])
    if (word === "test") process.exitCode = ${answers.code ?? 0}
  `
  writeFileSync(path, program)
  return `${process.execPath} ${path}`
}

async function check(command: string, more: Record<string, string> = {}) {
  const [output, summary] = ["output", "summary"].map((name) => join(outside, name))
  for (const path of [output, summary]) writeFileSync(String(path), "")
  const address = github.address()
  const port = typeof address === "object" ? address?.port : undefined
  const child = spawn(process.execPath, [join(action, "check.mjs")], {
    cwd: repository,
    env: {
      PATH: process.env.PATH,
      RUNNER_TEMP: outside,
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_REPOSITORY: "ann/bots",
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      PARLEY_GITHUB_TOKEN: "token",
      PARLEY_PULL_REQUEST: "7",
      PARLEY_BASE: base,
      PARLEY_BOTS: "**/*.bot.json\n*.bot.json",
      PARLEY_TESTS: ".",
      PARLEY_COMMAND: command,
      PARLEY_EXPLORE: "1s",
      ...more,
    },
  })
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const [out, err] = await Promise.all([readAll(child.stdout), readAll(child.stderr)])
  const written = {
    output: readFileSync(String(output), "utf8"),
    summary: readFileSync(String(summary), "utf8"),
  }
  return { out, err, code: await ended, ...written }
}

it("lints, tests and compares, and says so in one comment that it brings up to date", async () => {
  const { out, err, code, output, summary } = await check(
    `${process.execPath} ${await builtCommand()}`,
    { PARLEY_MIN: "1", PARLEY_BOTS: "signup.bot.json" },
  )
  expect({ err, code }, out).toEqual({ err: "", code: 0 })
  expect(calls).toEqual([
    "GET /repos/ann/bots/issues/7/comments?per_page=100&page=1",
    "POST /repos/ann/bots/issues/7/comments",
  ])
  const [{ body = "" } = {}] = comments
  expect(body).toMatch(
    /✅ Lint: 1 bot, 0 errors, \d+ other findings?\n- ✅ Explore: 0 errors, \d+ other findings?\n- ✅ Tests: they pass\n/,
  )
  expect(body).toContain("### ` signup.bot.json `\n\n**1 change**: 1 changed")
  expect(body).toContain("~~`Hello`~~ **`Welcome`**")
  expect(summary.trim()).toBe(body)
  const sarif = /^sarif=(.*)\n$/.exec(output)?.[1] ?? ""
  expect(JSON.parse(readFileSync(sarif, "utf8"))).toMatchObject({ version: "2.1.0" })
  await check(standIn({ diff: "**2 changes**" }))
  expect(comments).toEqual([
    { id: 1, body: expect.stringContaining("**2 changes**"), user: { type: "Bot" } },
  ])
})

it("takes no name and no text for a command, a link or a mention", async () => {
  const said = "::add-mask::x\n  ::set-output name=sarif::y\n::error file=a::b\n"
  const { out, code } = await check(standIn({ test: said }))
  expect(code).toBe(0)
  expect(readdirSync(repository)).not.toContain("pwned")
  expect(out.split("\n").filter((line) => /^\s*::/.test(line))).toEqual(["::error file=a::b"])
  expect(comments[0]?.body).toContain("### `` $(touch pwned)`@team`;�::error::forged.bot.json ``")
  expect(comments[0]?.body).toContain("A new bot.")
})

it("fails when a test fails, and writes no longer comment than GitHub takes", async () => {
  const diff = `${"- changed `a`\n".repeat(8_000)}`
  const { code, summary } = await check(standIn({ diff, code: 1 }))
  expect(code).toBe(1)
  const [{ body = "" } = {}] = comments
  expect(body).toContain("❌ Tests: some fail")
  expect(body.length).toBeLessThan(65_536)
  expect(body).toMatch(/- changed `a`\n\nThe rest is left out, because it is too long\.$/)
  expect(summary.length).toBeGreaterThan(100_000)
})

it("leaves the comments of people alone", async () => {
  comments = [{ id: 1, body: "<!-- parley: bots --> mine", user: { type: "User" } }]
  await check(standIn({}))
  expect(comments).toHaveLength(2)
  expect(comments[0]?.body).toBe("<!-- parley: bots --> mine")
})

it("warns when it may not comment, as for requests from forks", async () => {
  status = 403
  const { out, code } = await check(standIn({}))
  expect(out).toContain("::warning::There is no comment: GitHub answered GET with 403")
  expect(code).toBe(0)
})

it("comments on nothing if no bot has changed, or comments are off", async () => {
  await check(standIn({}), { PARLEY_BASE: git("rev-parse", "HEAD") })
  await check(standIn({}), { PARLEY_PULL_REQUEST: "" })
  expect(comments).toEqual([])
})

it("hands what others wrote to its script by the environment alone, and uses no other action", () => {
  const { runs } = parse(readFileSync(join(action, "action.yml"), "utf8"))
  const steps: Record<string, unknown>[] = runs.steps
  expect(steps.map(({ run }) => run)).toEqual(['node "$GITHUB_ACTION_PATH/check.mjs"'])
  expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual([])
})

it("has hooks for pre-commit that run what the package has", () => {
  const hooks: { id: string; entry: string }[] = parse(
    readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"),
  )
  expect(hooks.map(({ id, entry }) => [id, entry])).toEqual([
    ["parley-lint", "npx --no-install parley lint"],
    ["parley-test", "npx --no-install parley test"],
  ])
})
