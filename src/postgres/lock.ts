/** A lock file: one process at a time makes and starts a server. */
import { randomUUID } from "node:crypto"
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises"

// Longer than any holder may take: whoever has it longer hangs or was replaced by another process.
const longestHoldMs = 180_000

const heldHere = new Set<string>()

/**
 * Takes the lock if it is free or was left by a process that is gone; returns how to give it back,
 * or undefined when somebody holds it. The server's own lock makes a doubtful case harmless.
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
    // Just made, and its number is not written yet.
    if (text === "") return ageMs > 5_000
    // Our own number in a file that we do not hold: an earlier process had it, as in a container.
    return Number(text) === process.pid ? !heldHere.has(path) : !isAlive(Number(text))
  } catch {
    return false
  }
}

/** By renaming, so that of two that find it stale only one removes it. */
async function discard(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Whether a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
