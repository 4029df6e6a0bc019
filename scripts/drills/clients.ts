/**
 * Generates clients of openapi.json with the generators that people use, compiles them, lets each of
 * them chat and write a bot back that it has read, and prints what works.
 * `npx tsx scripts/drills/clients.ts [--only go] [--keep]`; needs Python, Java, Maven and Go beside
 * Node, and the registries. Ends with 1 when a client fails.
 */
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual, promisify } from "node:util"
import { commands, everyBlock, kept, walked } from "../../test/support/generatedClients.ts"
import type { Api } from "./api.ts"
import { root, token } from "./product.ts"
import { withService } from "./stack.ts"

/** What a generator needs, as commands of a shell that find each other's programs. */
type Generator = {
  name: string
  install: string
  /** Reads openapi.json in the folder in which it runs; absent: the command that the guide names. */
  generate?: string
  /** The walk, copied beside what was generated. */
  walk: readonly [from: string, to: string]
  compile: string
  /** Runs the walk; followed by its arguments. */
  run: string
}

const openApiGenerator = "pip install -q openapi-generator-cli==7.26.0"
const npm = (packages: string) =>
  `npm install --silent --prefix ../tools @types/node@20 typescript@5.9 ${packages} && ln -s ../tools/node_modules . && ` +
  `echo '{"type":"module"}' > package.json`
const tsc =
  "tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler " +
  "--lib es2023,dom,dom.iterable --allowImportingTsExtensions --types node walk.ts"
const typescript = { compile: tsc, run: "tsx walk.ts" }
const generators: readonly Generator[] = [
  {
    name: "openapi-generator, python",
    install: `${openApiGenerator} pydantic python-dateutil urllib3`,
    walk: ["./clients/openapiGenerator.py", "walk.py"],
    compile: "python -m compileall -q openapi_client",
    run: "python walk.py",
  },
  {
    name: "openapi-generator, typescript-fetch",
    install: `${openApiGenerator} && ${npm("")}`,
    walk: ["./clients/typescriptFetch.ts", "walk.ts"],
    ...typescript,
  },
  {
    name: "openapi-generator, java",
    install: openApiGenerator,
    walk: ["./clients/Walk.java", "src/main/java/org/openapitools/client/Walk.java"],
    compile: "mvn -q compile dependency:build-classpath -Dmdep.outputFile=classpath",
    run: 'java -cp "target/classes:$(cat classpath)" org.openapitools.client.Walk',
  },
  {
    name: "oapi-codegen",
    install: "go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
    walk: ["./clients/oapiCodegen.go", "walk.go"],
    compile: "go mod init walk && go mod tidy && go build -o walk .",
    run: "./walk",
  },
  {
    name: "openapi-python-client",
    install: "pip install -q openapi-python-client==0.29.1",
    walk: ["./clients/openapiPythonClient.py", "walk.py"],
    compile: "python -m compileall -q parley_client",
    run: "python walk.py",
  },
  {
    name: "parley-client",
    install: "pip install -q mypy",
    generate: `python3 ${join(root, "scripts/pythonPackage/build.py")} made && pip install -q made/*.whl`,
    walk: ["./clients/parleyClient.py", "walk.py"],
    compile: "mypy --strict walk.py",
    run: "python walk.py",
  },
  {
    name: "openapi-typescript, openapi-fetch",
    install: npm("openapi-typescript@7.13.0 openapi-fetch@0.17.0"),
    walk: ["./clients/openapiFetch.ts", "walk.ts"],
    ...typescript,
  },
  {
    name: "@hey-api/openapi-ts",
    // The last line that runs on Node 20.
    install: npm("@hey-api/openapi-ts@0.95.0"),
    walk: ["./clients/heyApi.ts", "walk.ts"],
    ...typescript,
  },
  {
    name: "orval",
    // The last line that runs on Node 20.
    install: npm("orval@7.13.2"),
    walk: ["./clients/orval.ts", "walk.ts"],
    ...typescript,
  },
  {
    name: "oazapfts",
    install: npm("oazapfts@7.5.0 @oazapfts/runtime@1.2.0"),
    walk: ["./clients/oazapfts.ts", "walk.ts"],
    ...typescript,
  },
]

const only = process.argv[process.argv.indexOf("--only") + 1]
const work = await mkdtemp(join(tmpdir(), "parley-clients-"))
const tools = join(work, "tools")
const path = ["venv/bin", "go/bin", "node_modules/.bin"].map((folder) => join(tools, folder))
const env = {
  ...process.env,
  PATH: [...path, join(root, "node_modules/.bin"), process.env.PATH].join(":"),
  GOBIN: join(tools, "go/bin"),
  GOFLAGS: "-mod=mod",
}

const rows: { name: string; works: string[] }[] = []
await mkdir(tools)
await run(work, `python3 -m venv ${join(tools, "venv")}`)
await withService(async ({ address, api }) => {
  const { id, publicId } = await api.publish({ name: "Walk", ...everyBlock() })
  for (const generator of generators) {
    if (process.argv.includes("--only") && !generator.name.includes(only ?? "")) continue
    rows.push({
      name: generator.name,
      works: await walk(generator, api, [address, token, publicId, id]),
    })
  }
})
if (process.argv.includes("--keep")) console.log(work)
else await rm(work, { recursive: true, force: true })
const columns = ["compiles", "chats", "reads and writes a bot without loss"]
console.log(`\n| generator | ${columns.join(" | ")} |\n|${"---|".repeat(4)}`)
for (const { name, works } of rows) {
  console.log(
    `| ${name} | ${columns.map((column) => (works.includes(column) ? "yes" : "**no**")).join(" | ")} |`,
  )
}
process.exit(rows.every(({ works }) => works.length === columns.length) ? 0 : 1)

/** Makes a client and walks; returns the columns of what works. */
async function walk(generator: Generator, api: Api, words: string[]): Promise<string[]> {
  const { name, install, generate = commands.get(name), compile } = generator
  const folder = join(work, name.replace(/\W+/g, "-"))
  const [from, to] = generator.walk
  const place = `/bots/${words.at(-1)}`
  const before = await api.call("GET", place)
  const works: string[] = []
  await mkdir(folder)
  await cp(join(root, "openapi.json"), join(folder, "openapi.json"))
  try {
    if (generate === undefined) throw new Error(`The guide has no command for ${name}`)
    for (const command of [install, generate]) await run(folder, command)
    await cp(new URL(from, import.meta.url), join(folder, to))
    await run(folder, compile)
    works.push("compiles")
    const answer = (await run(folder, `${generator.run} ${words.join(" ")}`)).trim()
    if (isDeepStrictEqual(JSON.parse(answer.slice(answer.lastIndexOf("{"))), walked))
      works.push("chats")
    const isSame = isDeepStrictEqual(kept(await api.call("GET", place)), kept(before))
    if (isSame) works.push("reads and writes a bot without loss")
  } catch (error) {
    console.error(error)
  }
  return works
}

/** Runs a command in a shell; returns what it printed. */
async function run(folder: string, command: string): Promise<string> {
  console.error(`$ ${command}`)
  const how = { cwd: folder, env, maxBuffer: 2 ** 28 }
  return promisify(execFile)("bash", ["-c", command], how).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => {
      throw new Error(`${stdout}${stderr}`.split("\n").slice(-20).join("\n").slice(-4_000))
    },
  )
}
