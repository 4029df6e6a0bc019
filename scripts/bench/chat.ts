/** Chats over REST and tRPC beside their floor: a bare server that sends the same two statements. */
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { findRunnableStatement } from "../../src/db/chats/runnable.ts"
import { findSessionStatement, saveTurnStatement } from "../../src/db/chats/sessions.ts"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { resultIdOfSession } from "../../src/lib/ids.ts"
import { median } from "../drills/figures.ts"
import { megabytesOf, root } from "../drills/product.ts"
import { type Service, withService } from "../drills/stack.ts"
import { echoFlow, startChats } from "./echo.ts"
import type { Answer, ChatFloorArgument } from "./floors/chat.ts"
import { type Load, type Measured, putLoad } from "./load.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const durationMs = Number(process.env.BENCH_MS ?? 3_000)
/** Measures only the scenarios whose name holds this text; absent: all. */
const only = process.env.BENCH_ONLY ?? ""
const poolSize = 10
const maxUsers = 64

type Side = "parley" | "floor"
type Servers = Record<Side, { address: string; pid: number }>

/** The open sessions, by how many blocks their bot has. */
type Sessions = ReadonlyMap<number, readonly string[]>

/** Calls by so many users at a time. */
type Scenario = { name: string; users: number; requestOf: Record<Side, Load["requestOf"]> }

const hello = { message: "hello" }

/** Prints a table. */
export async function run(): Promise<void> {
  await withService(measure, { PARLEY_DB_POOL_SIZE: String(poolSize) })
}

async function measure(parley: Service): Promise<void> {
  const sessions = new Map<number, string[]>()
  for (const blocks of [3, 200, 5_000]) {
    const { publicId } = await parley.api.publish(echoFlow(blocks), `bench-${blocks}`)
    sessions.set(blocks, await startChats(parley, publicId, maxUsers))
  }
  const floor = await startFloor(await floorArgument(parley, sessions))
  try {
    const figures = []
    const wanted = scenariosOf(sessions).filter(({ name }) => name.includes(only))
    for (const scenario of wanted) figures.push(await compare({ parley, floor }, scenario))
    console.table(figures)
    console.log(`Resident memory of the server process: ${megabytesOf(parley.pid)} MB`)
  } finally {
    floor.child.kill()
  }
}

function scenariosOf(sessions: Sessions): Scenario[] {
  const sessionOf = (blocks: number, user: number) => sessions.get(blocks)?.[user] ?? ""
  const floorOf = (id: string) => ({
    path: `/${resultIdOfSession(id)}/${id}f`,
    body: JSON.stringify(hello),
  })
  const onContinue = (users: number, blocks: number): Scenario => ({
    name: `continueChat, ${blocks} blocks, ${users} users`,
    users,
    requestOf: {
      parley: (user) => ({
        path: `/api/v1/sessions/${sessionOf(blocks, user)}/continueChat`,
        body: JSON.stringify(hello),
      }),
      floor: (user) => floorOf(sessionOf(blocks, user)),
    },
  })
  const onStart = (users: number): Scenario => ({
    name: `startChat, ${users} users`,
    users,
    requestOf: {
      parley: () => ({ path: "/api/v1/bots/bench-3/startChat", body: "{}" }),
      floor: () => ({
        body: "{}",
        setupRequest: (request) => ({ ...request, path: `/${randomUUID()}/start` }),
      }),
    },
  })
  const onRpc = (users: number): Scenario => ({
    name: `continueChat over tRPC, ${users} users`,
    users,
    requestOf: {
      parley: (user) => ({
        path: "/api/trpc/chat.continue",
        body: JSON.stringify({ json: { sessionId: sessionOf(3, user), ...hello } }),
      }),
      floor: (user) => floorOf(sessionOf(3, user)),
    },
  })
  return [
    // One user last: V8 would still be compiling what one alone rarely runs.
    ...[16, maxUsers, 1].map((users) => onContinue(users, 3)),
    onContinue(16, 200),
    onContinue(16, 5_000),
    ...[16, maxUsers].map(onStart),
    onRpc(16),
  ]
}

