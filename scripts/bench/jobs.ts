/**
 * Jobs over millions of results: what a count of chats takes, how much an hour of retention deletes,
 * and what chats notice of both. With BENCH_BEFORE, the folder of another checkout, by turns with its
 * jobs.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { startEmbedded } from "../../src/postgres/start.ts"
import { importAndPublish } from "./bots.ts"
import { threeQuestionFlow } from "./conversation.ts"
import { median } from "./load.ts"
import { type Started, startParley, stopProcess } from "./processes.ts"
import { query } from "./query.ts"
import { publicId, putTalk } from "./talker.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_MS ?? 20_000) / 1_000
const resultCount = Number(process.env.BENCH_RESULTS ?? 5_000_000)
const users = 8
const here = fileURLToPath(new URL("../..", import.meta.url))
const checkouts = { now: here, before: process.env.BENCH_BEFORE }

/** The service, and the database that it shares with the jobs. */
type Side = { parley: Started; url: string }

/** Chats, and the job that ran beside them. */
type Slice = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  runsMs: number[]
  deleted: number
}

/** Prints a table; the raw figures as JSON after it. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
  const server = await startEmbedded({ dataFolder: folder })
  const parley = await startParley({
    DATABASE_URL: server.url,
    PARLEY_ROLE: "chat",
  })
  const manager = await startParley({
    DATABASE_URL: server.url,
    PARLEY_ROLE: "management",
  })
  try {
    const service = { address: manager.address, token: parley.token || manager.token }
    const botId = await importAndPublish(service, publicId, threeQuestionFlow)
    await stopProcess(manager)
    const startedAt = performance.now()
    await fill(server.url, botId)
    const count = await countResults(server.url)
    console.log(`${count} results in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    await measureAlone(server.url)
    await measure({ parley, url: server.url })
  } finally {
    await stopProcess(parley)
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What counting takes without chats, whose results of a few minutes are as many as those of days. */
async function measureAlone(url: string): Promise<void> {
  const runsMs = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const [when, checkout] of Object.entries(checkouts)) {
      if (checkout === undefined) continue
      const [, ...later] = await runJob(url, { checkout, name: "count_usage" })
      if (round > 0) runsMs.set(when, [...(runsMs.get(when) ?? []), ...later])
    }
  }
  console.table(
    [...runsMs].map(([when, all]) => ({ "count_usage alone": when, "ms a run": median(all) })),
  )
}

async function measure(side: Side): Promise<void> {
  const slices = new Map<string, Slice[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, job] of kindsOf(round)) {
      const slice = await sliceOf(side, job)
      // The first round warms everything up.
      if (round > 0) slices.set(kind, [...(slices.get(kind) ?? []), slice])
    }
  }
  const rows = [...slices].map(([kind, all]) => {
    const middle = (pick: (slice: Slice) => number) => median(all.map(pick))
    return {
      "chats beside": kind,
      "turns/s": Math.round(middle((slice) => slice.requestsPerSecond)),
      "p50 ms": middle((slice) => slice.p50Ms).toFixed(1),
      "p99 ms": middle((slice) => slice.p99Ms).toFixed(1),
      "ms a run": Math.round(middle((slice) => median(slice.runsMs))),
      "deleted an hour": Math.round(middle((slice) => slice.deleted) * (3_600 / seconds)),
    }
  })
  console.table(rows)
  console.log(JSON.stringify({ rounds, seconds, resultCount, slices: Object.fromEntries(slices) }))
}

type Job = { checkout: string; name: string }

/** What is measured in a round, in turns. */
function kindsOf(round: number): [kind: string, job: Job | undefined][] {
  const kinds: [string, Job | undefined][] = [["no job", undefined]]
  for (const name of ["count_usage", "purge_results"]) {
    const both = Object.entries(checkouts).flatMap(([when, checkout]): typeof kinds =>
      checkout === undefined ? [] : [[`${name} ${when}`, { checkout, name }]],
    )
    kinds.push(...(round % 2 === 0 ? both : both.reverse()))
  }
  return kinds
}

async function sliceOf({ parley, url }: Side, job: Job | undefined): Promise<Slice> {
  const before = await countResults(url)
  const running = job ? runJob(url, job) : Promise.resolve([])
  // Until the process of the job is up.
  if (job) await sleep(2_000)
  const measured = await putTalk(parley, { users, durationMs: seconds * 1_000 })
  const runsMs = await running
  const deleted = job?.name === "purge_results" ? before - (await countResults(url)) : 0
  return { ...measured, runsMs, deleted }
}

async function runJob(url: string, { checkout, name }: Job): Promise<number[]> {
  const args = ["--import", "tsx", "scripts/bench/jobProcess.ts", url, name, String(seconds)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: checkout })
  return JSON.parse(stdout) as number[]
}

/** Results of the last 20 days, three fifths of them with two answers, in the order of their time. */
async function fill(url: string, botId: string): Promise<void> {
  await query(
    url,
    `begin;
    -- What is new in a transaction is not logged.
    truncate results, answers, result_steps;
    insert into results (result_id, bot_id, version_id, variables, has_started, created_at)
    select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(i::text), 1, 3) || 'a'
        || substr(md5(i::text), 4, 15))::uuid, '${botId}', '00000000-0000-7000-8000-000000000000',
      '[{"id": "v1", "name": "Name", "value": "Somebody"}]', i % 5 > 1, to_timestamp(ms / 1000.0)
    from (
      select i, (extract(epoch from now()) * 1000)::bigint
        - (${resultCount} - i) * (20 * 86400000::bigint) / ${resultCount} as ms
      from generate_series(1, ${resultCount}::bigint) i
    ) made;
    insert into answers (result_id, idx, block_id, content)
    select result_id, idx, 'block' || idx, 'Some answer of some forty characters, or so'
    from results cross join generate_series(0, 1) idx where has_started;
    insert into result_steps (result_id, step, edge_ids)
    select result_id, 0, '{edge}' from results where has_started;
    commit`,
  )
  await query(url, "vacuum (analyze)")
  await query(url, "checkpoint")
}

/** Those of the filling: chats make others meanwhile. */
async function countResults(url: string): Promise<number> {
  const [counted] = await query<{ n: number }>(
    url,
    "select count(*)::int as n from results where created_at < now() - interval '9 days'",
  )
  return counted?.n ?? 0
}
