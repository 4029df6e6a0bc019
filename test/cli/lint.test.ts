/** `parley lint`: what it prints and how it ends. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, truncate, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test, vi } from "vitest"
import { z } from "zod"
import { rules } from "../../src/authoring/lint/rules.ts"
import { lintCommand } from "../../src/cli/lint.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { builtCommand } from "../support/builtProduct.ts"
import { run } from "../support/runCommand.ts"
import { testFolder } from "../support/testFolder.ts"

// Nothing of what a server or a database needs.
vi.stubEnv("DATABASE_URL", "postgres://nowhere.invalid/none")
vi.stubEnv("PARLEY_PORT", "none")

const folder = await testFolder()

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2)
  await writeFile(path, text)
  return path
}

const sound = await file("sound.json", bot(group("A", say("Hi"))))
const warned = await file("warned bot.json", bot(group("Contact", say("Hi"), ask.email())))
const broken = await file("broken.json", '\uFEFF{ "version": "9",\n  "groups": [] }')
const torn = await file("torn.json", '{"groups": [')
const missing = join(folder, "missing.json")

test("a file that no bot fills is not read to its end", async () => {
  const enormous = join(folder, "enormous.json")
  await writeFile(enormous, "")
  await truncate(enormous, 2 ** 40)
  const { code, out } = await run(lintCommand, enormous)
  expect(code).not.toBe(0)
  expect(out).toContain("is larger than 16 MB")
})

test("a sound bot ends with code 0", async () => {
  expect(await run(lintCommand, sound)).toEqual({
    out: "0 errors and 0 warnings in 1 file.\n",
    err: "",
    code: 0,
  })
})

test("warnings are printed with file, line, pointer, place and remedy, and end with code 0", async () => {
  const { out, code } = await run(lintCommand, warned)
  const [where, what, remedy] = out.split("\n")
  expect(where).toMatch(/warned bot\.json:\d+:9 \/groups\/0\/blocks\/1$/)
  expect(what).toBe(
    '  warning Group "Contact" › block 2 "email input": Nothing follows the answer. (dead-end)',
  )
  expect(remedy).toMatch(/^ {2}Connect it/)
  expect(out).toMatch(/\n0 errors and 1 warning in 1 file\.\n$/)
  expect(code).toBe(0)
})

test("errors end with code 1, and every file is checked all the same", async () => {
  const { out, code } = await run(lintCommand, broken, torn, missing, warned)
  expect(code).toBe(1)
  expect(out).toContain(`${broken}:1:14 /version\n  error Bot: The version is not one of 3, 4`)
  expect(out).toContain(`${torn}:1:13\n  error File: The file is no JSON: `)
  expect(out).toContain(
    `${missing}:1:1\n  error File: There is no file ${missing}. (unreadable-file)`,
  )
  expect(out).toMatch(/\n3 errors and 1 warning in 4 files\.\n$/)
})

test("--strict and --max-warnings end with code 1 for warnings", async () => {
  expect((await run(lintCommand, warned, "--strict")).code).toBe(1)
  expect((await run(lintCommand, sound, "--strict")).code).toBe(0)
  expect((await run(lintCommand, warned, "--max-warnings", "1")).code).toBe(0)
  const { code, err } = await run(lintCommand, warned, "--max-warnings", "0")
  expect({ code, err }).toEqual({ code: 1, err: "There are more than 0 warnings.\n" })
  const odd = await run(lintCommand, warned, "--max-warnings", "few")
  expect(odd).toMatchObject({ code: 1, err: expect.stringContaining("whole number") })
})

/** Two faulty bots in folders of a project, and what its `parley.json` ignores. */
async function project(ignore: unknown) {
  const root = await mkdtemp(join(folder, "project-"))
  await mkdir(join(root, "bots"))
  const flow = bot(
    { variables: { Spare: null } },
    group("Contact", ask.email({ to: "Menu" })),
    group("Menu", ask.choice(["Yes", "No"])),
  )
  const paths = ["one.json", "two.json"].map((name) => join(root, "bots", name))
  for (const path of paths) await writeFile(path, JSON.stringify(flow))
  await writeFile(join(root, "parley.json"), `{\n "lint": ${JSON.stringify({ ignore })} }`)
  const ended = await run(lintCommand, "--json", ...paths)
  const { files = [], ignoredCount = 0 } = ended.out === "" ? {} : JSON.parse(ended.out)
  const left = files.map(({ findings }: { findings: { rule: string }[] }) =>
    findings.map(({ rule }) => rule),
  )
  return { left, ignoredCount, err: ended.err.replaceAll(root, ""), code: ended.code }
}

test("parley.json beside a bot or above it has rules ignored, anywhere, at a place or in a file", async () => {
  const all = ["dead-end", "unused-variable"]
  expect(await project([])).toMatchObject({ left: [all, all], ignoredCount: 0, err: "" })
  expect(await project(["dead-end"])).toMatchObject({
    left: [["unused-variable"], ["unused-variable"]],
    ignoredCount: 2,
  })
  for (const place of ['Group "Menu"', "/groups/1", "/groups/1/blocks/0"]) {
    expect(await project([{ rule: "dead-end", place }])).toMatchObject({ ignoredCount: 2 })
  }
  expect(await project([{ rule: "dead-end", file: "bots/two.json" }])).toMatchObject({
    left: [all, ["unused-variable"]],
  })
  expect(await project([{ rule: "dead-end", file: "bots/" }])).toMatchObject({ ignoredCount: 2 })
})

