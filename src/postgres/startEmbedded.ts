/** Starts an embedded PostgreSQL on a data folder, or adopts the one that runs there. */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { readFile, rm, rmdir } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { findBinaries, makeRunnable } from "./binaries.ts"
import {
  type DataFolder,
  findDataFolder,
  prepareSocketFolder,
  socketFolderFor,
} from "./dataFolder.ts"
import {
  ensureInitialised,
  type Launch,
  launchServer,
  passwordFile,
  type Running,
} from "./launchServer.ts"
import { isAlive, tryLock } from "./lock.ts"
import { type Address, answers, isPostmaster, readPidFile, urlOf } from "./postmaster.ts"
import { AdvisedError, remedyFor } from "./remedies.ts"

type EmbeddedOptions = {
  /** Holds the data, or a file `location` that says where it is. */
  dataFolder: string
  /** Folder with `postgres` and `initdb`; absent: found automatically. */
  binFolder?: string | undefined
  /** Further settings of the server, as `name=value`. */
  settings?: string[] | undefined
  /** False does not wait until the first data is on disk, for tests. */
  durable?: boolean | undefined
}

export type EmbeddedServer = {
  url: string
  /** The address in the URL, to reach other databases of this server. */
  address: Address
  /** The folder that has its data, if that is not the data folder. */
  elsewhere: string | undefined
  /** Whether this process started it. An adopted server ends with its owner. */
  isOwner(): boolean
  /** Starts the server again if it has ended, or adopts what another process has started. */
  ensureRunning(): Promise<void>
  /** Stops the server if this process started it. */
  stop(): Promise<void>
}

const startTimeoutMs = 120_000
const pollMs = 20
const firstPort = 5432

/** Starts or adopts the server of a data folder. Every failure is a sentence that says what to do. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await explained(() => findDataFolder(options.dataFolder))
  const first = await explained(() => adoptOrStart(place, options))
  const { address } = first
  let { running } = first
  let isStopped = false
  let restarting: Promise<void> | undefined

  const restart = async () => {
    if (isStopped) throw new Error("The embedded PostgreSQL was stopped by this process.")
    const found = await explained(() => adoptOrStart(place, options, address))
    running = found.running ?? running
  }
  return {
    url: urlOf(address),
    address,
    elsewhere: place.home === place.named ? undefined : place.home,
    isOwner: () => running !== undefined && !running.hasExited(),
    ensureRunning() {
      restarting ??= restart().finally(() => {
        restarting = undefined
      })
      return restarting
    },
    async stop() {
      isStopped = true
      await restarting?.catch(() => {})
      if (!running) return
      await running.stop()
      if (process.platform !== "win32") await deleteSocketFolder(place, address)
    },
  }
}

type Found = { address: Address; running?: Running }

/** Adopts a server that answers, or starts one under the lock, within a bounded time. */
async function adoptOrStart(
  place: DataFolder,
  options: EmbeddedOptions,
  wanted?: Address,
): Promise<Found> {
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    const adopted = await adopt(place)
    if (adopted !== undefined && adopted !== "wait") return { address: adopted }
    const unlock = adopted === "wait" ? undefined : await tryLock(lockOf(place))
    if (unlock) {
      const started = await start(place, options, wanted).finally(unlock)
      if (started) return started
    }
    await pause(place, deadline)
  }
}

/** Returns the address of a running server, `wait` while one starts or stops, or undefined. */
async function adopt(place: DataFolder): Promise<Address | "wait" | undefined> {
  const file = await readPidFile(place.data)
  if (!file || !isPostmaster(file.pid, place.data)) return undefined
  const address = await withPassword(file.address, place)
  const isHidden = address.host.startsWith("/") && !existsSync(address.host)
  // Asked again, because a server that has just ended takes its folder along, and one that starts is
  // still writing the path.
  const again = isHidden ? await readPidFile(place.data) : undefined
  if (isHidden && again?.address.host !== file.address.host) return "wait"
  if (isHidden && isPostmaster(file.pid, place.data)) {
    throw new AdvisedError(
      `PostgreSQL runs on ${place.data}, but the folder of its socket, ${address.host}, is not there ` +
        "for this process: a unit of systemd with PrivateTmp needs a TMPDIR outside of /tmp, as in " +
        "scripts/deploy/parley.service. Or stop the service first.",
    )
  }
  return (await answers(address, place.data)) ? address : "wait"
}

