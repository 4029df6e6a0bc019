/** The packages that are published: what is in them, and that the client's types are the router's. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { AnyTRPCRouter } from "@trpc/server"
import { build } from "esbuild"
import { API } from "typescript/unstable/sync"
import { afterAll, describe, expect, test } from "vitest"
import { writeClientPackage } from "../../scripts/clientPackage/writePackage.ts"
import { typesOfBot } from "../../src/authoring/types/typesOfBot.ts"
import { prepareBot } from "../../src/engine/bot.ts"
import { openEnums } from "../../src/http/openapi/openEnums.ts"
import { appRouter } from "../../src/routers/app.ts"
import { ask, bot, group } from "../support/bots.ts"
import { compilers, complaintsOf } from "../support/compilers.ts"
import { testServer } from "../support/server.ts"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../..", import.meta.url))
const cache = join(root, "node_modules/.cache/parley")
await mkdir(cache, { recursive: true })
// Inside the checkout, whose packages the compiler then finds.
const app = await mkdtemp(join(cache, "app-"))
afterAll(() => rm(app, { recursive: true }))
const packed = join(app, "node_modules/@parley/client")
await writeClientPackage(packed)

describe("the package of the client", () => {
  test("is a bundle and its types, twice, and needs little beside tRPC", async () => {
    const readers = ["eventReader", "readRefusal", "requests", "transfers"]
    const ofClient = ["chat", "draft", "edit", "errors", "preview", "react", "repeats", ...readers]
    const parts = [...ofClient.map((name) => `client/${name}`), "index", "routers/app"]
    const declared = parts.map((path) => `${path}.d.ts`)
    const both = ["draft.js", "edit.js", "index.js", "package.json", "react.js", ...declared]
    expect(await filesOf(packed)).toEqual(
      ["README.md", ...both, ...both.map((path) => `cjs/${path}`)].toSorted(),
    )
    const manifest = JSON.parse(await readFile(join(packed, "package.json"), "utf8"))
    const { dependencies, peerDependencies } = manifest
    expect(Object.keys(dependencies)).toEqual(["eventsource-parser", "superjson"])
    expect(Object.keys(peerDependencies)).toEqual(["@trpc/client", "@trpc/server", "react"])
    const allowed = Object.keys({ ...dependencies, ...peerDependencies })
    for (const file of ["draft.js", "edit.js", "index.js", "react.js", ...declared]) {
      const text = await readFile(join(packed, file), "utf8")
      const named = [...text.matchAll(/(?:\bfrom |\bimport\()"([^"]+)"/g)].map(
        ([, name = ""]) => name,
      )
      const isOwn = (name: string) =>
        parts.some((part) => `/${part}`.endsWith(name.replace(/^\.\.?|\.ts$/g, "")))
      expect(named.filter((name) => !allowed.includes(name) && !isOwn(name))).toEqual([])
    }
    const required = await readFile(join(packed, "cjs/index.js"), "utf8")
    const names = [...required.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name)
    expect([...new Set(names)]).toEqual(["@trpc/client"])
  })

  test.each([
    ["imported", "module", 'await import("@parley/client")'],
    ["required", "commonjs", 'require("@parley/client")'],
  ])("can be %s by its name", async (_, type, loaded) => {
    const program = `console.log(Object.keys(${loaded}).sort().join())`
    const { stdout } = await run(process.execPath, [`--input-type=${type}`, "-e", program], {
      cwd: app,
    })
    expect(stdout.trim()).toBe(
      "createParleyClient,isParleyError,maxBatchCalls,maxUrlLength,openPreview,readSession",
    )
  })

  test("has edits apart, which need nothing: 27 kB", async () => {
    for (const type of ["module", "commonjs"]) {
      const loaded = `${type === "module" ? "await import" : "require"}("@parley/client/edit")`
      const program = `console.log(Object.keys(${loaded}).sort().join())`
      const words = [`--input-type=${type}`, "-e", program]
      const { stdout } = await run(process.execPath, words, { cwd: app })
      expect(stdout.trim()).toBe(
        "applyEdits,editsBetween,elementsOf,isEditProblem,maxEdits,rebaseEdits,takeMine",
      )
    }
    const contents = 'export * from "@parley/client/edit"'
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: app },
      ...{ bundle: true, minify: true, write: false, metafile: true, format: "esm" },
    })
    expect(Object.keys(metafile.inputs)).toHaveLength(2)
    expect(outputFiles[0]?.contents.length).toBeLessThan(28_000)
  })

  test("adds little to an app beside tRPC: 25 kB with superjson and its reader of events", async () => {
    const contents = 'import { createParleyClient } from "@parley/client"; createParleyClient({})'
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: app },
      ...{ bundle: true, minify: true, write: false, format: "esm", platform: "browser" },
      external: ["@trpc/*"],
    })
    expect(outputFiles[0]?.contents.length).toBeLessThan(32_000)
  })

  test("compiles in a strict app that checks the types of packages, with each example of its page", async () => {
    await cp(join(root, "test/client"), join(app, "src"), { recursive: true })
    await writeFile(join(app, "src/required.cts"), required)
    await writeFile(join(app, "src/open.ts"), openness())
    await writeFile(join(app, "src/signup.ts"), typesOfBot(prepareBot(signup, "", ""), "Signup"))
    await writeFile(join(app, "src/given.d.ts"), given)
    const page = await readFile(join(root, "scripts/clientPackage/README.md"), "utf8")
    const examples = [...page.matchAll(/```(tsx?)\n([\s\S]*?)```/g)]
    expect(examples.length).toBeGreaterThan(12)
    for (const [index, [, kind, code]] of examples.entries()) {
      await writeFile(join(app, `src/example${index}.${kind}`), `${code}\nexport {}\n`)
    }
    // The last is what the types of @trpc/server 11 name.
    const lib = ["es2022", "dom", "esnext.disposable"]
    const modules = { module: "nodenext", target: "es2022", lib, types: [], ...jsx }
    const strictness = { strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
    await writeJson("tsconfig.json", {
      compilerOptions: { ...modules, ...strictness, noEmit: true },
      include: ["src"],
    })
    for (const compiler of await compilers()) {
      const complaints = await complaintsOf(compiler, join(app, "tsconfig.json"))
      expect([compiler, complaints]).toEqual([compiler, ""])
    }
  })

  test("runs a builder app against a service", async () => {
    const server = await testServer()
    const entryPoints = [join(root, "test/client/builder.ts")]
    const outfile = join(app, "builder.mjs")
    await build({ entryPoints, outfile, bundle: true, format: "esm", packages: "external" })
    const builder: typeof import("../client/builder.ts") = await import(outfile)
    expect(await builder.build(server.address, server.token)).toEqual(["Yes"])
  })

  test.each([
    ["README.md", "Write a builder", ""],
    ["scripts/clientPackage/README.md", "Edit a draft", "const botId = (await newBot()).id"],
    [
      "scripts/clientPackage/README.md",
      "Talk to a bot",
      `const publicId = await publish(${JSON.stringify(signup)})`,
    ],
    [
      "scripts/clientPackage/README.md",
      "Export results",
      `const botId = (await newBot()).id
      const disk = new WritableStream()
      const showProgress = () => {}`,
    ],
    [
      "scripts/clientPackage/README.md",
      "Upload and download files",
      `const botId = (await newBot()).id
      const publicId = await publish(${JSON.stringify(bot(group("A", ask.file())))})`,
    ],
  ])("does what %s says under %s", async (path, heading, before) => {
    const code = await exampleUnder(path, heading)
    const promised = [...code.matchAll(/\/\/ prints: (.*)/g)].map(([, line]) => line)
    expect(promised.length).toBeGreaterThan(0)
    const server = await testServer()
    const example = code.replace("http://localhost:3000", server.address)
    const prelude = `import { createParleyClient as open } from "@parley/client"
      const token = process.argv[2]
      ${code.includes("createParleyClient({") ? "" : `const parley = open({ url: "${server.address}", token })`}
      async function newBot() {
        const { workspaces } = await parley.workspace.list.query()
        return (await parley.bot.create.mutate({ workspaceId: workspaces[0].id, bot: {} })).bot
      }
      async function publish(flow: object) {
        const { id } = await newBot()
        await parley.bot.update.mutate({ botId: id, bot: { ...flow, publicId: id } })
        await parley.bot.publish.mutate({ botId: id })
        return id
      }
      ${before}\n`
    await writeFile(join(app, "page.mts"), prelude + example)
    const outfile = join(app, "page.mjs")
    await build({ entryPoints: [join(app, "page.mts")], outfile })
    const { stdout } = await run(process.execPath, [outfile, server.token])
    expect(stdout.trim().split("\n")).toEqual(promised)
  })

  test("opens the enums that may grow, and no other", async () => {
    const declared = await readFile(join(packed, "routers/app.d.ts"), "utf8")
    expect(declared.match(/Open<(?!Known)/g)).toHaveLength(openEnums.length)
  })

  test("has the types of the sources, member for member, but that it opens enums", async () => {
    const declared = join(packed, "routers/app.d.ts")
    const open = await readFile(declared, "utf8")
    const known = open
      .replace("= Known | (string & {})", "= Known")
      .replace(/\| \{\s+reason: UnknownErrorCode;\s+data\?: unknown;?\s+\}/, "")
    await writeFile(declared, known)
    await writeFile(join(app, "same.ts"), comparison())
    const options = { paths: {}, noUnusedLocals: false, rootDir: root }
    await writeJson("same.json", {
      extends: join(root, "tsconfig.json"),
      compilerOptions: options,
      include: [],
      files: ["same.ts"],
    })
    expect(complaintsAbout("same.ts", "same.json")).toEqual([])
  })
})

/** An app of CommonJS, which the compiler lets require only what has types for that. */
const required = `import parley = require("@parley/client")
const client: parley.ParleyClient = parley.createParleyClient({ url: "", token: async () => "" })
export async function use(botId: string) {
  const { bot } = await client.bot.get.query({ botId })
  const type: parley.ParleyOutputs["bot"]["get"]["bot"]["groups"][number]["blocks"][number]["type"] | undefined =
    bot.groups[0]?.blocks[0]?.type
  // @ts-expect-error a bot has no such member
  bot.nonsense
  return [type, client.preview(botId).state.input?.type]
}
`

