/**
 * Runs the steps for operators on a real cluster, while people chat: spreads the tables, adds a node and
 * rebalances, loses a node and gets it back. Every acknowledged turn must be stored once, and what a lost node
 * must not stop goes on. `npx tsx scripts/cluster.ts [--chats 60] [--seconds 20]`; ends with 1 when something is wrong.
 *
 * DRILL_NODES: addresses of at least four nodes of this machine, the coordinator first; the drill makes and drops
 * databases there. DRILL_NODE_START: a command that starts the node of the folder `$PGDATA`.
 */
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { openConnectionPool, type Pool } from "../src/db/connection/connectionPool.ts"
import { ask, bot, group } from "../test/support/bots.ts"
import { type ChatRecord, holdChat } from "./drills/chaosChats.ts"
import { judgeChats } from "./drills/chaosJudge.ts"
import { openClients } from "./drills/insistentClients.ts"
import { openNodes } from "./drills/nodes.ts"
import { send } from "./drills/post.ts"
import {
  copyProduct,
  numberGiven,
  type ProductProcess,
  removeFolder,
  root,
  startProduct,
  token,
} from "./drills/product.ts"

const chats = numberGiven("chats", 60)
const seconds = numberGiven("seconds", 20)
const wrong: string[] = []

function expectThat(isTrue: boolean, sentence: string): void {
  console.log(`${isTrue ? "ok  " : "WRONG"} ${sentence}`)
  if (!isTrue) wrong.push(sentence)
}

/** Takes events, and says how many so far. */
async function openReceiver() {
  let count = 0
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      count += 1
      response.end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, count: () => count, close: () => server.close() }
}

const nodes = await openNodes()
const folder = await copyProduct()
const receiver = await openReceiver()
let service: ProductProcess | undefined
try {
  service = await startProduct(folder, {
    DATABASE_URL: nodes.url,
    PARLEY_DATA: join(folder, "data"),
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
  })
  const pool = openConnectionPool({ url: nodes.url, size: 4, statementTimeoutMs: 600_000 })
  await drill(service, pool)
  await pool.end()
} finally {
  service?.child.kill("SIGKILL")
  await service?.ended
  receiver.close()
  await nodes.close()
  await removeFolder(folder)
}
console.log(`${wrong.length} things are wrong`)
process.exit(wrong.length > 0 ? 1 : 0)

