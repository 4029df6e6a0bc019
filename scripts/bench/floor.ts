/** What this machine gives at most: the bare servers of the other benches, alone. */
import { chatScenarios, withChatServers } from "./chat.ts"
import { httpCalls, httpUsers, withHttpServers } from "./http.ts"
import { type Measured, median, putLoad } from "./load.ts"
import { putSocketLoad } from "./socketLoad.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const durationMs = Number(process.env.BENCH_MS ?? 3_000)

type Figure = { call: string } & Record<string, string | number>

/** Prints a table, then the figures as JSON. */
export async function run(): Promise<void> {
  const figures: Figure[] = []
  await withHttpServers(async ({ floor }) => {
    for (const users of httpUsers) {
      for (const { name, path, body } of httpCalls) {
        const load = { ...floor, path, body, connections: users, durationMs }
        figures.push(await measure(`${name}, ${users} users`, () => putSocketLoad(load)))
      }
    }
  })
  await withChatServers(async (bench) => {
    for (const { name, users, makeUser } of chatScenarios()) {
      const load = { ...bench.floor, users, durationMs, makeUser: makeUser(bench, "floor") }
      figures.push(await measure(name, () => putLoad(load)))
    }
  })
  console.table(figures)
  console.log(JSON.stringify({ rounds, durationMs, node: process.version, figures }))
}

async function measure(call: string, put: () => Promise<Measured>): Promise<Figure> {
  // Warms it up.
  await put()
  const results: Measured[] = []
  for (let round = 0; round < rounds; round++) results.push(await put())
  if (results.some(({ errors }) => errors > 0)) throw new Error(`${call}: there were errors`)
  const middle = (pick: (measured: Measured) => number) => median(results.map(pick))
  return {
    call,
    "req/s": Math.round(middle((each) => each.requestsPerSecond)),
    "p50 ms": Number(middle((each) => each.p50Ms).toFixed(2)),
    "p99 ms": Number(middle((each) => each.p99Ms).toFixed(1)),
    "CPU us": Number(middle((each) => each.cpuMicros).toFixed(1)),
  }
}