/** A program that compiles if each open enum takes any name, and still lists those that editors complete. */
function openness(): string {
  const types = openEnums.map((name) => {
    const [owner = "", member] = name.split(".")
    if (owner === "Problem") return `NonNullable<parley.ParleyError["data"]>["${member}"]`
    return `parley.${owner}${member ? `["${member}"]` : ""}`
  })
  return `import type * as parley from "@parley/client"
type Known<T> = T extends string ? (string extends T ? never : T) : never
type IsOpen<T> = string extends T ? ([Known<T>] extends [never] ? false : true) : false
declare function hold<_ extends true>(): void
${types.map((type) => `hold<IsOpen<${type}>>()`).join("\n")}
declare const error: parley.ParleyError
if (error.data && typeof error.data.data === "object" && error.data.reason !== "STALE_DRAFT")
  // @ts-expect-error reasons to come have unknown data
  error.data.data.revision
// @ts-expect-error all others are closed
hold<IsOpen<parley.ParleyInputs["result"]["list"]["status"]>>()
`
}

/** The bot of the page's example. */
const signup = bot(
  { variables: { Source: null } },
  group("Sign up", ask.text({ saves: "Name" }), ask.choice(["Free", "Pro"], { saves: "Plan" })),
)

/** The types of Preact do for the page's components: hooks bring their own. */
const jsx = { jsx: "react-jsx", jsxImportSource: "preact" }

