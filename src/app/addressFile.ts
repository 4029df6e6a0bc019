/**
 * Keeps the addresses of running services in a file of the data folder, for commands. Several services may
 * run on one folder: each has a line with its address and the number of its process, the first one first.
 */
import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isAlive } from "../postgres/lock.ts"

/** A service that was recorded. */
type Line = {
  address: string
  /** Absent: a former release, which recorded none. */
  pid?: number | undefined
}

/** How long a service on this machine may take to say that it is there. */
const probeMs = 1_000

/** Records where this service listens. Does nothing if the data folder cannot be written. */
export async function writeAddress(
  dataFolder: string,
  address: string,
  pid = process.pid,
): Promise<void> {
  try {
    await mkdir(dataFolder, { recursive: true })
    const lines = await readLines(dataFolder)
    const running: Line[] = []
    for (const line of lines) if (await isThere(line)) running.push(line)
    if (running.length < lines.length) await writeLines(dataFolder, running)
    const isKnown = running.some((line) => isSame(line, { address: reachable(address), pid }))
    // Added, and not written with the others: two services may start at once.
    if (!isKnown) await appendFile(pathIn(dataFolder), textOf({ address: reachable(address), pid }))
  } catch {
    // Commands then have to name the address.
  }
}

/** Removes the line of this service, unless the data folder can no longer be written. */
export async function deleteAddress(
  dataFolder: string,
  address: string,
  pid = process.pid,
): Promise<void> {
  const own = { address: reachable(address), pid }
  const lines = await readLines(dataFolder)
  const others = lines.filter((line) => !isSame(line, own))
  if (others.length === lines.length) return
  // Commands find the service stopped.
  await writeLines(dataFolder, others).catch(() => {})
}

/**
 * Reads the address of the service that started first and still runs. Returns undefined if no service runs
 * on this data folder, or not on the web.
 */
export async function readAddress(dataFolder: string): Promise<string | undefined> {
  const lines = await readLines(dataFolder)
  const running = lines.filter(({ pid }) => pid === undefined || isAlive(pid))
  // The number of a dead process may be that of another one by now.
  if (running.length > 1) {
    for (const { address } of running) if (await answers(address)) return address
  }
  return (running[0] ?? lines[0])?.address
}

/** The address, or one that can be called if it stands for all addresses of this machine. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}

/**
 * The address as people read it, and as browsers keep its cookies: under the one name of this machine. What
 * programs call keeps its number, since another program may listen under the name.
 */
export function shown(address: string): string {
  return address.replace(
    /^http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=:|\/|$)/,
    "http://localhost",
  )
}

async function answers(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(probeMs)
  const answer = await fetch(`${address}/healthz`, { signal }).catch(() => undefined)
  return answer?.status === 200
}

async function isThere({ address, pid }: Line): Promise<boolean> {
  return pid === undefined ? await answers(address) : isAlive(pid)
}

function isSame(line: Line, other: Line): boolean {
  return line.address === other.address && line.pid === other.pid
}

async function readLines(dataFolder: string): Promise<Line[]> {
  const text = await readFile(pathIn(dataFolder), "utf8").catch(() => "")
  return text.split("\n").flatMap((line) => {
    const [, address, pid] = /^(https?:\/\/\S+)(?: (\d+))?$/.exec(line) ?? []
    return address === undefined
      ? []
      : [{ address, pid: pid === undefined ? undefined : Number(pid) }]
  })
}

/** Replaces the file atomically; without lines, removes it. */
async function writeLines(dataFolder: string, lines: readonly Line[]): Promise<void> {
  const path = pathIn(dataFolder)
  if (lines.length === 0) return await rm(path, { force: true })
  await writeFile(`${path}.${process.pid}`, lines.map(textOf).join(""))
  await rename(`${path}.${process.pid}`, path)
}

function textOf({ address, pid }: Line): string {
  return pid === undefined ? `${address}\n` : `${address} ${pid}\n`
}

function pathIn(dataFolder: string): string {
  return join(dataFolder, "address")
}
