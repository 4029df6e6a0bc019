/**
 * Numbers over a million results and five million answers: analytics of 30 days, counted now and ahead,
 * the forgetting of one person, and what chats notice of both.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openDatabase } from "../../src/db/connection/open.ts"
import { countAnalyticsJob } from "../../src/jobs/countAnalytics.ts"
import { startEmbedded } from "../../src/postgres/start.ts"
import { fill } from "../../test/support/fill.ts"
import { runJob } from "../../test/support/jobs.ts"
import { threeQuestionFlow } from "../../test/support/threeQuestions.ts"
import { compareChats } from "./beside.ts"
import { importAndPublish } from "./bots.ts"
import { type Started, startParley, stopProcess } from "./processes.ts"
import { query } from "./query.ts"
import { publicId } from "./talker.ts"

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
    const chats = { parley, users, rounds, sliceMs }
    const chatsLive = await compareChats(chats, (signal) => analytics(side, signal))
    const ahead = await measureAhead(side)
    const chatsAhead = await compareChats(chats, (signal) => analytics(side, signal))
    const search = await measureErasure(side, { value: person, dryRun: true })
    const nobody = { value: "nobody" }
    const chatsErasing = await compareChats(chats, (signal) => erase(side, nobody, signal))
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
  const startedAt = performance.now()
  await analytics(side)
  return { what: `analytics of 30 days, ${how}`, ms: Math.round(performance.now() - startedAt) }
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
  const ms = Math.round(performance.now() - startedAt)
  return {
    what: body.dryRun ? "search for a person" : "erasure of a person",
    ms,
    results,
    calls,
  }
}

async function analytics({ parley, botId }: Side, signal?: AbortSignal): Promise<void> {
  const path = `/api/v1/bots/${botId}/analytics?timeFilter=last30Days`
  const headers = { authorization: `Bearer ${parley.token}` }
  const response = await fetch(parley.address + path, { headers, signal })
  if (response.status !== 200) throw new Error(await response.text())
  await response.arrayBuffer()
}

type Erased = { bots: { results: number }[]; nextCursor?: string }

async function erase({ parley, workspaceId }: Side, body: object, signal?: AbortSignal) {
  let results = 0
  let calls = 0
  let cursor: string | undefined
  do {
    const response = await fetch(`${parley.address}/api/v1/workspaces/${workspaceId}/erase`, {
      method: "POST",
      headers: { authorization: `Bearer ${parley.token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...body, cursor }),
      signal,
    })
    if (response.status !== 200) throw new Error(await response.text())
    const { bots, nextCursor } = (await response.json()) as Erased
    results += bots.reduce((sum, each) => sum + each.results, 0)
    calls += 1
    cursor = nextCursor
  } while (cursor !== undefined)
  return { results, calls }
}
