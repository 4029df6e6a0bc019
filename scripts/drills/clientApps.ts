/**
 * Installs `@parley/client` from its tarball as apps do: compiles the components of its page with the types of React
 * 18 and 19 and with TanStack Query 5, and runs it in workerd, the runtime of Cloudflare Workers.
 * `npx tsx scripts/drills/clientApps.ts [--only workerd]`; needs Linux and the registry of npm. Ends with 1 when an
 * app fails.
 */
import { execFile, spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual, promisify } from "node:util"
import { build } from "esbuild"
import { ask, bot, group } from "../../test/support/bots.ts"
import { writeClientPackage } from "../clientPackage/writePackage.ts"
import { root, textGiven, token } from "./product.ts"
import { type Service, withService } from "./stack.ts"

const work = await mkdtemp(join(tmpdir(), "parley-apps-"))
await writeClientPackage(join(work, "package"))
await run(work, "npm pack --silent ./package && mv *.tgz client.tgz")
const trpc = "../client.tgz @trpc/client@11 @trpc/server@11"

const apps: Record<string, () => Promise<void>> = {
  "React 18": () => compileWithReact(18),
  "React 19": () => compileWithReact(19),
  workerd: runInWorkerd,
}
const failed: string[] = []
for (const [name, tryIt] of Object.entries(apps)) {
  if (!name.includes(textGiven("only") ?? "")) continue
  const problem = await tryIt().catch((error: Error) => error)
  console.log(`${name}: ${problem?.message ?? "works"}`)
  if (problem) failed.push(name)
}
await rm(work, { recursive: true })
process.exit(failed.length)

/** Compiles the page's components, and one that asks through TanStack Query. */
async function compileWithReact(version: number): Promise<void> {
  const folder = join(work, `react${version}`)
  await mkdir(folder)
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  const react = `react@${version} @types/react@${version} @tanstack/react-query@5`
  await run(folder, `npm install ${trpc} ${react} @trpc/tanstack-react-query@11 typescript@5.9`)
  const page = await readFile(join(root, "scripts/clientPackage/README.md"), "utf8")
  const [, components = ""] = /```tsx\n([\s\S]*?)```/.exec(page) ?? []
  const given = `import type { ParleyClient } from "@parley/client"
    declare const parley: ParleyClient\n`
  await writeFile(
    join(folder, "page.tsx"),
    `${given}${components}\nexport { Editor, Talk, Trial }\n`,
  )
  await cp(new URL("./clients/tanstackQuery.tsx", import.meta.url), join(folder, "query.tsx"))
  const options =
    "--noEmit --strict --noUncheckedIndexedAccess --target es2022 --module nodenext --jsx react-jsx " +
    "--lib es2022,dom,dom.iterable,esnext.disposable --types react"
  await run(folder, `npx tsc ${options} page.tsx query.tsx`)
}

/** Listens to a chat over a connection that is lost, exports results and moves a file. */
async function runInWorkerd(): Promise<void> {
  const folder = join(work, "workerd")
  await mkdir(folder)
  // One whose `MessageEvent` has no ids: later ones keep them.
  const workerdPackage = "@cloudflare/workerd-linux-64@1.20250902.0"
  await run(folder, `npm install --ignore-scripts ${trpc} ${workerdPackage}`)
  await cp(new URL("./clients/workerd.capnp", import.meta.url), join(folder, "config.capnp"))
  await cp(new URL("./clients/worker.mjs", import.meta.url), join(folder, "worker.mjs"))
  const entryPoints = [join(folder, "worker.mjs")]
  const outfile = join(folder, "bundle.mjs")
  await build({ entryPoints, outfile, bundle: true, format: "esm", conditions: ["worker"] })
  await withService(async ({ address, api }: Service) => {
    const flow = bot(group("A", ask.text({ saves: "Name" }), ask.text()))
    const { id: botId, publicId } = await api.publish({ name: "Worker", ...flow })
    const workerd = spawn(
      join(folder, "node_modules/@cloudflare/workerd-linux-64/bin/workerd"),
      ["serve", "config.capnp"],
      { cwd: folder, stdio: ["ignore", "inherit", "inherit"] },
    )
    try {
      const request = { url: address, token, botId, publicId }
      const body = JSON.stringify(request)
      const answer = await untilAnswered(() =>
        fetch("http://127.0.0.1:8199/", { method: "POST", body }),
      )
      const found: unknown = await answer.json()
      const wanted = {
        heard: ["listening", "conversation.paused", "listening", "conversation.resumed"],
        areNumbered: true,
        connections: 2,
        lines: 1,
        file: "bytes",
        refused: "NOT_FOUND",
      }
      if (!isDeepStrictEqual(found, wanted)) throw new Error(JSON.stringify(found))
    } finally {
      workerd.kill("SIGKILL")
    }
  })
}

/** Asks a server that is starting. */
async function untilAnswered(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Runs a command in a shell. */
async function run(folder: string, command: string): Promise<void> {
  const how = { cwd: folder, maxBuffer: 2 ** 28 }
  await promisify(execFile)("bash", ["-ec", command], how).catch(({ stdout, stderr }) => {
    throw new Error(`${command}\n${stdout}${stderr}`.slice(0, 4_000))
  })
}
