/**
 * Has the timers of silent chats come due in every second stretch of some minutes, while users chat:
 * how much firing them computes, how late they are, and what the users notice of it.
 * `npx tsx scripts/timers.ts [--timers 100000] [--minutes 60] [--users 16]`; ends with 1 when a timer
 * was not fired once, the latest hundredth comes more than 5 s late, or the users' p99 rises by more
 * than 10 %. On Linux.
 */
import { Agent } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createPool, type Pool } from "../src/db/connection/pool.ts"
import { readPidFile } from "../src/postgres/postmaster.ts"
import { startEmbedded } from "../src/postgres/start.ts"
import { newToken } from "../src/routers/apiTokens.ts"
import { openGateway, publishListener } from "./drills/conversationCallers.ts"
import { cpuSecondsOf } from "./drills/cpu.ts"
import { quantile } from "./drills/figures.ts"
import { publishLoop } from "./drills/loopTalks.ts"
import { send } from "./drills/post.ts"
import { copyProduct, numberGiven, type Run, startProduct } from "./drills/product.ts"
import { copySilentChats, readFiring } from "./drills/timerCopies.ts"

const timers = numberGiven("timers", 100_000)
const minutes = numberGiven("minutes", 60)
const users = numberGiven("users", 16)
const idleAfter = 3_600
/** Without timers and with them in turn: as the machine changes, it changes for both. */
const stretches = Math.max(4, 2 * Math.floor(minutes / 2))
const stretchSeconds = (minutes * 60) / stretches
/** What is still fired of the stretch before, and connections that have just been idle. */
const settlingMs = 3_000
const samples = 8
const token = newToken()

/** What was seen in the stretches of one kind. */
type Seen = { latencies: number[]; refused: number; nodeSeconds: number; postgresSeconds: number }

const { folder, remove } = await copyProduct()
const database = await startEmbedded({ dataFolder: join(folder, "database") })
let wasWrong = true
try {
  const run = await startProduct(folder, {
    DATABASE_URL: database.url,
    PARLEY_SECRET: "a secret that only this drill knows",
    PARLEY_DATA: join(folder, "service-data"),
    PARLEY_BOOTSTRAP_EMAIL: "drill@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
  })
  const pool = createPool({ url: database.url, size: 2, statementTimeoutMs: 600_000 })
  wasWrong = await drill(run, pool)
  await pool.end()
  run.child.kill("SIGTERM")
  await run.ended
} finally {
  await database.stop()
  await remove()
}
process.exit(wasWrong ? 1 : 0)

async function drill(run: Run, pool: Pool): Promise<boolean> {
  const { address } = run
  const { botId } = await publishListener({ address, token, idleAfter })
  await publishLoop(address, token)
  const gateway = openGateway({ addresses: [address], token, botId, patienceMs: 30_000 })
  const talks = Array.from({ length: samples }, (_, index) =>
    gateway.talk(`sample ${index}`, 3, () => true),
  )
  const problems = (await Promise.all(talks)).flatMap((problem) => problem ?? [])
  if (problems.length > 0) throw new Error(problems.join("; "))
  const startAt = await copySilentChats(pool, {
    ...{ timers, idleAfterSeconds: idleAfter, stretches, stretchSeconds },
    inSeconds: 20 + timers / 2_000,
  })
  const leftMs = startAt.getTime() - Date.now()
  if (leftMs < 5_000) throw new Error("The copies took longer than was planned for")
  const [quiet, busy] = await watch(run, pool, leftMs)
  // Time for those that were due last.
  await sleep(10_000)
  return judge(pool, quiet, busy)
}

