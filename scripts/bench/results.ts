/** Growth: lists of results over a million of them, chats beside them, and what a turn writes. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { startEmbedded } from "../../src/postgres/start.ts"
import { importAndPublish } from "./bots.ts"
import { converse, threeQuestionFlow, turnsPerConversation } from "./conversation.ts"
import { fill } from "./fill.ts"
import { type Measured, median } from "./load.ts"
import { type Started, startParley, stopProcess } from "./processes.ts"
import { query } from "./query.ts"
import { measureExports, measureFilters } from "./readings.ts"
import { publicId, putTalk } from "./talker.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const durationMs = Number(process.env.BENCH_MS ?? 3_000)
const resultCount = Number(process.env.BENCH_RESULTS ?? 1_000_000)
const users = 16
const requestsPerRound = 40
// Whatever else the machine does meets both sides alike when they take turns quickly.
const slicesPerRound = 6
const sliceMs = durationMs / slicesPerRound
const pages = 1_000
const conversations = 200

const demanded = { listMs: 20, ofEmpty: 0.9, walPerTurn: 3_000 }

/** A service on a database of its own. */
type Side = { parley: Started; url: string; botId: string }

/** Prints three tables; the raw figures as JSON after them. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
  const server = await startEmbedded({ dataFolder: folder })
  const opened: Side[] = []
  try {
    const empty = await open(server.url, "bench_empty")
    opened.push(empty)
    const full = await open(server.url, "bench_full")
    opened.push(full)
    const size = await fillUp(full)
    await Promise.all([empty, full].map(firstJobs))
    const lists = await measureLists(full)
    const filters = await measureFilters({ ...full, users, rounds })
    const exports = await measureExports({ ...full, users, rounds })
    const chats = await compareChats(empty, full)
    const wal = await measureWal(empty)
    console.log(
      JSON.stringify({
        rounds,
        durationMs,
        resultCount,
        size,
        lists,
        filters,
        exports,
        chats,
        wal,
      }),
    )
  } finally {
    await Promise.all(opened.map(({ parley }) => stopProcess(parley)))
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function open(serverUrl: string, database: string): Promise<Side> {
  await query(serverUrl, `create database ${database}`)
  const url = serverUrl.replace(/\/[^/?]*(\?|$)/, `/${database}$1`)
  const parley = await startParley({ DATABASE_URL: url })
  const botId = await importAndPublish(parley, publicId, threeQuestionFlow)
  return { parley, url, botId }
}

/** Fills the database and says with what. */
async function fillUp({ url, botId }: Side): Promise<Record<string, number>> {
  const startedAt = performance.now()
  await fill({ url, botId, results: resultCount })
  const seconds = (performance.now() - startedAt) / 1_000
  const [size = {}] = await query<Record<string, number>>(
    url,
    `select (select count(*)::int from results) as results,
      (select count(*)::int from answers) as answers,
      (select count(*)::int from chat_sessions) as sessions,
      (pg_database_size(current_database()) / 1000000)::int as megabytes`,
  )
  console.log(`Filled in ${seconds.toFixed(0)} s:`, size)
  return size
}

/** Waits for what a service does some seconds after its start, so that no measurement meets it. */
async function firstJobs({ url }: Side): Promise<void> {
  for (;;) {
    const [jobs] = await query<{ done: boolean | null }>(
      url,
      `select bool_and(last_finished_at is not null and claimed_until is null) as done from jobs
      having count(*) > 1`,
    )
    if (jobs?.done) return
    await sleep(500)
  }
}

/** Milliseconds of lists and other reads of results, each over REST and one after the other. */
async function measureLists(side: Side) {
  const all = "/results?timeFilter=allTime&limit=50"
  const { cursor, page, walkedMs } = await walk(side, all)
  const [one] = await query<{ id: string }>(
    side.url,
    "select result_id as id from logs order by result_id limit 1 offset 1000",
  )
  const reads: Record<string, string> = {
    "page 1": all,
    [`page ${page}`]: `${all}&cursor=${cursor}`,
    "page 1 of 30 days": "/results?timeFilter=last30Days&limit=50",
    "page 1 with 500 results": "/results?timeFilter=allTime&limit=500",
    "one result": `/results/${one?.id}`,
    "its logs": `/results/${one?.id}/logs`,
  }
  const took = new Map(Object.keys(reads).map((name) => [name, [] as number[]]))
  for (let request = 0; request < rounds * requestsPerRound; request++) {
    for (const [name, path] of Object.entries(reads)) {
      const startedAt = performance.now()
      await get(side, path)
      took.get(name)?.push(performance.now() - startedAt)
    }
  }
  const rows = [...took].map(([name, times]) => ({
    name,
    "median ms": tenths(median(times)),
    "p95 ms": tenths(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0),
  }))
  console.table(rows)
  console.log(`Walked through ${page} pages, median ${tenths(median(walkedMs))} ms each`)
  const slowest = Math.max(...rows.slice(0, 2).map((row) => row["median ms"]))
  judge(`pages under ${demanded.listMs} ms`, slowest < demanded.listMs)
  return rows
}

