/** Programs that compile with the types of the last released client compile with those of today. */
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { routerTypes } from "../../scripts/clientPackage/routerTypes.ts"
import { growingChoices } from "../../src/http/openapi/openEnums.ts"
import { appRouter } from "../../src/routers/app.ts"
import { compilers, complaintsOf } from "../support/compilers.ts"

const fixtures = "test/fixtures/contract"
const [last = ""] = readdirSync(fixtures)
  .filter((name) => name.endsWith(".types.txt"))
  .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
const before = readFileSync(join(fixtures, last), "utf8")
const root = join(process.cwd(), "node_modules/.cache/parley")
await mkdir(root, { recursive: true })
const folder = await mkdtemp(join(root, "released-"))
afterAll(() => rm(folder, { recursive: true }))

/** The types of today, and planted changes of the released ones; each has to change them. */
const versions: Record<string, string> = {
  today: withoutNewChoices(routerTypes(appRouter)),
  newInput: withoutNewChoices(
    `${planted(/^(export type ChatInput = )/m, "$1ColourInput | ")}\nexport type ColourInput = { type: "colour" }\n`,
  ),
  lostMember: planted(/^(export type Folder = \{[^}]*?)\n {2}name: string/m, "$1"),
  otherType: planted(/^(export type Folder = \{[^}]*?\n {2}name): string/m, "$1: number"),
  newRequired: planted(
    /(\n {4}create: TRPCMutationProcedure<\{\n {6}input: \{)/,
    "$1\n colour: string",
  ),
  lostProcedure: planted(/\n {4}getMe: TRPC/, "\n    getMyself: TRPC"),
  newOptional: planted(
    /(\n {4}create: TRPCMutationProcedure<\{\n {6}input: \{)/,
    "$1\n colour?: string",
  ),
  newMember: planted(/^(export type Folder = \{)/m, "$1\n colour: string"),
  newReason: planted(/\| "STALE_DRAFT"/, '| "STALE_TREE"\n  | "STALE_DRAFT"'),
}

/** Types whose choices grow, without the new ones: programs skip them. */
function withoutNewChoices(text: string): string {
  return text.replace(/^export type (\w+) = (.*)$/gm, (line, name: string, choices: string) => {
    if (!growingChoices.includes(name)) return line
    const [, known = ""] = new RegExp(`^export type ${name} = (.*)$`, "m").exec(before) ?? []
    const kept = choices.split(" | ").filter((each) => known.split(" | ").includes(each))
    return `export type ${name} = ${kept.join(" | ")}`
  })
}

function planted(pattern: RegExp, change: string): string {
  const text = before.replace(pattern, change)
  if (text === before) throw new Error(`Nothing to change at ${pattern}`)
  return text
}

/** Every procedure of the release: what it took is taken, what it answers now was expected. */
const record = before.slice(before.indexOf("export type AppRouter"))
const places = [...record.matchAll(/^(?: {2}(\w+): \{| {4}(\w+): TRPC\w+Procedure)/gm)]
let group = ""
const procedures = places.flatMap(([, ofGroup, name]) => {
  if (ofGroup !== undefined) group = ofGroup
  return name === undefined ? [] : [`["${group}"]["${name}"]`]
})

const complaints = await compare()

async function compare(): Promise<Record<string, string[]>> {
  await writeFile(join(folder, "released.ts"), before)
  for (const [version, text] of Object.entries(versions)) {
    await writeFile(join(folder, `${version}.ts`), text)
    const rules = procedures.flatMap((place) => [
      `hold<Within<Inputs<Before>${place}, Inputs<Now>${place}>>() // ${place} takes`,
      `hold<Within<Outputs<Now>${place}, Outputs<Before>${place}>>() // ${place} answers`,
    ])
    await writeFile(join(folder, `${version}.check.ts`), `${head(version)}${rules.join("\n")}\n`)
  }
  const options = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom", "esnext.disposable"],
  }
  const compilerOptions = {
    ...{ ...options, strict: true, noEmit: true, skipLibCheck: true, types: [] },
    allowImportingTsExtensions: true,
  }
  const project = join(folder, "tsconfig.json")
  await writeFile(project, JSON.stringify({ compilerOptions, include: ["."] }))
  const [compiler = ""] = await compilers()
  const found: Record<string, string[]> = {}
  const printed = await complaintsOf(compiler, project)
  for (const [, version = "", line] of printed.matchAll(/(\w+)(?:\.check)?\.ts\((\d+),/g)) {
    const rules = readFileSync(join(folder, `${version}.check.ts`), "utf8").split("\n")
    const rule = rules[Number(line) - 1]?.split("// ")[1]
    found[version] = [...(found[version] ?? []), rule ?? `line ${line}`]
  }
  return found
}

function head(version: string): string {
  return `import type { inferRouterInputs as Inputs, inferRouterOutputs as Outputs } from "@trpc/server"
import type { AppRouter as Before } from "./released.ts"
import type { AppRouter as Now } from "./${version}.ts"
type Within<A, B> = [A] extends [B] ? true : false
declare function hold<_ extends true>(): void
`
}

test("nothing that was taken or answered is another now", () => {
  expect(procedures.length).toBeGreaterThan(100)
  // Breaks that were decided: released.test.ts finds their lines in the changelog.
  const allowed = JSON.parse(readFileSync(join(fixtures, "allowed.json"), "utf8"))
  const ofTypes = Object.keys(allowed).filter((each) => each.startsWith("["))
  expect(complaints.today ?? []).toEqual(ofTypes)
})

test.each([
  ["a lost member", "lostMember", '["folder"]["list"] answers'],
  ["a member of another type", "otherType", '["folder"]["list"] answers'],
  ["a new member that must be sent", "newRequired", '["workspace"]["create"] takes'],
  ["a lost procedure", "lostProcedure", '["user"]["getMe"] takes'],
])("the comparison catches %s", (_, version, rule) => expect(complaints[version]).toContain(rule))

test.each([
  ["a new member that may be left out", "newOptional"],
  ["a new member of an answer", "newMember"],
  ["a new reason of refusals", "newReason"],
  ["a new kind of input", "newInput"],
])("the comparison lets %s pass", (_, version) => expect(complaints[version] ?? []).toEqual([]))
