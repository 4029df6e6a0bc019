/** A copy of the product in a temporary folder, and its process: what drills run against. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chmod, cp, mkdtemp, rm, symlink } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type EmbeddedServer, startEmbedded } from "../../src/postgres/start.ts"

/** A process of the product. */
export type Run = {
  child: ChildProcess
  pid: number
  address: string
  /** Its logs so far. */
  log(): string
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<void>
}

const root = fileURLToPath(new URL("../..", import.meta.url))
const parts = ["src", "schema", "scripts", "openapi.json", "package.json", "tsconfig.json"]

/** Copies the product, so that a drill runs one state of it; `remove` deletes the copy. */
export async function copyProduct(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "parley-drill-"))
  // For the account that runs PostgreSQL when this is root.
  await chmod(folder, 0o755)
  const options = { recursive: true, preserveTimestamps: true }
  for (const part of parts) await cp(join(root, part), join(folder, part), options)
  await symlink(join(root, "node_modules"), join(folder, "node_modules"))
  const patiently = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }
  return { folder, remove: () => rm(folder, patiently) }
}

/** Starts the product; resolves once it listens, rejects with its logs when it ends before. */
export function startProduct(folder: string, variables: Record<string, string>): Promise<Run> {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [join(folder, "scripts/start.mjs")], {
    cwd: folder,
    env: { PATH, PORT: "0", PARLEY_LOG_LEVEL: "warn", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const end = () => child.kill("SIGKILL")
  process.once("exit", end)
  let printed = ""
  let logged = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    logged = (logged + chunk).slice(-1_000_000)
  })
  const ended = new Promise<void>((resolve) =>
    child.once("close", () => {
      process.off("exit", end)
      resolve()
    }),
  )
  return new Promise((resolve, reject) => {
    void ended.then(() => reject(new Error(`The service ended: ${logged}`)))
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk
      const address = /API +(http\S+)\/api\/v1/.exec(printed)?.[1]
      if (address) resolve({ child, pid: child.pid ?? 0, address, log: () => logged, ended })
    })
  })
}

/** A port that nobody listens on now: the same for every start of a process, as clients expect. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The database of DRILL_DATABASE_URL, which a drill does not restart. */
export const givenDatabase = process.env.DRILL_DATABASE_URL

/** Starts PostgreSQL for a drill, unless it is given one. */
export async function startDatabase(
  dataFolder: string,
): Promise<Pick<EmbeddedServer, "url" | "stop">> {
  if (givenDatabase === undefined) return await startEmbedded({ dataFolder })
  return { url: givenDatabase, stop: async () => {} }
}

/** The memory that a process holds, in megabytes. */
export function megabytesOf(pid: number): number {
  const kilobytes = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })
  return Math.round(Number(kilobytes) / 1024)
}

/** The number after `--name`, else the usual one. */
export function numberGiven(name: string, usual: number): number {
  const index = process.argv.indexOf(`--${name}`)
  return index < 0 ? usual : Number(process.argv[index + 1])
}
