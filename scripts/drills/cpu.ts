/** Processor time of processes, as Linux counts it. */
import { readFile } from "node:fs/promises"

// In ticks of 10 ms (sysconf(_SC_CLK_TCK) = 100).
const ticksPerSecond = 100

/** Seconds that a process and its children have computed, those that have ended included. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // utime, stime, and both of children that were waited for.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
    const pids = children.trim().split(" ").filter(Boolean).map(Number)
    const others = await Promise.all(pids.map(cpuSecondsOf))
    return own / ticksPerSecond + others.reduce((sum, seconds) => sum + seconds, 0)
  } catch {
    // It has just ended, and is counted with its parent from now on.
    return 0
  }
}
