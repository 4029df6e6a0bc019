/**
 * Generators that people use most make clients of openapi.json, by the commands of the guide; each compiles, chats, and
 * writes a bot back as it was. `scripts/drills/clients.ts` does so with every generator that the guide names.
 */
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { compilers, complaintsOf } from "../support/compilers.ts"
import { commands, everyBlock, kept, walked } from "../support/generatedClients.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const run = promisify(execFile)
const server = await testServer()
const [compiler = "", formerCompiler = ""] = await compilers()
const modules = resolve("node_modules")
let folder: string

const tsconfig = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable"],
    module: "preserve",
    moduleResolution: "bundler",
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  files: ["walk.ts"],
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-clients-"))
  await symlink(modules, join(folder, "node_modules"))
  // This one needs the former generation of TypeScript, and finds it beside itself.
  const tools = join(folder, "tools/node_modules")
  await mkdir(tools, { recursive: true })
  await symlink(dirname(dirname(formerCompiler)), join(tools, "typescript"))
  await cp(join(modules, "openapi-typescript"), join(tools, "openapi-typescript"), {
    recursive: true,
  })
  await mkdir(join(tools, ".bin"))
  await symlink("../openapi-typescript/bin/cli.js", join(tools, ".bin/openapi-typescript"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ["oazapfts", "oazapfts.ts"],
  ["openapi-typescript, openapi-fetch", "openapiFetch.ts"],
])("a client by %s compiles, chats, and writes a bot back as it was", async (name, walk) => {
  const own = join(folder, walk)
  await mkdir(own)
  await Promise.all([
    cp("openapi.json", join(own, "openapi.json")),
    cp(join("scripts/drills/clients", walk), join(own, "walk.ts")),
    writeFile(join(own, "package.json"), '{"type":"module"}'),
    writeFile(join(own, "tsconfig.json"), JSON.stringify(tsconfig)),
  ])
  const tools = [join(folder, "tools/node_modules/.bin"), join(modules, ".bin")]
  const env = { ...process.env, PATH: [...tools, process.env.PATH].join(":") }
  await run("sh", ["-c", commands.get(name) ?? "The guide has no command"], { cwd: own, env })
  expect(await complaintsOf(compiler, own)).toBe("")

  const { publicId, botId } = await publishBot(server, everyBlock())
  const read = async () => kept((await server.send("GET", `/api/v1/bots/${botId}`)).body as Read)
  const before = await read()
  const words = ["walk.ts", server.address, server.token, publicId, botId]
  const { stdout } = await run("tsx", words, { cwd: own, env })
  expect(JSON.parse(stdout)).toEqual(walked)
  expect(await read()).toEqual(before)
})

type Read = { bot: object }
