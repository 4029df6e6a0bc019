/**
 * Talks in many chats at once while the service is killed and its PostgreSQL restarted, and counts
 * afterwards: every acknowledged turn is stored exactly once, in order, and every chat goes on.
 * `npx tsx scripts/chaos.ts [--chats 200] [--kills 20] [--restarts 3] [--seconds 0]`; ends with 1 on
 * any discrepancy. On the database of DRILL_DATABASE_URL, which it does not restart, others may make
 * their own disasters for so many seconds.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createPool } from "../src/db/connection/pool.ts"
import { newToken } from "../src/routers/apiTokens.ts"
import { openChaosClient } from "./drills/chaosClient.ts"
import { judgeChats } from "./drills/chaosCount.ts"
import { publishChaosBots } from "./drills/chaosFlow.ts"
import {
  copyProduct,
  freePort,
  givenDatabase,
  numberGiven,
  type Run,
  startDatabase,
  startProduct,
} from "./drills/product.ts"

const chats = numberGiven("chats", 200)
const kills = numberGiven("kills", 20)
const restarts = givenDatabase === undefined ? numberGiven("restarts", 3) : 0
const seconds = numberGiven("seconds", 0)
const token = newToken()

/** What chats call: it remembers the keys under which it was asked. */
const asked: string[] = []
const upstream = createServer((request, response) => {
  asked.push(String(request.headers["idempotency-key"]))
  request.resume().on("end", () => setTimeout(() => response.end("{}"), 5))
})
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

const { folder, remove } = await copyProduct()
const dataFolder = join(folder, "chaos-data")
let database = await startDatabase(dataFolder)
const port = await freePort()
let run = await startService()
let wasWrong = true
try {
  wasWrong = await chaos()
} finally {
  run.child.kill("SIGKILL")
  await run.ended
  await database.stop()
  upstream.close()
  await remove()
}
process.exit(wasWrong ? 1 : 0)

async function chaos(): Promise<boolean> {
  const bots = await publishChaosBots({ address: run.address, token, upstreamUrl })
  const client = openChaosClient({ address: run.address, patienceMs: 90_000 })
  const talks = Array.from({ length: chats }, (_, index) => client.talk(index, bots))
  const disasters = shuffled([
    ...Array.from({ length: kills }, () => killService),
    ...Array.from({ length: restarts }, () => restartDatabase),
  ])
  const startedAt = Date.now()
  for (const [index, disaster] of disasters.entries()) {
    await sleep(500 + Math.random() * 2_000)
    await disaster()
    console.error(`${index + 1} of ${disasters.length} disasters, ${client.acknowledged()} turns`)
  }
  await sleep(Math.max(1_000, startedAt + seconds * 1_000 - Date.now()))
  client.finish()
  const told = await Promise.all(talks)
  const tookSeconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(
    `${chats} chats, ${kills} kills, ${restarts} restarts of PostgreSQL, ${tookSeconds} s: ` +
      `${client.acknowledged()} turns acknowledged, ${client.failures()} requests failed, ` +
      `the longest answer took ${Math.round(client.longestMs())} ms, ` +
      `${asked.length} calls upstream under ${new Set(asked).size} keys`,
  )
  const pool = createPool({ url: database.url, size: 2, statementTimeoutMs: 60_000 })
  const wrong = await judgeChats(pool, told)
  await pool.end()
  for (const sentence of wrong.slice(0, 20)) console.log(sentence)
  console.log(`${wrong.length} discrepancies`)
  return wrong.length > 0
}

async function killService(): Promise<void> {
  run.child.kill("SIGKILL")
  await run.ended
  run = await startService()
}

async function restartDatabase(): Promise<void> {
  await database.stop()
  await sleep(Math.random() * 500)
  database = await startDatabase(dataFolder)
}

function startService(): Promise<Run> {
  return startProduct(folder, {
    PORT: String(port),
    DATABASE_URL: database.url,
    PARLEY_SECRET: "a secret that only this drill knows",
    PARLEY_DATA: join(folder, "service-data"),
    PARLEY_BOOTSTRAP_EMAIL: "chaos@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
  })
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