/** Returns undefined if another server has taken the data in the meantime. */
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
  await deleteStaleFiles(place, address)
  const running = await launchServer(launch)
  try {
    return (await waitUntilReady(place, address, running)) ? { address, running } : undefined
  } catch (error) {
    await running.stop()
    if (process.platform !== "win32") await rmdir(address.host).catch(() => {})
    throw error
  }
}

/** Returns false if another server has the data, or if processes of a dead one are still ending. */
async function waitUntilReady(
  place: DataFolder,
  address: Address,
  running: Running,
): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs / 2
  while (Date.now() < deadline) {
    if (await answers(address, place.data)) return true
    if (running.hasExited()) {
      const complaint = (await running.lastComplaint()) ?? "it ended without a message"
      if (/already exists|still in use/.test(complaint)) return false
      throw new Error(`${complaint} (see ${place.log})`)
    }
    await sleep(pollMs)
  }
  throw new Error(`it does not answer (see ${place.log})`)
}

/**
 * Removes what a dead server has left. Its pid file may name a process that is another one by now, as
 * after the restart of a container, and PostgreSQL would take that for a server.
 */
async function deleteStaleFiles(place: DataFolder, address: Address): Promise<void> {
  const file = await readPidFile(place.data)
  if (file && isPostmaster(file.pid, place.data)) return
  // The number of a dead process stays: with it PostgreSQL looks for children that outlived the server.
  if (file && isAlive(file.pid)) await rm(join(place.data, "postmaster.pid"), { force: true })
  if (process.platform !== "win32") await prepareSocketFolder(address.host, place.account)
}

/** Removes the folder under the lock, so that no other process is about to use it. */
async function deleteSocketFolder(place: DataFolder, { host }: Address): Promise<void> {
  const unlock = await tryLock(lockOf(place)).catch(() => undefined)
  if (!unlock) return
  // It fails if the folder is not empty, and so in use.
  await rmdir(host).catch(() => {})
  await unlock()
}

function lockOf(place: DataFolder): string {
  return join(place.home, "postgres.lock")
}

async function chooseAddress(place: DataFolder): Promise<Address> {
  if (process.platform !== "win32") return { host: socketFolderFor(place), port: firstPort }
  return withPassword({ host: "127.0.0.1", port: await freePort() }, place)
}

async function withPassword(address: Address, place: DataFolder): Promise<Address> {
  if (process.platform !== "win32") return address
  return { ...address, password: await readFile(await passwordFile(place.home), "utf8") }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address ? address.port : firstPort
}

async function readMajor(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, "PG_VERSION"), "utf8").catch(() => undefined)
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

async function pause(place: DataFolder, deadline: number): Promise<void> {
  if (Date.now() < deadline) return sleep(pollMs)
  const file = await readPidFile(place.data)
  throw new AdvisedError(
    file
      ? `Process ${file.pid} holds ${place.data} and does not answer: end it, then start Parley again.`
      : `Another process has been starting PostgreSQL on ${place.data} for too long: end it, then start Parley again.`,
  )
}

/** Turns every error into a sentence with the way out that fits: DATABASE_URL if no other is known. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AdvisedError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const remedy =
      remedyFor(reason) ?? "Set DATABASE_URL to use a PostgreSQL server of your own instead."
    throw new AdvisedError(`The embedded PostgreSQL did not start: ${reason}. ${remedy}`, {
      cause: error,
    })
  }
}
