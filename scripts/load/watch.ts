/** The most memory that a process held while it was attacked. */
import { readFile, writeFile } from "node:fs/promises"
import { megabytesOf } from "../drills/product.ts"

/** Linux remembers the most memory that a process held, until it is told to forget it. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {})
}

/** In megabytes; elsewhere what is held now. 0: the process is gone. */
export async function peakMegabytesOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8")
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return process.platform === "linux" ? 0 : megabytesOf(pid)
  }
}