/** Lets users chat through all stretches. Returns those without timers, and those with them. */
async function watch(run: Run, pool: Pool, leftMs: number): Promise<[Seen, Seen]> {
  const { rows } = await pool.query<{ data: string }>(
    "select current_setting('data_directory') as data",
  )
  const postgresPid = (await readPidFile(rows[0]?.data ?? ""))?.pid ?? 0
  const startsAt = performance.now() + leftMs
  const endsAt = startsAt + minutes * 60_000
  const seen = [0, 1].map(
    (): Seen => ({
      latencies: [],
      refused: 0,
      nodeSeconds: 0,
      postgresSeconds: 0,
    }),
  )
  const [quiet, busy] = seen as [Seen, Seen]
  const talking = chat(run.address, endsAt, ({ sentAt, status, milliseconds }) => {
    const place = (sentAt - startsAt) / 1_000 / stretchSeconds
    const isSettled = (place % 1) * stretchSeconds * 1_000 > settlingMs
    // What is said before the first stretch is for warming up.
    const one = place < 0 ? undefined : seen[Math.floor(place) % 2]
    if (one && status !== 200) one.refused += 1
    else if (isSettled) one?.latencies.push(milliseconds)
  })
  // Awaited in the end.
  talking.catch(() => {})
  const computed = () => Promise.all([run.pid, postgresPid].map(cpuSecondsOf))
  await sleep(leftMs)
  for (let stretch = 0; stretch < stretches; stretch++) {
    const before = await computed()
    await sleep(startsAt + (stretch + 1) * stretchSeconds * 1_000 - performance.now())
    const after = await computed()
    const [node = 0, postgres = 0] = after.map((seconds, at) => seconds - (before[at] ?? 0))
    const one = stretch % 2 === 0 ? quiet : busy
    one.nodeSeconds += node
    one.postgresSeconds += postgres
    console.error(`${stretch + 1} of ${stretches} stretches`)
  }
  await talking
  return [quiet, busy]
}

/** Users who read for a moment before they reply; every twentieth reply begins anew. */
async function chat(
  address: string,
  endsAt: number,
  note: (turn: { sentAt: number; status: number; milliseconds: number }) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: users })
  const user = async () => {
    let sessionId = ""
    for (let turn = 0; performance.now() < endsAt; turn++) {
      await sleep(250 + Math.random() * 250)
      if (turn % 20 === 0) {
        const started = await send(`${address}/api/v1/bots/loop/startChat`, { body: {}, agent })
        sessionId = JSON.parse(started.text).sessionId
      }
      const url = `${address}/api/v1/sessions/${sessionId}/continueChat`
      const sentAt = performance.now()
      const { status, milliseconds } = await send(url, { body: { message: "Hi" }, agent })
      note({ sentAt, status, milliseconds })
    }
  }
  await Promise.all(Array.from({ length: users }, user))
  agent.destroy()
}

async function judge(pool: Pool, quiet: Seen, busy: Seen): Promise<boolean> {
  const half = minutes * 30
  const row = (stretches: string, { latencies, refused, nodeSeconds, postgresSeconds }: Seen) => ({
    stretches,
    turns: latencies.length,
    refused,
    "median ms": tenths(quantile(latencies, 0.5)),
    "p99 ms": tenths(quantile(latencies, 0.99)),
    "node CPU %": tenths((100 * nodeSeconds) / half),
    "PostgreSQL CPU %": tenths((100 * postgresSeconds) / half),
  })
  console.table([row("without timers", quiet), row("with timers", busy)])
  const { once, late50, late99, latest } = await readFiring(pool)
  const [p99, p99Busy] = [quiet, busy].map(({ latencies }) => quantile(latencies, 0.99))
  const rise = 100 * ((p99Busy ?? Number.NaN) / (p99 ?? Number.NaN) - 1)
  const computed =
    busy.nodeSeconds + busy.postgresSeconds - quiet.nodeSeconds - quiet.postgresSeconds
  console.log(
    `${once} of ${timers} timers were fired once; late by ${tenths(late50)} s (median), ` +
      `${tenths(late99)} s (p99), ${tenths(latest)} s (the latest)`,
  )
  console.log(
    `they took ${tenths(computed)} s of CPU, ${tenths((1_000 * computed) / timers)} ms each, ` +
      `${tenths((100 * computed) / (minutes * 60))} % of one processor over ${minutes} minutes; ` +
      `the users' p99 changed by ${tenths(rise)} %`,
  )
  return once !== timers || !(late99 <= 5) || !(rise <= 10)
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
