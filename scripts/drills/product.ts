/** Starts the built product for drills and benches, with an owner whose token they know. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chmod, cp, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { newToken } from "../../src/people/apiTokens.ts"
import { type EmbeddedServer, startEmbedded } from "../../src/postgres/startEmbedded.ts"
import { type Api, openApi } from "./api.ts"

/** A process of the product. */
export type ProductProcess = {
  child: ChildProcess
  pid: number
  address: string
  /** Calls it with the owner's token. */
  api: Api
  /** Its logs so far. */
  log(): string
  /** Resolves when it has ended, for any reason. */
  ended: Promise<void>
}

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url))
const parts = ["src", "schema", "scripts", "openapi.json", "package.json", "tsconfig.json"]

/** The token of the owner. */
export const token = newToken()

const usualVariables = {
  PORT: "0",
  PARLEY_LOG_LEVEL: "warn",
  PARLEY_SECRET: "a secret that only this drill knows",
  PARLEY_BOOTSTRAP_EMAIL: "drill@example.com",
  PARLEY_BOOTSTRAP_TOKEN: token,
  PARLEY_DEFAULT_PLAN: "UNLIMITED",
  PARLEY_RATE_LIMITS: "off",
}

/** Deletes a folder to which a PostgreSQL that is just ending may still write. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** Copies a checkout into a temporary folder, so that a drill runs one state of it; returns the folder. */
export async function copyProduct(from = root): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-drill-"))
  // Readable for the account that runs PostgreSQL when this is root.
  await chmod(folder, 0o755)
  const options = { recursive: true, preserveTimestamps: true }
  for (const part of parts) await cp(join(from, part), join(folder, part), options)
  await symlink(join(from, "node_modules"), join(folder, "node_modules"))
  return folder
}

/** Starts the product; resolves once it listens, rejects with its logs when it ends before. */
export function startProduct(
  folder: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<ProductProcess> {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [join(folder, "scripts/start.mjs")], {
    cwd: folder,
    env: { PATH, ...usualVariables, ...variables },
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
      if (address === undefined) return
      const api = openApi(address, token)
      resolve({ child, pid: child.pid ?? 0, address, api, log: () => logged, ended })
    })
  })
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
  return Number(textGiven(name) ?? usual)
}

/** The text after `--name`. */
export function textGiven(name: string): string | undefined {
  const index = process.argv.indexOf(`--${name}`)
  return index < 0 ? undefined : process.argv[index + 1]
}
