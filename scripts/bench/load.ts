/** Puts load on a server with autocannon, and measures what the server does with it. */
import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import autocannon, { type Request } from "autocannon"
import { quantile } from "../drills/figures.ts"

/** Where the load goes, and how much of it: each user sends the next request when it has the answer. */
export type Load = {
  address: string
  /** The process whose CPU time is measured. */
  pid: number
  users: number
  durationMs: number
  /** What the user of that number, counted from 0, sends over and over. */
  requestOf(user: number): Request
}

export type Measured = {
  requestsPerSecond: number
  p99Ms: number
  /** CPU time of the server process per request, in microseconds; NaN where /proc does not exist. */
  cpuMicros: number
}

/** Requests that were under way at the end are done by then, and not in the way of the next stretch. */
const restMs = 100

const headers = { "content-type": "application/json" }

/** Runs one stretch of load; rejects when anything was refused. */
export async function putLoad(load: Load): Promise<Measured> {
  const latencies: number[] = []
  let users = 0
  const cpuBefore = await cpuMicrosOf(load.pid)
  const startedAt = performance.now()
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const settings = {
      url: load.address,
      connections: load.users,
      duration: load.durationMs / 1_000,
      sampleInt: 50,
      setupClient: (client: autocannon.Client) =>
        client.setRequests([{ method: "POST", headers, ...load.requestOf(users++) }]),
    }
    const running = autocannon(settings, (error, done) => (error ? reject(error) : resolve(done)))
    // Its own figures are in whole milliseconds.
    running.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const cpu = (await cpuMicrosOf(load.pid)) - cpuBefore
  await sleep(restMs)
  const failed = result.errors + result.non2xx
  if (failed > 0) throw new Error(`${failed} requests failed: ${load.requestOf(0).path}`)
  return {
    requestsPerSecond: latencies.length / seconds,
    p99Ms: quantile(latencies, 0.99),
    cpuMicros: cpu / latencies.length,
  }
}

// Linux counts in ticks of 10 ms (sysconf(_SC_CLK_TCK) = 100).
const microsPerTick = 10_000

/** User and system time. */
export async function cpuMicrosOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * microsPerTick
}
