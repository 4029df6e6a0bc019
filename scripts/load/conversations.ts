/**
 * Sends messages under keys through two processes while either is killed, and their PostgreSQL stopped
 * or killed. Messages come several times, late and at once; in the end every key has one chat, every
 * message was answered once, in order, each silence was told once, and a receiver has every event,
 * numbered without gaps and none before its turn.
 * `npx tsx scripts/load.ts conversations [--keys 200] [--messages 5000] [--kills 8] [--restarts 3]`;
 * ends with 1 on any discrepancy. On the database of DRILL_DATABASE_URL, if that is set, which it does not
 * restart.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createPool, type Pool } from "../../src/db/connection/pool.ts"
import { readPidFile } from "../../src/postgres/postmaster.ts"
import { newToken } from "../../src/routers/apiTokens.ts"
import { openGateway, publishListener } from "../drills/conversationCallers.ts"
import { judgeConversations, judgeEvents } from "../drills/conversationJudge.ts"
import { openReceiver, subscribe } from "../drills/conversationReceiver.ts"
import {
  copyProduct,
  freePort,
  givenDatabase,
  numberGiven,
  type Run,
  startDatabase,
  startProduct,
} from "../drills/product.ts"

const keys = numberGiven("keys", 200)
const each = Math.ceil(numberGiven("messages", 5_000) / keys)
const kills = numberGiven("kills", 8)
const restarts = givenDatabase === undefined ? numberGiven("restarts", 3) : 0
/** Silence that is told, in seconds. */
const idleAfter = 10
const token = newToken()

const { folder, remove } = await copyProduct()
const dataFolder = join(folder, "database")
let database = await startDatabase(dataFolder)
const ports = [await freePort(), await freePort()]
const runs: Run[] = []
let wasWrong = true
try {
  for (const port of ports) runs.push(await startService(port))
  const pool = createPool({ url: database.url, size: 4, statementTimeoutMs: 60_000 })
  wasWrong = await drill(pool)
  await pool.end()
} finally {
  for (const run of runs) run.child.kill("SIGKILL")
  await Promise.all(runs.map(({ ended }) => ended))
  await database.stop()
  await remove()
}
process.exit(wasWrong ? 1 : 0)

async function drill(pool: Pool): Promise<boolean> {
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const [address = ""] = addresses
  const { botId, workspaceId } = await publishListener({ address, token, idleAfter })
  const receiver = await openReceiver(pool)
  await subscribe({ address, token, workspaceId, url: receiver.url })
  const gateway = openGateway({ addresses, token, botId, patienceMs: 120_000 })
  const startedAt = Date.now()
  // As many messages before each disaster, so that every one of them strikes talks under way.
  const total = kills + restarts
  let struck = 0
  const mayFollow = (turn: number) => turn * (total + 1) < each * (struck + 1)
  const talks = Array.from({ length: keys }, (_, index) =>
    gateway.talk(`key ${index}`, each, mayFollow),
  )
  for (let restarted = 0; struck < total; struck++) {
    await sleep(500 + Math.random() * 1_500)
    if (restarted * total < restarts * struck) await restartDatabase(pool, restarted++ % 2 === 0)
    else await killOne(struck % ports.length)
    console.error(`${struck + 1} of ${total} disasters, ${gateway.deliveries()} deliveries`)
  }
  const problems = (await Promise.all(talks)).flatMap((problem) => problem ?? [])
  const tookSeconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(
    `${keys} keys, ${keys * each} messages in ${gateway.deliveries()} deliveries, ${kills} kills, ` +
      `${restarts} restarts of PostgreSQL, ${tookSeconds} s: requests failed: ${gateway.failures()}`,
  )
  // So that the last silence of each is told, by whichever process.
  await sleep((idleAfter + 20) * 1_000)
  await untilDelivered(pool)
  console.log(`${receiver.count()} deliveries of events reached the receiver`)
  const wrong = [
    ...problems,
    ...(await judgeConversations(pool, { keys, each })),
    ...(await judgeEvents(pool, { received: receiver.received(), each })),
    ...receiver.early(),
  ]
  receiver.close()
  for (const sentence of wrong.slice(0, 20)) console.log(sentence)
  console.log(`${wrong.length} discrepancies`)
  return wrong.length > 0
}

async function killOne(index: number): Promise<void> {
  runs[index]?.child.kill("SIGKILL")
  await runs[index]?.ended
  runs[index] = await startService(ports[index] ?? 0)
}

/** Stops it as an operator would, or kills it. */
async function restartDatabase(pool: Pool, isKilled: boolean): Promise<void> {
  if (isKilled) {
    const { rows } = await pool.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    )
    const file = await readPidFile(rows[0]?.folder ?? "")
    if (file) process.kill(file.pid, "SIGKILL")
  } else await database.stop()
  database = await startDatabase(dataFolder)
}

/** Until no event waits any more; what is missing after a while is for the judge to tell. */
async function untilDelivered(pool: Pool): Promise<void> {
  const deadline = Date.now() + 180_000
  while (Date.now() < deadline) {
    const { rows } = await pool.query<{ waiting: boolean }>(
      `select exists (select from outbox)
        or exists (select from deliveries where state = 'pending') as waiting`,
    )
    if (rows[0]?.waiting === false) return
    await sleep(500)
  }
}

function startService(port: number): Promise<Run> {
  return startProduct(folder, {
    PORT: String(port),
    DATABASE_URL: database.url,
    PARLEY_SECRET: "a secret that only this drill knows",
    PARLEY_DATA: join(folder, "service-data"),
    PARLEY_BOOTSTRAP_EMAIL: "drill@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
  })
}
