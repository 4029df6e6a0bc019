/** Watches how much memory a process holds while it is attacked. */
import { readFile, writeFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { megabytesOf } from "../drills/product.ts"

/** What was seen. */
export type Watched = { peakMegabytes: number }

const everyMs = 100

/** Begins to watch; `end` tells. */
export async function openWatch(pid: number): Promise<{ end(): Promise<Watched> }> {
  await forgetPeak(pid)
  let isOver = false
  let peakMegabytes = 0
  const look = async () => {
    peakMegabytes = Math.max(peakMegabytes, await peakOf(pid))
  }
  const watch = async () => {
    for (; !isOver; await sleep(everyMs)) await look()
  }
  const done = watch()
  return {
    async end() {
      isOver = true
      await done
      await look()
      return { peakMegabytes }
    },
  }
}

/** Linux remembers the most memory that a process held, until it is told to forget it. */
async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {})
}

/** In megabytes; elsewhere what is held now. 0: the process is gone. */
async function peakOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8")
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return process.platform === "linux" ? 0 : megabytesOf(pid)
  }
}
