/** An embedded PostgreSQL for one data folder: found running and adopted, or made and started. */
import { readFile, rm, rmdir } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { findBinaries, makeRunnable } from "./binaries.ts"
import {
  ensureInitialised,
  type Launch,
  lastComplaint,
  launchServer,
  passwordFile,
  type Running,
} from "./cluster.ts"
import {
  type DataFolder,
  findDataFolder,
  prepareSocketFolder,
  socketFolderFor,
} from "./dataFolder.ts"
import { isAlive, tryLock } from "./lock.ts"
import { type Address, answers, isPostmaster, readPidFile, urlOf } from "./postmaster.ts"

/** Which server to start, and how. */
export type EmbeddedOptions = {
  /** Holds the data, or a file `location` that says where it is. */
  dataFolder: string
  /** Folder with `postgres` and `initdb`; absent: found by itself. */
  binFolder?: string | undefined
  /** Settings of the server beside the usual ones, as `name=value`. */
  settings?: string[] | undefined
  /** False leaves the first data to the system to write down: for tests. */
  durable?: boolean | undefined
}

/** A server that answers. */
export type EmbeddedServer = {
  url: string
  /** The address inside the URL, for those who need another database of this server. */
  address: Address
  /** Whether this process started it. Servers that were adopted end with their owner. */
  isOwner(): boolean
  /** Brings the server back when its owner has stopped it; returns when it answers. */
  ensureRunning(): Promise<void>
  /** Stops the server if this process started it. */
  stop(): Promise<void>
}

const startTimeoutMs = 120_000
const pollMs = 20
const firstPort = 5432

/**
 * Starts the server of a data folder, or adopts the one that runs already. Every failure is an Error
 * whose message says what to do next.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await explained(() => findDataFolder(options.dataFolder))
  let address: Address | undefined
  let running: Running | undefined
  let stopped = false
  let bringing: Promise<void> | undefined

  const bring = async () => {
    if (stopped) throw new Error("The embedded PostgreSQL was stopped by this process.")
    const found = await explained(() => adoptOrStart(place, options, address))
    address = found.address
    running = found.running ?? running
  }
  const ensureRunning = () => {
    bringing ??= bring().finally(() => {
      bringing = undefined
    })
    return bringing
  }

  await ensureRunning()
  const known: Address = address ?? { host: "", port: 0 }
  return {
    url: urlOf(known),
    address: known,
    isOwner: () => running !== undefined && !running.hasExited(),
    ensureRunning,
    async stop() {
      stopped = true
      await bringing?.catch(() => {})
      if (!running) return
      await running.stop()
      if (process.platform !== "win32") await removeSocketFolder(place, known)
    },
  }
}

type Found = { address: Address; running?: Running }

/** Adopts what answers, else starts a server under the lock; bounded in time. */
async function adoptOrStart(
  place: DataFolder,
  options: EmbeddedOptions,
  wanted: Address | undefined,
): Promise<Found> {
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    const adopted = await adopt(place)
    if (adopted === "wait") {
      await pause(place, deadline)
      continue
    }
    if (adopted) return { address: adopted }
    const unlock = await tryLock(lockOf(place))
    if (!unlock) {
      await pause(place, deadline)
      continue
    }
    try {
      const started = await start(place, options, wanted)
      if (started) return started
    } finally {
      await unlock()
    }
    await pause(place, deadline)
  }
}

/** The address of a running server; `wait`: one comes or goes; undefined: there is none. */
async function adopt(place: DataFolder): Promise<Address | "wait" | undefined> {
  const file = await readPidFile(place.data)
  if (!file || !isPostmaster(file.pid, place.data)) return undefined
  const address = await withPassword(file.address, place)
  return (await answers(address, place.data)) === "yes" ? address : "wait"
}

/** Undefined: another server got hold of the data in between. */
async function start(
  place: DataFolder,
  options: EmbeddedOptions,
  wanted: Address | undefined,
): Promise<Found | undefined> {
  const dataMajor = await readMajor(place.data)
  const found = await findBinaries({ binFolder: options.binFolder, dataMajor })
  const binaries = await makeRunnable(found, place.home, place.account)
  const address = wanted ?? (await chooseAddress(place))
  const launch: Launch = { place, binaries, address, settings: options.settings ?? [] }
  await ensureInitialised(launch, options.durable ?? true)
  await removeStaleFiles(place, address)
  const running = await launchServer(launch)
  try {
    return (await waitUntilReady(place, address, running)) ? { address, running } : undefined
  } catch (error) {
    await running.stop()
    if (process.platform !== "win32") await rmdir(address.host).catch(() => {})
    throw error
  }
}

/** False: another server has the data, or one that died is not gone altogether. */
async function waitUntilReady(
  place: DataFolder,
  address: Address,
  running: Running,
): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs / 2
  while (Date.now() < deadline) {
    if ((await answers(address, place.data)) === "yes") return true
    if (running.hasExited()) {
      const complaint = (await lastComplaint(place.log)) ?? "it ended without a word"
      if (/already exists|still in use/.test(complaint)) return false
      throw new Error(`${complaint} (see ${place.log})`)
    }
    await sleep(pollMs)
  }
  throw new Error(`it does not answer (see ${place.log})`)
}

/**
 * A dead server's files name process numbers that may belong to others by now, as after the restart
 * of a container; PostgreSQL would take those for servers.
 */
async function removeStaleFiles(place: DataFolder, address: Address): Promise<void> {
  const file = await readPidFile(place.data)
  if (file && isPostmaster(file.pid, place.data)) return
  // A number that nobody has is left in place: PostgreSQL then looks for processes that survived it.
  if (file && isAlive(file.pid)) await rm(join(place.data, "postmaster.pid"), { force: true })
  if (process.platform !== "win32") await prepareSocketFolder(address.host, place.account)
}

/** Under the lock, so that no other process is about to use it. */
async function removeSocketFolder(place: DataFolder, { host }: Address): Promise<void> {
  const unlock = await tryLock(lockOf(place)).catch(() => undefined)
  // Not empty means in use.
  if (unlock)
    await rmdir(host)
      .catch(() => {})
      .finally(unlock)
}

function lockOf(place: DataFolder): string {
  return join(place.home, "postgres.lock")
}

async function chooseAddress(place: DataFolder): Promise<Address> {
  if (process.platform !== "win32") {
    return { host: socketFolderFor(place), port: firstPort }
  }
  return withPassword({ host: "127.0.0.1", port: await freePort() }, place)
}

async function withPassword(address: Address, place: DataFolder): Promise<Address> {
  if (process.platform !== "win32") return address
  return { ...address, password: await readFile(await passwordFile(place.home), "utf8") }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address ? address.port : firstPort))
    })
  })
}

async function readMajor(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, "PG_VERSION"), "utf8").catch(() => undefined)
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

async function pause(place: DataFolder, deadline: number): Promise<void> {
  if (Date.now() < deadline) return sleep(pollMs)
  const file = await readPidFile(place.data)
  throw new Error(
    file
      ? `process ${file.pid} holds ${place.data} and does not answer: end it, and start again`
      : `another process has been starting it on ${place.data} for too long: end it, and start again`,
  )
}

/** Sentences that name DATABASE_URL pass; everything else becomes one. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason.includes("DATABASE_URL")) throw error
    throw new Error(
      `The embedded PostgreSQL did not start: ${reason}. ` +
        "Set DATABASE_URL to use a PostgreSQL server of your own instead.",
      { cause: error },
    )
  }
}
