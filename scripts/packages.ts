/**
 * Packs service and client as npm would publish them, installs both in fresh folders, and runs a builder
 * app over them: with the newest TypeScript, with 5.9 and with the oldest supported one, with module resolution for Node and for
 * bundlers, and beside @trpc/tanstack-react-query. Needs the registry and takes minutes.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const root = fileURLToPath(new URL("..", import.meta.url))
const answered = "Yes"

/** Versions of TypeScript, and the flags with which npm installs them beside @trpc/client. */
const compilers = [
  ...["latest", "5.9"].map((version) => ({ version, flags: [] as string[] })),
  // @trpc/client 11 wants 5.7 as a peer: some of its own types do not compile with 5.4.
  { version: "5.4", flags: ["--legacy-peer-deps"] },
]

const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
]

const trpc = ["@trpc/client@11", "@trpc/server@11", "@types/node@20"]
// The packages of tRPC want each other in the same version, so the newest one decides.
const react = ["@trpc/tanstack-react-query@11", "@tanstack/react-query@5", "react@19"]

/** The apps: what they install beside the client, and the ambient types that they compile with. */
const apps = [
  { name: "builder", packages: trpc, types: ["node"] },
  { name: "react", packages: [...trpc, ...react, "@types/react@19"], types: ["node", "react"] },
]

const work = await mkdtemp(join(tmpdir(), "parley-packages-"))

/** Packs a folder and returns the path of the tarball. */
async function pack(folder: string): Promise<string> {
  const words = ["pack", "--json", "--pack-destination", work]
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(await npm(folder, words))
  console.log(`${filename}: ${entryCount} files, ${size} bytes, ${unpackedSize} unpacked`)
  return join(work, filename)
}

type Started = { address: string; token: string; child: ChildProcess }

/** Installs the service and starts it by its command, in a folder that holds nothing else. */
async function startService(tarball: string): Promise<Started> {
  const folder = join(work, "service")
  await install(folder, [tarball])
  const { stdout } = await run("npx", ["--no-install", "parley", "--version"], { cwd: folder })
  console.log(`npx parley --version: ${stdout.trim()}`)
  const env = { ...process.env, PORT: "0", PARLEY_DATA: join(folder, "data") }
  const command = ["--no-install", "parley", "start"]
  const child = spawn("npx", command, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] })
  const found: { address?: string; token?: string } = {}
  for await (const line of createInterface({ input: child.stdout })) {
    found.address ??= line.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
    found.token ??= line.match(/parley_pat_\w+/)?.[0]
    const { address, token } = found
    if (address === undefined || token === undefined) continue
    child.stdout.resume()
    console.log(`npx parley start: serves at ${address}`)
    return { address, token, child }
  }
  throw new Error("npx parley start ended before it served")
}

type Trial = {
  compiler: (typeof compilers)[number]
  app: (typeof apps)[number]
  address: string
  token: string
}

/** Compiles and runs an app in a folder of its own. */
async function tryClient(tarball: string, { compiler, app, address, token }: Trial): Promise<void> {
  const { version, flags } = compiler
  const folder = join(work, `${app.name}-${version}`)
  await install(folder, [tarball, `typescript@${version}`, ...app.packages], flags)
  await cp(join(root, "test/client"), join(folder, "src"), { recursive: true })
  if (app.name === "react") await writeFile(join(folder, "src/query.ts"), queries)
  await writeFile(join(folder, "src/main.ts"), main)
  const tsc = join(folder, "node_modules/typescript/bin/tsc")
  const { stdout: printed } = await run(process.execPath, [tsc, "--version"])
  const title = `${app.name}, TypeScript ${printed.trim().split(" ").at(-1)}`
  for (const resolution of resolutions) {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configOf(app, resolution)))
    const ran = run(process.execPath, [tsc], { cwd: folder })
    const { stdout: said } = await ran.catch((failed: { stdout: string }) => failed)
    const errors = said.split("\n").filter((line) => line.includes(": error TS"))
    const ours = errors.filter((line) => !line.startsWith("node_modules/@trpc/"))
    if (ours.length > 0) throw new Error(`${title}:\n${ours.join("\n")}`)
    const spared =
      errors.length === 0 ? "" : ` with skipLibCheck: ${errors.length} errors within tRPC`
    console.log(`${title}, ${resolution.moduleResolution}: compiles${spared}`)
  }
  const { stdout } = await run(process.execPath, ["dist/main.js", address, token], { cwd: folder })
  if (stdout.trim() !== answered) throw new Error(`${title} read ${stdout}`)
  console.log(`${title}: lists, edits, publishes, chats, reads results`)
}

function configOf({ types }: (typeof apps)[number], resolution: (typeof resolutions)[number]) {
  const lib = ["es2022", "dom"]
  return {
    compilerOptions: {
      ...resolution,
      ...{ target: "es2022", lib, types, outDir: "dist", rootDir: "src", skipLibCheck: false },
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    },
    include: ["src"],
  }
}

/** Installs packages into a new folder, and prints how many there are and how large. */
async function install(folder: string, names: string[], flags: string[] = []): Promise<void> {
  await mkdir(folder)
  const manifest = { name: "fresh", version: "1.0.0", private: true, type: "module" }
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest))
  await npm(folder, ["install", "--no-audit", "--no-fund", ...flags, ...names])
  const lock = JSON.parse(await readFile(join(folder, "node_modules/.package-lock.json"), "utf8"))
  const { stdout } = await run("du", ["-sm", "node_modules"], { cwd: folder })
  console.log(`${Object.keys(lock.packages).length} packages, ${Number.parseInt(stdout, 10)} MB`)
}

async function npm(folder: string, words: string[]): Promise<string> {
  const { stdout } = await run("npm", words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

/** An app with React, which is compiled but not run. */
const queries = `import { QueryClient, queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { createTRPCContext, createTRPCOptionsProxy } from "@trpc/tanstack-react-query"
import { type AppRouter, createParleyClient } from "@parley/client"

export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>()
const client = createParleyClient({ url: "http://localhost:3000" })
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient: new QueryClient() })

export function useBot(botId: string) {
  const bot = useQuery(trpc.bot.get.queryOptions({ botId }))
  const update = useMutation(trpc.bot.update.mutationOptions())
  // @ts-expect-error a bot has no such member
  bot.data?.bot.nonsense
  // @ts-expect-error a number is no block
  update.mutate({ botId, bot: { groups: [{ id: "g", title: "G", blocks: [42] }] } })
  // @ts-expect-error a member is misspelt
  queryOptions(trpc.bot.get.queryOptions({ botID: botId }))
  const name: string | undefined = bot.data?.bot.name
  const code: string | undefined = update.error?.data?.code
  return { name, code, update }
}
`

const main = `import { build } from "./builder.js"

const [, , url = "", token = ""] = process.argv
console.log((await build(url, token)).join())
`

try {
  await npm(root, ["run", "build"])
  const service = await pack(join(root, "dist/service-package"))
  const client = await pack(join(root, "dist/client-package"))
  const { address, token, child } = await startService(service)
  try {
    for (const compiler of compilers) {
      for (const app of apps) await tryClient(client, { compiler, app, address, token })
    }
  } finally {
    child.kill("SIGTERM")
    await new Promise((resolve) => child.once("exit", resolve))
  }
} finally {
  await rm(work, { recursive: true, force: true })
}