/** What the examples of the page have around them. */
const given = `import type * as its from "@parley/client"
declare global {
  const parley: its.ParleyClient
  const createParleyClient: typeof its.createParleyClient
  const isParleyError: typeof its.isParleyError
  const readSession: typeof its.readSession
  const process: { env: { PARLEY_TOKEN?: string } }
  const session: { freshToken(): Promise<string> }
  const disk: WritableStream<Uint8Array>
  const botId: string
  const bot: its.Bot
  const key: string
  const publicId: string
  const sessionId: string
  const updatedAt: string
  const revisionOfMine: number
  const url: string
  function append(line: its.ParleyOutputs["conversation"]["listMessages"]["messages"][number]): void
  function apply(edits: its.Edit[]): void
  function leaveBot(): void
  function readAgain(): void
  function reportConflict(elements: string[], by?: string | null): void
  function send(text: string): void
  function show(messages: unknown[], input: unknown): void
  function showEnd(): void
  function showLive(version?: number): void
  function showPeople(people: { userId: string; name: string | null; focus?: string | null }[]): void
  function showPerson(): void
  function showProgress(bytes: number): void
  function showTyping(): void
}
`

/** The first example under a heading of a page. */
async function exampleUnder(path: string, heading: string): Promise<string> {
  const page = await readFile(join(root, path), "utf8")
  const example = new RegExp(`## ${heading}[\\s\\S]*?\`\`\`ts\\n([\\s\\S]*?)\`\`\``)
  return example.exec(page)?.[1] ?? ""
}

