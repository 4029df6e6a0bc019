/**
 * Numbers over a million results and five million answers: analytics of 30 days, counted now and ahead, a
 * search of a bot's results that finds nothing, before and after their texts are copied, the erasure of one
 * person, and how much analytics and erasure slow chats down.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { fill } from "../../test/support/fill.ts"
import { runJob } from "../../test/support/jobs.ts"
import { threeQuestionFlow } from "../../test/support/threeQuestions.ts"
import { median } from "../drills/figures.ts"
import { type Service, withService } from "../drills/stack.ts"
import { echoFlow, startChats } from "./echo.ts"
import { type Measured, putLoad } from "./load.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const sliceMs = Number(process.env.BENCH_MS ?? 5_000)
const resultCount = Number(process.env.BENCH_RESULTS ?? 1_000_000)
const users = 16
const demandedP99 = 1.2
/** Between two pieces of work beside chats. */
const pauseMs = 200

type Side = {
  service: Service
  /** The bot with the results. */
  botId: string
  workspaceId: string
  /** Chats with another bot. */
  sessionIds: readonly string[]
}

/** Asks the service for something; called off by the signal. */
type Work = (signal?: AbortSignal) => Promise<unknown>

/** Prints two tables. */
export function run(): Promise<void> {
  return withService(measure)
}

async function measure(service: Service): Promise<void> {
  const { api } = service
  const { id: botId } = await api.publish(threeQuestionFlow)
  const { publicId } = await api.publish(echoFlow(3))
  const workspaceId = await api.workspaceId()
  // Before the chats: filling gives answers to every result that there is.
  const person = await fillUp(service, botId)
  const sessionIds = await startChats(service, publicId, users)
  const side = { service, botId, workspaceId, sessionIds }
  const analytics: Work = (signal) =>
    api.call("GET", `/bots/${botId}/analytics?timeFilter=last30Days`, undefined, signal)
  const results = await timed("search of results", () => searchResults(side))
  const live = await timed("analytics of 30 days, counted now", analytics)
  const chatsLive = await compareChats(side, analytics)
  const job = await runAhead(service, "count_analytics")
  const ahead = { ...(await timed("analytics of 30 days, counted ahead", analytics)), ...job }
  const copying = await runAhead(service, "copy_texts")
  const copies = { ...(await timed("search of copies", () => searchResults(side))), ...copying }
  const chatsAhead = await compareChats(side, analytics)
  const search = await timed("search for a person", () =>
    erase(side, { value: person, dryRun: true }),
  )
  const chatsErasing = await compareChats(side, (signal) =>
    erase(side, { value: "nobody" }, signal),
  )
  const erasure = await timed("erasure of a person", () => erase(side, { value: person }))
  const times = { results, copies, live, ahead, search, erasure }
  const p99 = { chatsLive, chatsAhead, chatsErasing }
  console.table(times)
  console.table(p99)
  const missed = Object.entries(p99).filter(([, { ratio }]) => ratio > demandedP99)
  const names = missed.map(([name]) => name).join(", ") || "none"
  console.log(`p99 of chats at most ${demandedP99} times; missed: ${names}`)
}

/** Fills the database; returns an answer that one person gave. */
async function fillUp({ databaseUrl: url }: Service, botId: string): Promise<string> {
  const startedAt = performance.now()
  const pool = openConnectionPool({ url, size: 1, statementTimeoutMs: 0 })
  await fill({ url, botId, results: resultCount })
  // The filled answers lack blocks.
  const block = threeQuestionFlow.groups[0]?.blocks.find(({ type }) => type.endsWith("input"))
  await pool.query("update answers set block_id = $1 where block_id = 'block0'", [block?.id])
  await pool.query(
    `update answers set content = 'Zoe@Example.com' where idx = 0 and result_id = (
      select result_id from results where bot_id = $1 and has_started
      order by result_id desc offset $2 limit 1)`,
    [botId, Math.floor(resultCount / 5)],
  )
  await pool.query("truncate result_texts, result_texts_until")
  await pool.query("vacuum (analyze) results, answers, chat_sessions")
  await pool.end()
  console.log(`Filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  return "zoe@example.com"
}

async function timed(what: string, work: Work) {
  const startedAt = performance.now()
  await work()
  return { what, ms: Math.round(performance.now() - startedAt) }
}

/** A job that makes requests quicker. */
async function runAhead({ databaseUrl: url }: Service, name: string) {
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: 0 })
  const startedAt = performance.now()
  const counts = await runJob(db, name).finally(() => db.close())
  return { ...counts, jobMs: Math.round(performance.now() - startedAt) }
}

/** All pages of a search that finds nothing. */
async function searchResults({ service, botId }: Side): Promise<void> {
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ search: "no such words", ...(cursor && { cursor }) })
    cursor = (await service.api.call("GET", `/bots/${botId}/results?${query}`)).nextCursor
  } while (cursor !== undefined)
}

async function erase(
  { service, workspaceId }: Side,
  person: { value: string; dryRun?: boolean },
  signal?: AbortSignal,
): Promise<void> {
  const path = `/workspaces/${workspaceId}/erase`
  let cursor: string | undefined
  do {
    const answer = await service.api.call("POST", path, { ...person, cursor }, signal)
    cursor = answer.nextCursor
  } while (cursor !== undefined)
}

/** The p99 of chats alone and beside work, which is begun again whenever it is done. */
async function compareChats({ service, sessionIds }: Side, work: Work) {
  const requestOf = (user: number) => ({
    path: `/api/v1/sessions/${sessionIds[user]}/continueChat`,
    body: JSON.stringify({ message: "hello" }),
  })
  const { address, pid } = service
  const talk = () => putLoad({ address, pid, users, durationMs: sliceMs, requestOf })
  const talkBeside = async () => {
    const end = new AbortController()
    const working = repeat(work, end.signal)
    const busy = await talk()
    end.abort()
    await working
    return busy
  }
  const alone: Measured[] = []
  const beside: Measured[] = []
  // They alternate, so that other work on the machine affects both alike.
  for (let round = 0; round < rounds; round++) {
    alone.push(await talk())
    beside.push(await talkBeside())
  }
  const p99 = (all: readonly Measured[]) => Number(median(all.map(({ p99Ms }) => p99Ms)).toFixed(1))
  const ratios = beside.map(({ p99Ms }, index) => p99Ms / (alone[index]?.p99Ms ?? 0))
  return {
    "p99 alone, ms": p99(alone),
    "p99 beside, ms": p99(beside),
    ratio: Number(median(ratios).toFixed(2)),
  }
}

async function repeat(work: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.all([work(signal), sleep(pauseMs)]).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}