/** Alternates between the sides, so that other work on the machine affects both alike. */
async function compare(servers: Servers, { name, users, requestOf }: Scenario) {
  const results: Record<Side, Measured[]> = { parley: [], floor: [] }
  for (let round = 0; round <= rounds; round++) {
    const order = ["parley", "floor"] as const
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const { address, pid } = servers[side]
      const load = { address, pid, users, durationMs, requestOf: requestOf[side] }
      const measured = await putLoad(load)
      // The first round warms both up.
      if (round > 0) results[side].push(measured)
    }
  }
  const middle = (side: Side, figure: keyof Measured) =>
    median(results[side].map((measured) => measured[figure]))
  const ratio = (figure: keyof Measured) => {
    const pairs = results.parley.map((own, at) => own[figure] / (results.floor[at] ?? own)[figure])
    return Number(median(pairs).toFixed(2))
  }
  return {
    scenario: name,
    "req/s": Math.round(middle("parley", "requestsPerSecond")),
    "floor req/s": Math.round(middle("floor", "requestsPerSecond")),
    "of floor": ratio("requestsPerSecond"),
    "p99 ms": Number(middle("parley", "p99Ms").toFixed(1)),
    "p99 x floor": ratio("p99Ms"),
    "CPU us": Math.round(middle("parley", "cpuMicros")),
    "CPU x floor": ratio("cpuMicros"),
  }
}

type Floor = Servers["floor"] & { child: ChildProcess }

/** Starts the floor; its address is all that it prints. */
async function startFloor(argument: ChatFloorArgument): Promise<Floor> {
  const words = ["--import", "tsx", "scripts/bench/floors/chat.ts", JSON.stringify(argument)]
  const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "inherit"] })
  process.once("exit", () => child.kill())
  const [printed] = await once(child.stdout, "data")
  return { child, pid: child.pid ?? 0, address: String(printed).trim() }
}

/** Copies the real sessions, so that the floor reads and writes rows of the same size. */
async function floorArgument(
  { address, databaseUrl: url }: Service,
  sessions: Sessions,
): Promise<ChatFloorArgument> {
  const [sessionId = ""] = sessions.get(3) ?? []
  const start = await send(address, "/api/v1/bots/bench-3/startChat", {})
  const ids = [...sessions.values()].flat()
  for (const id of ids) await send(address, `/api/v1/sessions/${id}/continueChat`, hello)
  const message = await send(address, `/api/v1/sessions/${sessionId}/continueChat`, hello)
  const pool = openConnectionPool({ url, size: 1, statementTimeoutMs: 0 })
  await pool.query(
    `insert into chat_sessions (result_id, id, bot_id, version_id, state)
     select result_id, id || 'f', bot_id, version_id, state from chat_sessions where id = any($1)`,
    [ids],
  )
  const { rows } = await pool.query(
    `select s.bot_id, s.version_id, s.state, r.variables, a.shown, o.shown as opening
     from chat_sessions s join results r using (result_id) join answers a using (result_id)
       join result_steps o using (result_id)
     where s.id = $1 and o.step = 0 limit 1`,
    [sessionId],
  )
  await pool.end()
  const { bot_id: botId, version_id: versionId, state, variables, shown, opening } = rows[0]
  const began = { variables: [], hasStarted: false, isCompleted: false }
  const step = { step: 0, shown: opening }
  const saved = {
    botId,
    versionId,
    result: { variables, hasStarted: true, isCompleted: false },
    answers: [{ idx: "INDEX", blockId: "ask", content: "hello", shown }],
  }
  return {
    url,
    poolSize,
    read: findSessionStatement,
    start: { ...findRunnableStatement, values: ["bench-3"] },
    write: saveTurnStatement,
    values: {
      state,
      rows: JSON.stringify(saved),
      startRows: JSON.stringify({ botId, versionId, result: began, step }),
    },
    answers: { start, message },
  }
}

// Node writes these by itself, or they belong to one connection.
const ownHeaders = new Set(["date", "connection", "keep-alive", "transfer-encoding"])

async function send(address: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${text}`)
  const sent = [...response.headers].filter(([name]) => !ownHeaders.has(name))
  return { headers: Object.fromEntries(sent), body: text }
}