/** The files that npm would pack. */
async function filesOf(folder: string): Promise<string[]> {
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts"]
  const { stdout } = await run("npm", words, { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  return files.map(({ path }) => path).sort()
}

async function writeJson(name: string, value: unknown): Promise<void> {
  await writeFile(join(app, name), JSON.stringify(value))
}

/** What the compiler says of one file; `npm run check` compiles the sources that it names. */
function complaintsAbout(file: string, project: string): string[] {
  const api = new API({ cwd: app })
  try {
    const config = join(app, project)
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program
    if (!program?.getSourceFileNames().includes(join(app, file)))
      throw new Error(`${file} cannot be read`)
    const source = readFileSync(join(app, file), "utf8")
    return program
      .getSemanticDiagnostics(join(app, file))
      .map(({ text, pos, end }) => `${source.slice(pos, end)}: ${text}`)
  } finally {
    api.close()
  }
}

/** A program that compiles if every procedure takes and answers the same by both types. */
function comparison(): string {
  const router: AnyTRPCRouter = appRouter
  const places = Object.keys(router._def.procedures).map((name) =>
    name
      .split(".")
      .map((part) => `["${part}"]`)
      .join(""),
  )
  return `import type * as source from "${join(root, "src/client.ts")}"
import type * as packed from "@parley/client"
import type * as sourceEdit from "${join(root, "src/client/edit.ts")}"
import type * as packedEdit from "@parley/client/edit"

type Plain = string | number | boolean | null | undefined | void
// A member that may be left out differs from one that may not.
type Deep<T> = T extends Plain
  ? T
  : T extends AsyncIterable<infer Event>
    ? { yields: Deep<Event> }
  : T extends readonly (infer Element)[]
    ? Deep<Element>[]
    : { [Name in keyof T]-?: [object extends Pick<T, Name> ? "optional" : "required", Deep<T[Name]>] }
type Within<A, B> = [A] extends [B] ? true : false
type Same<A, B> = Within<Deep<A>, Deep<B>> & Within<Deep<B>, Deep<A>>

declare function hold<_ extends true>(): void
hold<Same<sourceEdit.Edit, packedEdit.Edit>>()
hold<Same<sourceEdit.Draft, packedEdit.Draft>>()
hold<Same<sourceEdit.AppliedEdits, packedEdit.AppliedEdits>>()
hold<Same<source.ParleyError["data"], packed.ParleyError["data"]>>()
${places
  .flatMap((place) => ["Inputs", "Outputs"].map((side) => `Parley${side}${place}`))
  .map((name) => `hold<Same<source.${name}, packed.${name}>>()`)
  .join("\n")}
`
}
