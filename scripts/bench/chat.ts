/** Chats over REST and tRPC beside their floor: a bare server that sends the same two statements. */
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findRunnableStatement } from "../../src/db/chats/runnable.ts"
import { findSessionStatement, saveTurnStatement } from "../../src/db/chats/sessions.ts"
import { openDatabase } from "../../src/db/connection/open.ts"
import { resultIdOfSession } from "../../src/ids.ts"
import { startEmbedded } from "../../src/postgres/start.ts"
import { echoFlow, importAndPublish } from "./bots.ts"
import type { Answer, ChatFloorArgument } from "./floors/chat.ts"
import { type Load, type Measured, median, putLoad, residentMbOf } from "./load.ts"
import { type Started, startFloor, startParley, stopProcess } from "./processes.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const durationMs = Number(process.env.BENCH_MS ?? 3_000)
/** Measures only the scenarios whose name holds this text; absent: all. */
const only = process.env.BENCH_ONLY ?? ""
const poolSize = 10

/** What a bench hands to its rows: both servers, ready. */
type Bench = { parley: Started; floor: Started; sessions: Map<number, string[]> }

type Scenario = {
  name: string
  users: number
  makeUser(bench: Bench, kind: Kind): Load["makeUser"]
}

type Kind = "parley" | "floor"

const hello = { message: "hello" }

/** Prints a table; the raw figures as JSON after it. */
export async function run(): Promise<void> {
  await withChatServers(async (bench) => {
    const figures = []
    const wanted = chatScenarios().filter(({ name }) => name.includes(only))
    for (const scenario of wanted) figures.push(await compare(bench, scenario))
    console.table(figures.map(({ raw, ...row }) => row))
    console.log(
      `Resident memory of the server process: ${(await residentMbOf(bench.parley.pid)).toFixed(0)} MB`,
    )
    console.log(JSON.stringify({ rounds, durationMs, figures }))
  })
}

