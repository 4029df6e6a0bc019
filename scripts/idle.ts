/**
 * Measures new chats on fresh connections while thousands of connections are idle and hundreds never
 * come to the point. `npx tsx scripts/idle.ts [--idle 2000] [--half-open 200] [--slow 200]
 * [--seconds 80]`; ends with 1 when the median is 100 ms or more, when a chat fails, when the server
 * gives an idle connection up, or does not end the slow ones.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Crowd, type Habit, openCrowd } from "./drills/crowd.ts"
import { latenciesInWords, quantile } from "./drills/figures.ts"
import { type Reply, send } from "./drills/post.ts"
import { copyProduct, numberGiven, startProduct } from "./drills/product.ts"

const idle = numberGiven("idle", 2_000)
const halfOpen = numberGiven("half-open", 200)
const slow = numberGiven("slow", 200)
const seconds = numberGiven("seconds", 80)

const medianLimitMs = 100
/** The server's time for headers and for a body, and how often it looks. */
const patienceSeconds = { headers: 15 + 5, body: 60 + 5 }
/** Between two chats. */
const pauseMs = 50
const quietSeconds = 5
const graceSeconds = 3

const start = "POST /api/v1/bots/demo/startChat HTTP/1.1\r\nHost: drill\r\n"
const json = "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
const health = "GET /healthz HTTP/1.1\r\nHost: drill\r\n\r\n"

/** Who is there beside the new chats, and how long the server may bear with them. */
const habits: Record<string, { size: number; habit: Habit; patience: number }> = {
  // Once in a while they ask, as browsers do, or the server would rightly close them.
  idle: { size: idle, habit: { begin: health, drip: health, everyMs: 45_000 }, patience: Infinity },
  "half-open": {
    size: halfOpen,
    habit: { begin: "POST /api/v1/bots/demo/st" },
    patience: patienceSeconds.headers,
  },
  "slow headers": {
    size: slow,
    habit: { begin: `${start}X-Slow: `, drip: "a", everyMs: 1_000 },
    patience: patienceSeconds.headers,
  },
  "slow bodies": {
    size: slow,
    habit: { begin: `${start}${json}{"prefilled`, drip: "a", everyMs: 1_000 },
    patience: patienceSeconds.body,
  },
}

const wrong: string[] = []
warnOfLimit()
const { folder, remove } = await copyProduct()
try {
  const run = await startProduct(folder, {
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
  })
  await drill(run.address)
  run.child.kill("SIGTERM")
  await run.ended
} finally {
  await remove()
}
for (const sentence of wrong) console.log(`WRONG: ${sentence}`)
process.exit(wrong.length > 0 ? 1 : 0)

async function drill(address: string): Promise<void> {
  // What runs for the first time is compiled.
  await measure(address, 2)
  console.log(`alone:   ${latenciesInWords(await measure(address, quietSeconds))}`)
  const crowds = new Map<string, Crowd>()
  for (const [name, { size, habit }] of Object.entries(habits)) {
    crowds.set(name, await openCrowd(address, size, habit))
  }
  const latencies = await measure(address, seconds)
  console.log(`crowded: ${latenciesInWords(latencies)}, ${latencies.length} requests`)
  if (!(quantile(latencies, 0.5) < medianLimitMs)) {
    wrong.push(`the median is not below ${medianLimitMs} ms`)
  }
  // Those who are just coming back.
  await sleep(1_000)
  for (const [name, crowd] of crowds) judge(name, crowd)
  for (const crowd of crowds.values()) crowd.close()
}

function judge(name: string, crowd: Crowd): void {
  const { size, patience } = habits[name] ?? { size: 0, patience: Infinity }
  const longest = crowd.longestSeconds().toFixed(0)
  console.log(
    `${name}: ${crowd.open()} of ${size} open, ${crowd.ended()} ended by the server ` +
      `(${crowd.told()} with a 408), the oldest lived ${longest} s`,
  )
  if (patience === Infinity) {
    if (crowd.open() < size || crowd.ended() > 0) wrong.push(`${name} connections were given up`)
    return
  }
  // Grace for a machine that has much else to do.
  if (crowd.longestSeconds() > patience + graceSeconds)
    wrong.push(`${name}: not ended after ${patience} s`)
  if (seconds > patience && crowd.ended() < size) wrong.push(`${name}: some were never ended`)
}

/** Latencies of startChat and continueChat, each on a fresh connection. */
async function measure(address: string, forSeconds: number): Promise<number[]> {
  const latencies: number[] = []
  const until = performance.now() + forSeconds * 1_000
  const ask = async (path: string, body: object): Promise<Reply> => {
    const reply = await send(`${address}/api/v1${path}`, { body })
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`)
    latencies.push(reply.milliseconds)
    return reply
  }
  while (performance.now() < until) {
    try {
      const { sessionId } = JSON.parse((await ask("/bots/demo/startChat", {})).text)
      await ask(`/sessions/${sessionId}/continueChat`, { message: "I am just looking" })
    } catch (error) {
      wrong.push(`a chat failed: ${String(error)}`)
    }
    await sleep(pauseMs)
  }
  return latencies
}

/** Both sides need a file for every connection, and some more. */
function warnOfLimit(): void {
  const needed = idle + halfOpen + 2 * slow + 200
  const report = process.report.getReport() as { userLimits?: { open_files?: { hard: unknown } } }
  const hard = Number(report.userLimits?.open_files?.hard)
  if (hard < needed) {
    console.log(
      `A process may open ${hard} files here, and this drill needs ${needed}: raise the hard limit ` +
        "(ulimit -Hn), or ask for fewer connections by --idle.",
    )
  }
}
