/** Initialises a data folder and runs a server on it that never outlives this process. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import {
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { type Binaries, program } from "./binaries.ts"
import type { DataFolder } from "./dataFolder.ts"
import { isAlive } from "./lock.ts"
import { type Address, roleName } from "./postmaster.ts"

/** A server that this process started. */
export type Running = {
  /** Whether the server has ended. */
  hasExited(): boolean
  /** Its last complaint in the log, if there is one. */
  lastComplaint(): Promise<string | undefined>
  /** Requests a fast shutdown and waits at most 20 seconds for it. */
  stop(): Promise<void>
}

export type Launch = {
  place: DataFolder
  binaries: Binaries
  address: Address
  /** Further settings, as `name=value`. */
  settings: string[]
}

const usualSettings = [
  "shared_buffers=64MB",
  "max_connections=100",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum_naptime=10s",
]

const initTimeoutMs = 120_000
const stopTimeoutMs = 20_000
const maxLogBytes = 5_000_000

// sh reads a pipe from Node, and stops the server when the pipe closes because Node has ended. It waits
// for the server and not for the pipe, so it also ends when the server does.
const guard = `exec 3<&0; "$@" <&- & p=$!; { cat <&3 >/dev/null; kill -INT $p 2>/dev/null; } & wait $p`

/** Creates the data if there is none, under another name first: a killed run leaves no half of it. */
export async function ensureInitialised(launch: Launch, durable: boolean): Promise<void> {
  const { place } = launch
  await deleteLeftovers(place.home)
  if (existsSync(join(place.data, "PG_VERSION"))) return
  const unfinished = join(place.home, `postgres.init-${process.pid}`)
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  if (place.account) await chown(unfinished, place.account.uid, place.account.gid)
  const parameters = ["-D", unfinished, "-U", roleName, "-E", "UTF8", "--locale=C"]
  if (!durable) parameters.push("--no-sync")
  if (process.platform === "win32") {
    parameters.push("--auth=scram-sha-256", `--pwfile=${await passwordFile(place.home)}`)
  } else {
    // Only this user can enter the folder of the socket.
    parameters.push("--auth=trust")
  }
  try {
    await promisify(execFile)(join(launch.binaries.bin, program("initdb")), parameters, {
      ...place.account,
      cwd: unfinished,
      env: environment(launch.binaries),
      timeout: initTimeoutMs,
    })
    await rename(unfinished, place.data)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (existsSync(join(place.data, "PG_VERSION"))) return
    const { stderr = "", message } = error as Error & { stderr?: string }
    const complaint = complaintIn(stderr.trim().split("\n")[0] ?? "")
    throw new Error(`initdb failed: ${complaint || message}`, { cause: error })
  }
}

/** Removes the unfinished folders that killed first runs have left. */
async function deleteLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = /^(?:postgres\.init|native-.+\.copy)-(\d+)$/.exec(name)?.[1]
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    // An initdb that survived may still be writing; the next start removes what it leaves.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

/** The file with the password of the server, created on the first call. Only Windows needs it. */
export async function passwordFile(home: string): Promise<string> {
  const file = join(home, "postgres.password")
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString("hex"), { mode: 0o600 })
  return file
}

/** Starts the server; it may still be recovering when this returns. */
export async function launchServer(launch: Launch): Promise<Running> {
  const { log } = launch.place
  const loggedBytes = await trimLog(log)
  const isWindows = process.platform === "win32"
  const launched = await (isWindows ? launchWithPgCtl(launch) : launchGuarded(launch))
  return { ...launched, lastComplaint: () => lastComplaint(log, loggedBytes) }
}

type Launched = Omit<Running, "lastComplaint">

async function launchGuarded({ place, binaries, address, settings }: Launch): Promise<Launched> {
  const all = ["listen_addresses=", `unix_socket_directories=${address.host}`]
  all.push(...usualSettings, ...settings)
  const server = [join(binaries.bin, "postgres"), "-D", place.data, "-p", String(address.port)]
  server.push(...all.flatMap((setting) => ["-c", setting]))
  const log = await open(place.log, "a")
  const child = spawn("/bin/sh", ["-c", guard, "sh", ...server], {
    ...place.account,
    cwd: place.data,
    env: environment(binaries),
    // Outside the process group of the terminal: Ctrl+C is for Node, which stops the server in order.
    detached: true,
    stdio: ["pipe", log.fd, log.fd],
  })
  await new Promise((resolve, reject) =>
    child.once("spawn", resolve).once("error", reject),
  ).finally(() => log.close())
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  // Ends `cat` if the server ends first.
  void exited.then(() => child.stdin?.destroy())
  child.stdin?.on("error", () => {})
  release(child)
  return {
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.ref()
      child.stdin?.destroy()
      await Promise.race([exited, sleep(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Lets Node exit while the server runs; the shell then stops the server. */
function release(child: ChildProcess): void {
  child.unref()
  const { stdin } = child
  if (stdin && "unref" in stdin && typeof stdin.unref === "function") stdin.unref()
}

// On Windows postgres refuses administrators unless pg_ctl starts it, and there is no shell to stop
// it: the server of a killed process keeps running, and the next start adopts it.
async function launchWithPgCtl({ place, binaries, address, settings }: Launch): Promise<Launched> {
  const pgCtl = join(binaries.bin, program("pg_ctl"))
  const all = [`listen_addresses=${address.host}`, `port=${address.port}`, ...usualSettings]
  const options = [...all, ...settings].map((setting) => `-c ${setting}`).join(" ")
  const env = environment(binaries)
  await new Promise<void>((resolve, reject) => {
    const start = ["start", "-W", "-D", place.data, "-l", place.log, "-o", options]
    const child = spawn(pgCtl, start, { env, stdio: "ignore" })
    child.once("error", reject).once("exit", (code) => {
      if (code === 0) resolve()
      else reject(new Error(`pg_ctl ended with ${code}, see ${place.log}`))
    })
  })
  return {
    hasExited: () => !existsSync(join(place.data, "postmaster.pid")),
    async stop() {
      const stop = ["stop", "-m", "fast", "-w", "-D", place.data]
      await promisify(execFile)(pgCtl, stop, { env, timeout: stopTimeoutMs }).catch(() => {})
    },
  }
}

/** The last complaint after the first `loggedBytes`, which earlier servers have written. */
async function lastComplaint(log: string, loggedBytes: number): Promise<string | undefined> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0))
  const lines = bytes.subarray(loggedBytes).toString().slice(-4_000).split("\n")
  const line = lines.findLast((candidate) => /FATAL|PANIC|error|^postgres: /.test(candidate))
  return line === undefined ? undefined : complaintIn(line)
}

/** A line of the log without its time and level. */
function complaintIn(line: string): string {
  return line.replace(/^.*?(FATAL|PANIC):\s*/, "").trim()
}

/** Empties a log that has become too long. Returns its size in bytes. */
async function trimLog(log: string): Promise<number> {
  const size = existsSync(log) ? (await stat(log)).size : 0
  if (size <= maxLogBytes) return size
  await truncate(log)
  return 0
}

function environment({ bin, bundle }: Binaries): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env
  return {
    // Windows needs the folder of its system libraries.
    ...(SystemRoot !== undefined && { SystemRoot }),
    ...(PATH !== undefined && { PATH }),
    // Must win over a library path that the operator has set for other programs.
    ...(bundle && { LD_LIBRARY_PATH: join(dirname(bin), "lib") }),
    LC_ALL: "C",
    // Spares initdb a search through all time zones; only UTC is stored.
    TZ: "UTC",
  }
}