async function drill({ address, api }: ProductProcess, pool: Pool): Promise<void> {
  const { id: botId, publicId } = await api.publish(
    bot(group("Loop", ask.text({ saves: "Said", to: "Loop" }))),
  )
  const workspaceId = await api.workspaceId()
  await api.call("POST", `/workspaces/${workspaceId}/webhookEndpoints`, {
    url: receiver.url,
    types: ["answer.submitted"],
  })
  const clients = openClients(180_000)
  let isFinished = false
  let confirmed = 0
  const talk = {
    address,
    publicIds: [publicId],
    clients,
    isFinished: () => isFinished,
    onConfirmed: () => {
      confirmed += 1
    },
  }
  const talks: Promise<ChatRecord>[] = []
  const begin = (count: number) => {
    for (let index = 0; index < count; index++) talks.push(holdChat(talks.length, talk))
  }
  /** Does something while chats go on, and says how long it took and how many turns there were. */
  const during = async (what: string, work: () => Promise<unknown>) => {
    const [turns, events, since] = [confirmed, receiver.count(), performance.now()]
    await work()
    const took = ((performance.now() - since) / 1_000).toFixed(1)
    console.log(
      `     ${what}: ${took} s, ${confirmed - turns} turns, ${receiver.count() - events} events, ` +
        `failed so far: ${clients.failures()}`,
    )
    return confirmed - turns
  }

  begin(chats)
  await during("chats on one server", () => sleep(5_000))
  await during("distribute.sql", async () => {
    const text = await readFile(join(root, "schema/cluster/distribute.sql"), "utf8")
    const statements = text.replaceAll(/^--.*$/gm, "").split(";")
    for (const each of statements) if (each.trim() !== "") await pool.query(each)
  })
  await during("chats on two workers", () => sleep(3_000))

  const before = await shardsByNode(pool)
  await during("citus_add_node and citus_rebalance", async () => {
    await nodes.add(pool)
    await pool.query("select citus_rebalance_start()")
    await pool.query("select citus_rebalance_wait()")
  })
  const after = await shardsByNode(pool)
  console.log(`     shards by node: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`)
  expectThat(Object.keys(after).length > Object.keys(before).length, "the new node has shards")
  await during("chats on three workers", () => sleep(3_000))

  const lost = await nodes.kill(pool)
  const events = receiver.count()
  const get = async (path: string, method = "GET", body?: object) => {
    const { status, text } = await send(`${address}${path}`, { method, token, body })
    return { status, text }
  }
  const turns = await during("one worker is killed", async () => {
    begin(Math.ceil(chats / 4))
    await sleep(8_000)
    const ready = await get("/readyz")
    expectThat(
      ready.status === 200 && ready.text.includes(`"database node ${lost}"`),
      `/readyz: ${ready.status} ${ready.text}`,
    )
    const metrics = (await get("/metrics")).text
    const line = /^parley_unavailable.*$/m.exec(metrics)?.[0]
    expectThat(line?.endsWith(" 1") === true, `/metrics: ${line}`)
    const api = "/api/v1"
    const asked: [string, string, object?][] = [
      ["GET", `${api}/bots/${botId}/results`],
      ["GET", `${api}/bots/${botId}/conversations`],
      ["GET", `${api}/bots/${botId}/analytics`],
      ["POST", `${api}/bots/${botId}/publish`, {}],
    ]
    for (const [method, path, body] of asked) {
      const { status, text } = await get(path, method, body)
      const words = text.length > 200 ? `${text.slice(0, 200)}…` : text
      expectThat(
        status === 503 || status === 200,
        `${method} ${path.replace(botId, "…")}: ${status} ${status === 200 ? "" : words}`,
      )
    }
    expectThat((await get(`${api}/bots/${botId}`)).status === 200, "a bot can be read")
    await runJobs(pool, async (name) => {
      const { rows } = await pool.query(
        "select run_at > now() as is_done, last_error from jobs where name = $1",
        [name],
      )
      return rows[0]
    })
    await sleep(seconds * 1_000)
  })
  expectThat(turns > 0, `chats of the other nodes went on: ${turns} turns`)
  const sent = receiver.count() - events
  expectThat(sent > 0, `events of the other nodes went out: ${sent}`)

  await during("the worker is back", async () => {
    await nodes.revive()
    for (let waited = 0; waited < 60; waited++) {
      if ((await get("/readyz")).text === '{"status":"ok"}') break
      await sleep(1_000)
    }
    const ready = await get("/readyz")
    expectThat(ready.text === '{"status":"ok"}', `/readyz: ${ready.status} ${ready.text}`)
    await sleep(5_000)
  })
  isFinished = true
  const records = await Promise.all(talks)
  console.log(
    `     ${records.length} chats, ${confirmed} turns acknowledged, ${clients.failures()} requests failed, ` +
      `the longest answer took ${Math.round(clients.maxMs())} ms`,
  )
  const discrepancies = await judgeChats(pool, records)
  for (const sentence of discrepancies.slice(0, 20)) console.log(`     ${sentence}`)
  expectThat(
    discrepancies.length === 0,
    "every acknowledged turn is stored once, and every chat went on",
  )
}

/** Runs jobs that ask all shards, and says of each how it ended. */
async function runJobs(
  pool: Pool,
  stateOf: (name: string) => Promise<{ is_done: boolean; last_error: string | null }>,
): Promise<void> {
  const names = ["purge_keys", "purge_sessions", "purge_logs", "count_usage"]
  await pool.query("update jobs set run_at = now() where name = any($1)", [names])
  for (const name of names) {
    let state = await stateOf(name)
    for (let waited = 0; waited < 60 && !state?.is_done; waited++) {
      await sleep(1_000)
      state = await stateOf(name)
    }
    expectThat(
      state?.is_done === true && state.last_error === null,
      `the job ${name} continues on the shards that answer${state?.last_error ? `: ${state.last_error}` : ""}`,
    )
  }
}

async function shardsByNode(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ node: string; count: string }>(
    `select nodeport as node, count(*) from citus_shards where citus_table_type = 'distributed'
    group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ node, count }) => [node, Number(count)]))
}
