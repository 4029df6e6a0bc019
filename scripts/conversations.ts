/**
 * Sends messages under keys through two processes while either is killed and their PostgreSQL
 * restarted. Messages come several times, late and at once; in the end every key has one chat, every
 * message was answered once, in order, and silence was told once.
 * `npx tsx scripts/conversations.ts [--keys 200] [--messages 5000] [--kills 12] [--restarts 2]`;
 * ends with 1 on any discrepancy. On the database of DRILL_DATABASE_URL, if that is set, which it does not
 * restart.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createPool } from "../src/db/connection/pool.ts"
import { newToken } from "../src/routers/apiTokens.ts"
import { openGateway, publishListener } from "./drills/conversationCallers.ts"
import { judgeConversations } from "./drills/conversationJudge.ts"
import {
  copyProduct,
  givenDatabase,
  numberGiven,
  type Run,
  startDatabase,
  startProduct,
} from "./drills/product.ts"

const keys = numberGiven("keys", 200)
const each = Math.ceil(numberGiven("messages", 5_000) / keys)
const kills = numberGiven("kills", 12)
const restarts = givenDatabase === undefined ? numberGiven("restarts", 2) : 0
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
  wasWrong = await drill()
} finally {
  for (const run of runs) run.child.kill("SIGKILL")
  await Promise.all(runs.map(({ ended }) => ended))
  await database.stop()
  await remove()
}
process.exit(wasWrong ? 1 : 0)

async function drill(): Promise<boolean> {
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const botId = await publishListener({ address: addresses[0] ?? "", token, idleAfter })
  const gateway = openGateway({ addresses, token, botId, patienceMs: 120_000 })
  const startedAt = Date.now()
  const talks = Promise.all(
    Array.from({ length: keys }, (_, index) => gateway.talk(`key ${index}`, each)),
  )
  let isOver = false
  void talks.finally(() => {
    isOver = true
  })
  let disasters = 0
  for (; disasters < kills + restarts && !isOver; disasters++) {
    await sleep(500 + Math.random() * 1_500)
    if (restarts > 0 && disasters % 7 === 3) await restartDatabase()
    else await killOne(disasters % ports.length)
  }
  const problems = (await talks).flatMap((problem) => problem ?? [])
  const tookSeconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(
    `${keys} keys, ${keys * each} messages in ${gateway.deliveries()} deliveries, ` +
      `${disasters} disasters, ${tookSeconds} s: ${gateway.failures()} requests failed`,
  )
  // So that the last silence of each is told, by whichever process.
  await sleep((idleAfter + 20) * 1_000)
  const pool = createPool({ url: database.url, size: 2, statementTimeoutMs: 60_000 })
  const wrong = [...problems, ...(await judgeConversations(pool, { keys, each }))]
  await pool.end()
  for (const sentence of wrong.slice(0, 20)) console.log(sentence)
  console.log(`${wrong.length} discrepancies`)
  return wrong.length > 0
}

async function killOne(index: number): Promise<void> {
  runs[index]?.child.kill("SIGKILL")
  await runs[index]?.ended
  runs[index] = await startService(ports[index] ?? 0)
}

async function restartDatabase(): Promise<void> {
  await database.stop()
  database = await startDatabase(dataFolder)
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
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
