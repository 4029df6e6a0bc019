/** A lock file, so that one process at a time initialises and starts a server. */
import { randomUUID } from "node:crypto"
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises"

// Longer than any start takes: an older lock is that of a process that hangs, or of a dead one
// whose number was given to another.
const longestHoldMs = 180_000

const heldHere = new Set<string>()

/**
 * Takes the lock if it is free. Returns a function that releases it, or undefined when somebody
 * holds it; one that a dead process left is removed, for the next attempt. A wrong guess is
 * harmless, because the server has a lock of its own.
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
    if (ageMs > longestHoldMs) return true
    // Just created: its number is not written yet.
    if (text === "") return ageMs > 5_000
    // Our own number, but not our lock: an earlier process had the same number, as in containers.
    return Number(text) === process.pid ? !heldHere.has(path) : !isAlive(Number(text))
  } catch {
    return false
  }
}

/** Renames it first, so that of two processes that find it stale only one removes it. */
async function discard(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Whether a process with this number exists, no matter who owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
