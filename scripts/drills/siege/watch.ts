/** Watches a process while it is attacked: how long /healthz takes, and how much memory it holds. */
import { readFile, writeFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { megabytesOf } from "../product.ts"
import { ask } from "./ask.ts"

/** What was seen. */
export type Watched = { longestHealthMs: number; peakMegabytes: number }

const everyMs = 100
/** Whoever takes longer is stuck. */
const healthMs = 5_000

/** Begins to watch; `end` waits for what was asked and tells. */
export async function openWatch(
  address: string,
  pid: number,
): Promise<{ end(): Promise<Watched> }> {
  await forgetPeak(pid)
  let isOver = false
  let longestHealthMs = 0
  let peakMegabytes = 0
  const health = async () => {
    while (!isOver) {
      const got = await ask(address, { path: "/healthz", timeoutMs: healthMs })
      const tookMs = got.status === 200 ? got.milliseconds : healthMs
      longestHealthMs = Math.max(longestHealthMs, tookMs)
      await sleep(everyMs)
    }
  }
  const memory = async () => {
    while (!isOver) {
      peakMegabytes = Math.max(peakMegabytes, await peakOf(pid))
      await sleep(everyMs)
    }
  }
  const done = Promise.all([health(), memory()])
  return {
    async end() {
      isOver = true
      await done
      peakMegabytes = Math.max(peakMegabytes, await peakOf(pid))
      return { longestHealthMs, peakMegabytes }
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
