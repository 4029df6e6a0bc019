/** Puts load on a server: so many virtual users, each sending its next request when it has the answer. */
import { readFile } from "node:fs/promises"
import { Agent, request } from "node:http"

/** One request of a virtual user; `next` gets the parsed answer of the one before. */
export type UserRequest = { path: string; body: unknown }

/** What a virtual user does, over and over. */
export type User = {
  first(): UserRequest
  /** Undefined: begin again. */
  next(answer: Record<string, unknown>): UserRequest | undefined
  /** Whether this request counts; absent: every one. */
  counts?(path: string): boolean
}

/** Where the load goes, and how much of it. */
export type Load = {
  address: string
  users: number
  durationMs: number
  makeUser(index: number): User
  /** Process whose CPU time is measured. */
  pid: number
}

/** What came of it. */
export type Measured = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU time of the server process per counted request, in microseconds. */
  cpuMicros: number
  errors: number
}

/** Runs one stretch of load. */
export async function putLoad(load: Load): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.users })
  const latencies: number[] = []
  let errors = 0
  const before = await cpuMicrosOf(load.pid)
  const started = performance.now()
  const end = started + load.durationMs
  const live = async (user: User) => {
    let asked = user.first()
    while (performance.now() < end) {
      const sent = performance.now()
      const { status, answer } = await post(agent, load.address, asked)
      if (status !== 200) errors++
      if (user.counts?.(asked.path) ?? true) latencies.push(performance.now() - sent)
      asked = (status === 200 ? user.next(answer) : undefined) ?? user.first()
    }
  }
  await Promise.all(Array.from({ length: load.users }, (_, index) => live(load.makeUser(index))))
  const seconds = (performance.now() - started) / 1000
  const cpu = (await cpuMicrosOf(load.pid)) - before
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMicros: cpu / latencies.length,
    errors,
  }
}

function post(agent: Agent, address: string, { path, body }: UserRequest) {
  const text = JSON.stringify(body)
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
  }
  return new Promise<{ status: number; answer: Record<string, unknown> }>((resolve, reject) => {
    const sent = request(`${address}${path}`, { agent, method: "POST", headers }, (response) => {
      const parts: Buffer[] = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () => {
        const answer = JSON.parse(Buffer.concat(parts).toString())
        resolve({ status: response.statusCode ?? 0, answer })
      })
    })
    sent.on("error", reject)
    sent.end(text)
  })
}

// Linux counts in ticks of 10 ms (sysconf(_SC_CLK_TCK) = 100).
const microsPerTick = 10_000

/** User and system time of a process, in microseconds; NaN where /proc does not exist. */
export async function cpuMicrosOf(pid: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) * microsPerTick
  } catch {
    return Number.NaN
  }
}

/** Resident memory of a process in MB; NaN where /proc does not exist. */
export async function residentMbOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8")
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

/** The middle one. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
