/**
 * Numbers over a million results and five million answers: analytics of 30 days, counted now and ahead,
 * the forgetting of one person, and what chats notice of both.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { openDatabase } from "../../src/db/connection/open.ts"
import { countAnalyticsJob } from "../../src/jobs/countAnalytics.ts"
import { startEmbedded } from "../../src/postgres/start.ts"
import { runJob } from "../../test/support/jobs.ts"
import { importAndPublish } from "./bots.ts"
import { threeQuestionFlow } from "./conversation.ts"
import { fill } from "./fill.ts"
import { type Measured, median } from "./load.ts"
import { type Started, startParley, stopProcess } from "./processes.ts"
import { query } from "./query.ts"
import { publicId, putTalk } from "./talker.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const sliceMs = Number(process.env.BENCH_MS ?? 5_000)
const resultCount = Number(process.env.BENCH_RESULTS ?? 1_000_000)
const users = 16
const demandedP99 = 1.2

type Side = { parley: Started; url: string; botId: string; workspaceId: string }

/** Prints two tables; the raw figures as JSON after them. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
  const server = await startEmbedded({ dataFolder: folder })
  const parley = await startParley({ DATABASE_URL: server.url })
  try {
    const side = await open(parley, server.url)
    const person = await fillUp(side)
    const live = await measureAnalytics(side, "counted now")
    const chatsLive = await compareChats(side, () => analytics(side))
    const ahead = await measureAhead(side)
    const chatsAhead = await compareChats(side, () => analytics(side))
    const search = await measureErasure(side, { value: person, dryRun: true })
    const chatsErasing = await compareChats(side, () => erase(side, { value: "nobody" }))
    const erasure = await measureErasure(side, { value: person, dryRun: false })
    const times = { live, ahead, search, erasure }
    const p99 = { chatsLive, chatsAhead, chatsErasing }
    console.table(times)
    console.table(p99)
    for (const [name, { ratio }] of Object.entries(p99)) {
      const isReached = ratio <= demandedP99
      console.log(`p99 of chats at most ${demandedP99} times: ${name} ${isReached ? "" : "missed"}`)
    }
    console.log(JSON.stringify({ rounds, sliceMs, resultCount, times, p99 }))
  } finally {
    await stopProcess(parley)
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function open(parley: Started, url: string): Promise<Side> {
  const botId = await importAndPublish(parley, publicId, threeQuestionFlow)
  const [bot] = await query<{ id: string }>(
    url,
    `select workspace_id as id from bots where id = '${botId}'`,
  )
  return { parley, url, botId, workspaceId: bot?.id ?? "" }
}

/** Fills the database; returns an answer that one person gave. */
async function fillUp({ url, botId }: Side): Promise<string> {
  const startedAt = performance.now()
  await fill({ url, botId, results: resultCount })
  // The filled answers lack blocks.
  const [block] = threeQuestionFlow.groups.flatMap(({ blocks }) =>
    blocks.filter(({ type }) => type.endsWith("input")),
  )
  await query(url, `update answers set block_id = '${block?.id}' where block_id = 'block0'`)
  const [one] = await query<{ resultId: string }>(
    url,
    `select result_id as "resultId" from results where bot_id = '${botId}' and has_started
    order by result_id desc offset ${Math.floor(resultCount / 5)} limit 1`,
  )
  await query(
    url,
    `update answers set content = 'Zoe@Example.com' where result_id = '${one?.resultId}' and idx = 0`,
  )
  await query(url, "vacuum (analyze) results, answers, chat_sessions")
  console.log(`Filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  return "zoe@example.com"
}

async function measureAnalytics(side: Side, how: string) {
  const tookMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await analytics(side)
    tookMs.push(performance.now() - startedAt)
  }
  return { what: `analytics of 30 days, ${how}`, medianMs: Math.round(median(tookMs)) }
}

/** The job, and what it makes of a request. */
async function measureAhead(side: Side) {
  const db = await openDatabase({ url: side.url, poolSize: 1, statementTimeoutMs: 0 })
  const startedAt = performance.now()
  const { days } = await runJob(db, countAnalyticsJob).finally(() => db.close())
  const jobMs = Math.round(performance.now() - startedAt)
  return { ...(await measureAnalytics(side, "counted ahead")), days, jobMs }
}

async function measureErasure(side: Side, body: { value: string; dryRun: boolean }) {
  const startedAt = performance.now()
  const { results, calls } = await erase(side, body)
  const medianMs = Math.round(performance.now() - startedAt)
  return {
    what: body.dryRun ? "search for a person" : "erasure of a person",
    medianMs,
    results,
    calls,
  }
}

async function analytics({ parley, botId }: Side): Promise<void> {
  const path = `/api/v1/bots/${botId}/analytics?timeFilter=last30Days`
  const headers = { authorization: `Bearer ${parley.token}` }
  const response = await fetch(parley.address + path, { headers })
  if (response.status !== 200) throw new Error(await response.text())
  await response.arrayBuffer()
}

type Erased = { bots: { results: number }[]; nextCursor?: string }

async function erase({ parley, workspaceId }: Side, body: object) {
  let results = 0
  let calls = 0
  let cursor: string | undefined
  do {
    const response = await fetch(`${parley.address}/api/v1/workspaces/${workspaceId}/erase`, {
      method: "POST",
      headers: { authorization: `Bearer ${parley.token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...body, cursor }),
    })
    if (response.status !== 200) throw new Error(await response.text())
    const { bots, nextCursor } = (await response.json()) as Erased
    results += bots.reduce((sum, each) => sum + each.results, 0)
    calls += 1
    cursor = nextCursor
  } while (cursor !== undefined)
  return { results, calls }
}

/** The p99 of chats, alone and during some work, in alternating rounds. */
async function compareChats(side: Side, work: () => Promise<unknown>) {
  const alone: Measured[] = []
  const beside: Measured[] = []
  for (let round = 0; round <= rounds; round++) {
    const quiet = await putTalk(side.parley, { users, durationMs: sliceMs })
    let isDone = false
    const working = (async () => {
      while (!isDone) await Promise.all([work(), sleep(200)])
    })()
    const busy = await putTalk(side.parley, { users, durationMs: sliceMs })
    isDone = true
    await working
    // The first round warms both up.
    if (round === 0) continue
    alone.push(quiet)
    beside.push(busy)
  }
  const p99 = (all: readonly Measured[]) => median(all.map(({ p99Ms }) => p99Ms))
  const ratio = median(beside.map(({ p99Ms }, index) => p99Ms / (alone[index]?.p99Ms ?? 0)))
  return { "p99 alone": p99(alone), "p99 beside": p99(beside), ratio: Number(ratio.toFixed(2)) }
}