/** Starts a database and both servers on it, and stops them when the work is done. */
export async function withChatServers(work: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
  const server = await startEmbedded({ dataFolder: folder })
  const bench = await open(server.url)
  try {
    await work(bench)
  } finally {
    await Promise.all([stopProcess(bench.parley), stopProcess(bench.floor)])
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What is measured: calls by so many users at a time. */
export function chatScenarios(): Scenario[] {
  const onContinue = (users: number, blocks: number): Scenario => ({
    name: `continueChat, ${blocks} blocks, ${users} users`,
    users,
    makeUser: (bench, kind) => (index) => {
      const id = bench.sessions.get(blocks)?.[index] ?? ""
      const path =
        kind === "parley"
          ? `/api/v1/sessions/${id}/continueChat`
          : `/${resultIdOfSession(id)}/${id}f`
      const asked = { path, body: hello }
      return { first: () => asked, next: () => asked }
    },
  })
  const onStart = (users: number): Scenario => ({
    name: `startChat, ${users} users`,
    users,
    makeUser: (_, kind) => () => ({
      first: () => ({
        path: kind === "parley" ? "/api/v1/bots/bench-3/startChat" : `/${randomUUID()}/start`,
        body: {},
      }),
      next: () => undefined,
    }),
  })
  const onRpc = (users: number): Scenario => ({
    name: `continueChat over tRPC, ${users} users`,
    users,
    makeUser: (bench, kind) => (index) => {
      const sessionId = bench.sessions.get(3)?.[index] ?? ""
      const asked =
        kind === "parley"
          ? { path: "/api/trpc/chat.continue", body: { json: { sessionId, ...hello } } }
          : { path: `/${resultIdOfSession(sessionId)}/${sessionId}f`, body: hello }
      return { first: () => asked, next: () => asked }
    },
  })
  return [
    ...[1, 16, 64].map((users) => onContinue(users, 3)),
    onContinue(16, 200),
    onContinue(16, 5_000),
    ...[16, 64].map(onStart),
    onRpc(16),
  ]
}

async function compare(bench: Bench, scenario: Scenario) {
  const results: Record<Kind, Measured[]> = { parley: [], floor: [] }
  const { users } = scenario
  for (let round = 0; round <= rounds; round++) {
    const order = ["parley", "floor"] as const
    for (const kind of round % 2 === 0 ? order : order.toReversed()) {
      const { address, pid } = bench[kind]
      const makeUser = scenario.makeUser(bench, kind)
      const measured = await putLoad({ address, pid, users, durationMs, makeUser })
      if (measured.errors > 0) throw new Error(`${scenario.name}: ${measured.errors} errors`)
      // The first round warms both up.
      if (round > 0) results[kind].push(measured)
    }
  }
  const middle = (kind: Kind, pick: (measured: Measured) => number) =>
    median(results[kind].map(pick))
  const ratio = (pick: (measured: Measured) => number) => {
    const pairs = results.parley.map((own, index) => pick(own) / pick(results.floor[index] ?? own))
    return Number(median(pairs).toFixed(2))
  }
  return {
    scenario: scenario.name,
    "req/s": Math.round(middle("parley", (each) => each.requestsPerSecond)),
    "floor req/s": Math.round(middle("floor", (each) => each.requestsPerSecond)),
    "of floor": ratio((each) => each.requestsPerSecond),
    "p99 ms": Number(middle("parley", (each) => each.p99Ms).toFixed(1)),
    "p99 x floor": ratio((each) => each.p99Ms),
    "CPU us": Math.round(middle("parley", (each) => each.cpuMicros)),
    "CPU x floor": ratio((each) => each.cpuMicros),
    raw: results,
  }
}

/** Starts both servers, publishes the bots and opens the sessions. */
async function open(url: string): Promise<Bench> {
  const parley = await startParley({
    DATABASE_URL: url,
    PARLEY_DB_POOL_SIZE: String(poolSize),
  })
  const sessions = new Map<number, string[]>()
  const answers: Partial<ChatFloorArgument["answers"]> = {}
  for (const blocks of [3, 200, 5_000]) {
    const publicId = `bench-${blocks}`
    await importAndPublish(parley, publicId, echoFlow(blocks))
    const own: string[] = []
    for (let index = 0; index < 64; index++) {
      const started = await send(parley.address, `/api/v1/bots/${publicId}/startChat`)
      own.push(String(JSON.parse(started.body).sessionId))
      answers.start ??= started
      const path = `/api/v1/sessions/${own[index]}/continueChat`
      answers.message = await send(parley.address, path, hello)
    }
    sessions.set(blocks, own)
  }
  const { start, message } = answers
  if (!start || !message) throw new Error("No chat was answered")
  const argument = await floorArgument(url, sessions, { start, message })
  const floor = await startFloor("chat.ts", argument)
  return { parley, floor, sessions }
}

/** Copies of the real sessions, so that the floor reads and writes rows of the same size. */
async function floorArgument(
  url: string,
  sessions: ReadonlyMap<number, string[]>,
  answers: ChatFloorArgument["answers"],
): Promise<ChatFloorArgument> {
  const db = await openDatabase({ url })
  const ids = [...sessions.values()].flat()
  await db.pool.query(
    `insert into chat_sessions (result_id, id, bot_id, version_id, state)
     select result_id, id || 'f', bot_id, version_id, state from chat_sessions where id = any($1)`,
    [ids],
  )
  const session = await db.pool.query("select * from chat_sessions where id = $1", [
    sessions.get(3)?.[0],
  ])
  const result = await db.pool.query("select * from results where result_id = $1", [
    session.rows[0].result_id,
  ])
  await db.close()
  const { bot_id: botId, version_id: versionId, state } = session.rows[0]
  const opened = { variables: [], hasStarted: false, isCompleted: false }
  const startRows = { botId, versionId, result: opened }
  const rows = {
    botId,
    versionId,
    result: { variables: result.rows[0].variables, hasStarted: true, isCompleted: false },
    answers: [{ idx: "INDEX", blockId: "ask", content: "hello" }],
  }
  return {
    url,
    poolSize,
    read: findSessionStatement,
    start: { ...findRunnableStatement, values: ["bench-3"] },
    write: saveTurnStatement,
    values: { state, rows: JSON.stringify(rows), startRows: JSON.stringify(startRows) },
    answers,
  }
}

// Node writes these by itself, or they belong to one connection.
const ownHeaders = new Set(["date", "connection", "keep-alive", "transfer-encoding"])

async function send(address: string, path: string, body: object = {}): Promise<Answer> {
  const headers = { "content-type": "application/json" }
  const response = await fetch(address + path, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${text}`)
  const sent = [...response.headers].filter(([name]) => !ownHeaders.has(name))
  return { headers: Object.fromEntries(sent), body: text }
}