test("parley.json ignores no more than it names, and says which entries ignore nothing", async () => {
  for (const place of ['Group "Men"', "/groups/10", 'Group "Contact"']) {
    const { ignoredCount, err } = await project([{ rule: "dead-end", place }])
    expect(ignoredCount).toBe(0)
    expect(err).toMatch(/^An entry of \/parley.json ignores nothing: /)
  }
})

test("mistakes in parley.json are told with their position", async () => {
  const { code, err } = await project(["dead-ends"])
  expect(code).toBe(1)
  expect(err).toBe('/parley.json:2:21: there is no rule "dead-ends": see `parley lint --rules`.\n')
  expect((await project([{ rules: "dead-end" }])).err).toMatch(/^\/parley\.json:2:21: \/lint/)
})

test("--linked checks links against the bots that are given", async () => {
  const kid = await file("kid.json", bot(group("Ask", say("How are you?"))))
  const linking = await file(
    "linking.json",
    bot(
      group(
        "A",
        link("kid"),
        link("kid", { groupId: "gAsk" }),
        link("kid", { groupId: "gone" }),
        link("stranger"),
        say("x"),
      ),
    ),
  )
  expect((await run(lintCommand, linking)).out).toContain("0 warnings")
  const { out } = await run(lintCommand, linking, "--linked", `kid=${kid}`)
  expect(out.match(/: .*\(missing-jump-target\)/g)).toEqual([
    ': The linked bot has no group with the id "gone". (missing-jump-target)',
    ': The linked bots include none with the id "stranger". (missing-jump-target)',
  ])
})

test("--json prints the findings of each file", async () => {
  const { out, code } = await run(lintCommand, "--json", sound, warned)
  expect(JSON.parse(out)).toMatchObject({
    files: [
      { file: sound, findings: [] },
      {
        file: warned,
        findings: [{ rule: "dead-end", severity: "warning", line: expect.any(Number) }],
      },
    ],
    errorCount: 0,
    warningCount: 1,
  })
  expect(code).toBe(0)
})

// The members that are used, with the constraints of the standard's schema.
const text = z.strictObject({ text: z.string().min(1) })
const level = z.enum(["none", "note", "warning", "error"])
const sarifSchema = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          version: z.string(),
          informationUri: z.url(),
          rules: z.array(
            z.strictObject({
              id: z.string(),
              shortDescription: text,
              fullDescription: text,
              help: text,
              defaultConfiguration: z.strictObject({ level }),
            }),
          ),
        }),
      }),
      columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.number().int().min(0),
          level,
          message: text,
          locations: z.array(
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({ uri: z.string() }),
                region: z.strictObject({
                  startLine: z.number().int().min(1),
                  startColumn: z.number().int().min(1),
                }),
              }),
              logicalLocations: z.array(
                z.strictObject({ name: z.string(), fullyQualifiedName: z.string() }),
              ),
            }),
          ),
          partialFingerprints: z.record(z.string(), z.string()),
        }),
      ),
    }),
  ),
})

test("--sarif prints a log that code scanners take", async () => {
  const near = relative(process.cwd(), warned)
  const { out, code } = await run(lintCommand, "--sarif", warned, near, torn)
  const [log] = sarifSchema.parse(JSON.parse(out)).runs
  const described = log?.tool.driver.rules ?? []
  expect(described.map(({ id }) => id)).toEqual(["unreadable-file", ...rules.map(({ id }) => id)])
  for (const { ruleId, ruleIndex } of log?.results ?? [])
    expect(described[ruleIndex]?.id).toBe(ruleId)
  const uris = log?.results.map((each) => each.locations[0]?.physicalLocation.artifactLocation.uri)
  expect(uris).toEqual([
    pathToFileURL(warned).href,
    near.split("/").map(encodeURIComponent).join("/"),
    pathToFileURL(torn).href,
  ])
  expect(code).toBe(1)
})

test("--rules lists every rule with a sentence", async () => {
  const { out } = await run(lintCommand, "--rules")
  for (const { id, severity, description } of rules) {
    const line = out.split("\n").find((each) => each.startsWith(`${id} `)) ?? ""
    expect(line.split(/ {2,}/)).toEqual([id, severity, description])
  }
  expect(out.trimEnd().split("\n")).toHaveLength(rules.length + 1)
  expect(JSON.parse((await run(lintCommand, "--rules", "--json")).out)).toHaveLength(
    rules.length + 1,
  )
})

test("mistakes are reported as sentences with code 1", async () => {
  expect(await run(lintCommand)).toMatchObject({
    code: 1,
    err: expect.stringContaining("Name the files"),
  })
  const odd = await run(lintCommand, sound, "--jsno")
  expect(odd).toMatchObject({ code: 1, err: expect.stringContaining("no option --jsno") })
})

test("the program checks what comes in by a pipe", async () => {
  const command = await builtCommand()
  const ended = await new Promise<{ code: number; out: string }>((resolve) => {
    const child = execFile(process.execPath, [command, "lint", "-"], (error, out) => {
      resolve({ code: error === null ? 0 : Number(error.code), out })
    })
    child.stdin?.end('{"groups":5}')
  })
  expect(ended).toEqual({
    code: 1,
    out: expect.stringContaining("-:1:11 /groups\n  error Bot: `groups` must be a list"),
  })
})
