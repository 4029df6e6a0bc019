/** A lock file that lets one process at a time initialise and start a server. */
import { randomUUID } from "node:crypto"
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises"

// Longer than any start takes: an older lock belongs to a process that hangs, or to a dead one whose
// number another process has now.
const maxHoldMs = 180_000

const heldHere = new Set<string>()

/**
 * Takes the lock if it is free. Returns a function that releases it, or undefined while another process holds
 * it. A lock that a dead process has left is removed, for the next attempt; a wrong guess is harmless,
 * because the server has a lock of its own.
 */
export async function tryLock(path: string): Promise<(() => Promise<void>) | undefined> {
  if (heldHere.has(path)) return undefined
  heldHere.add(path)
  try {
    await writeFile(path, String(process.pid), { flag: "wx" })
  } catch (error) {
    heldHere.delete(path)
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    if (await isStale(path)) await discard(path)
    return undefined
  }
  return async () => {
    heldHere.delete(path)
    await rm(path, { force: true })
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)])
    const ageMs = Date.now() - mtimeMs
    if (ageMs > maxHoldMs) return true
    // Just created: the number is not written yet.
    if (text === "") return ageMs > 5_000
    // Our number but not our lock: an earlier process had the same number, as happens in containers.
    return Number(text) === process.pid ? !heldHere.has(path) : !isAlive(Number(text))
  } catch {
    return false
  }
}

/** Renames it first, so that only one of two processes that find it stale removes it. */
async function discard(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Whether a process with this number exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
