/** The HTTP layer over REST and tRPC beside its floor: a bare server that writes the same bytes. */
import { questions } from "./httpRouter.ts"
import { type Measured, median } from "./load.ts"
import { type Started, startBundle, startFloor, stopProcess } from "./processes.ts"
import { putSocketLoad } from "./socketLoad.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const durationMs = Number(process.env.BENCH_MS ?? 3_000)
/** Connections at a time. */
export const httpUsers = [16, 64]

const wanted = { trivial: 0.4, realistic: 0.65 }

type Kind = "parley" | "floor"
type Bench = Record<Kind, Started>
type Procedure = keyof typeof questions
type Call = { name: string; procedure: Procedure; path: string; body: unknown }

/** Both surfaces of both procedures. */
export const httpCalls: Call[] = (["trivial", "realistic"] as const).flatMap((procedure) => {
  const body = questions[procedure]
  return [
    { name: `${procedure} REST`, procedure, path: `/api/v1/${procedure}`, body },
    { name: `${procedure} tRPC`, procedure, path: `/api/trpc/${procedure}`, body: { json: body } },
  ]
})

/** Prints a table; the raw figures as JSON after it. */
export async function run(): Promise<void> {
  await withHttpServers(async (bench) => {
    const figures = []
    for (const users of httpUsers) {
      for (const call of httpCalls) figures.push(await compare(bench, call, users))
    }
    console.table(figures.map(({ raw, ...row }) => row))
    console.log(`Wanted of the floor: trivial ${wanted.trivial}, realistic ${wanted.realistic}`)
    console.log(JSON.stringify({ rounds, durationMs, figures }))
  })
}

/** Starts both servers, and stops them when the work is done. */
export async function withHttpServers(work: (bench: Bench) => Promise<void>): Promise<void> {
  const parley = await startBundle("scripts/bench/httpServer.ts")
  const floor = await startFloor("http.ts", await answersOf(parley.address), { isPinned: true })
  try {
    await work({ parley, floor })
  } finally {
    await Promise.all([stopProcess(parley), stopProcess(floor)])
  }
}

/** What each call is answered, by path: the floor writes it again. */
async function answersOf(address: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const { name, path, body } of httpCalls) {
    const text = await ask(address, path, body)
    answers[path] = JSON.parse(text)
    console.log(`${name}: ${JSON.stringify(body).length} bytes in, ${text.length} bytes out`)
  }
  return answers
}

async function ask(address: string, path: string, body: unknown): Promise<string> {
  const headers = { "content-type": "application/json", "accept-encoding": "identity" }
  const init = { method: "POST", headers, body: JSON.stringify(body) }
  const response = await fetch(address + path, init)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${text}`)
  return text
}

async function compare(bench: Bench, call: Call, users: number) {
  const { path, body } = call
  const results: Record<Kind, Measured[]> = { parley: [], floor: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const kind of ["parley", "floor"] as const) {
      const { address, pid } = bench[kind]
      const load = { address, pid, path, body, connections: users, durationMs }
      const measured = await putSocketLoad(load)
      if (measured.errors > 0) throw new Error(`${call.name}: ${measured.errors} errors`)
      // The first round warms both up.
      if (round > 0) results[kind].push(measured)
    }
  }
  const middle = (kind: Kind, pick: (measured: Measured) => number) =>
    median(results[kind].map(pick))
  const ratio = (pick: (measured: Measured) => number) => {
    const pairs = results.parley.map((own, index) => pick(own) / pick(results.floor[index] ?? own))
    return Number(median(pairs).toFixed(2))
  }
  const ofFloor = ratio((each) => each.requestsPerSecond)
  return {
    call: `${call.name}, ${users} users`,
    "req/s": Math.round(middle("parley", (each) => each.requestsPerSecond)),
    "floor req/s": Math.round(middle("floor", (each) => each.requestsPerSecond)),
    "of floor": ofFloor,
    verdict: ofFloor >= wanted[call.procedure] ? "reached" : "missed",
    "p99 ms": Number(middle("parley", (each) => each.p99Ms).toFixed(1)),
    "p99 x floor": ratio((each) => each.p99Ms),
    "CPU us": Number(middle("parley", (each) => each.cpuMicros).toFixed(1)),
    "CPU x floor": ratio((each) => each.cpuMicros),
    raw: results,
  }
}