/** Follows the cursors from the first page to the thousandth, or the last. */
async function walk(side: Side, path: string) {
  const walkedMs: number[] = []
  let cursor = ""
  let page = 1
  for (; page < pages; page++) {
    const startedAt = performance.now()
    const { nextCursor } = await get(side, cursor === "" ? path : `${path}&cursor=${cursor}`)
    walkedMs.push(performance.now() - startedAt)
    if (typeof nextCursor !== "string") break
    cursor = nextCursor
  }
  return { cursor, page, walkedMs }
}

async function get({ parley, botId }: Side, path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${parley.token}` }
  const response = await fetch(`${parley.address}/api/v1/bots/${botId}${path}`, { headers })
  const answer = (await response.json()) as Record<string, unknown>
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** Throughput of continueChat beside the filled tables and beside empty ones, by turns. */
async function compareChats(empty: Side, full: Side) {
  const measured: Record<"empty" | "full", Measured[]> = { empty: [], full: [] }
  for (let round = 0; round <= rounds; round++) {
    const slices: typeof measured = { empty: [], full: [] }
    for (let slice = 0; slice < slicesPerRound; slice++) {
      const order = [["empty", empty] as const, ["full", full] as const]
      for (const [kind, side] of slice % 2 === 0 ? order : order.reverse()) {
        slices[kind].push(await putTalk(side.parley, { users, durationMs: sliceMs }))
      }
    }
    // The first round warms both up.
    if (round === 0) continue
    for (const kind of ["empty", "full"] as const) measured[kind].push(roundOf(slices[kind]))
  }
  const ratio = median(
    measured.full.map(
      (one, index) => one.requestsPerSecond / (measured.empty[index]?.requestsPerSecond ?? 0),
    ),
  )
  const inPlace = { empty: await shareInPlace(empty), full: await shareInPlace(full) }
  console.table(
    (["empty", "full"] as const).map((kind) => ({
      "continueChat beside": `${kind} tables`,
      "req/s": Math.round(median(measured[kind].map((one) => one.requestsPerSecond))),
      "p50 ms": tenths(median(measured[kind].map((one) => one.p50Ms))),
      "p99 ms": tenths(median(measured[kind].map((one) => one.p99Ms))),
      "CPU us": Math.round(median(measured[kind].map((one) => one.cpuMicros))),
      "sessions in place": inPlace[kind].chat_sessions,
      "results in place": inPlace[kind].results,
    })),
  )
  judge(
    `at least ${demanded.ofEmpty} of empty tables, it is ${ratio.toFixed(2)}`,
    ratio >= demanded.ofEmpty,
  )
  return { ratio, inPlace, measured }
}

/** One round out of its slices, which are of the same length. */
function roundOf(slices: readonly Measured[]): Measured {
  const middle = (pick: (slice: Measured) => number) => median(slices.map(pick))
  const requests = slices.reduce((sum, slice) => sum + slice.requestsPerSecond, 0)
  return {
    requestsPerSecond: requests / slices.length,
    p50Ms: middle((slice) => slice.p50Ms),
    p99Ms: middle((slice) => slice.p99Ms),
    cpuMicros: middle((slice) => slice.cpuMicros),
    errors: 0,
  }
}

/** Which part of the updates of a table wrote to no index (HOT), by table. */
async function shareInPlace({ url }: Side): Promise<Record<string, number>> {
  // Connections tell what they counted once they are idle for ten seconds.
  await sleep(11_000)
  const rows = await query<{ table: string; share: number }>(
    url,
    `select relname as table, (n_tup_hot_upd::float / greatest(n_tup_upd, 1)) as share
    from pg_stat_user_tables where relname in ('chat_sessions', 'results')`,
  )
  return Object.fromEntries(rows.map(({ table, share }) => [table, Number(share.toFixed(3))]))
}

/** Bytes of write-ahead log per turn: with the page images that follow a checkpoint, and without. */
async function measureWal({ parley, url }: Side) {
  const perTurn = async () => {
    const before = await walEnd(url)
    for (let count = 0; count < conversations; count++) await converse(parley.address, publicId)
    return Math.round(((await walEnd(url)) - before) / (conversations * turnsPerConversation))
  }
  // Its log is not the turns'.
  await setAutovacuum(url, "off")
  await query(url, "checkpoint")
  const afterCheckpoint = await perTurn()
  const steady = median([await perTurn(), await perTurn(), await perTurn()])
  await setAutovacuum(url, "on")
  console.table([{ "bytes of log per turn": steady, "right after a checkpoint": afterCheckpoint }])
  judge(`at most ${demanded.walPerTurn} bytes of log`, steady <= demanded.walPerTurn)
  return { steady, afterCheckpoint }
}

async function setAutovacuum(url: string, value: "on" | "off"): Promise<void> {
  await query(url, `alter system set autovacuum = ${value}`)
  await query(url, "select pg_reload_conf()")
}

async function walEnd(url: string): Promise<number> {
  const [end] = await query<{ bytes: string }>(
    url,
    "select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes",
  )
  return Number(end?.bytes)
}

function judge(demand: string, isReached: boolean): void {
  console.log(`Demanded: ${demand}: ${isReached ? "reached" : "missed"}`)
}

const tenths = (value: number) => Number(value.toFixed(1))
