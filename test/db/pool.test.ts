/** The pool when there is too much to do, when the server is silent, and behind poolers. */
import { sql } from "kysely"
import { afterAll, expect, test, vi } from "vitest"
import { type OpenOptions, openDatabase } from "../../src/db/connection/openDatabase.ts"
import { retryAfterOf } from "../../src/lib/errors.ts"
import { userParty } from "../../src/lib/party.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { openGate } from "../support/gate.ts"
import { openLatch } from "../support/waiting.ts"

const url = await testDatabaseUrl("empty")

async function opened(options: OpenOptions) {
  const database = await openDatabase({ url, ...options })
  afterAll(() => database.close())
  return database
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const refusal = describeRefusal(error)
  return { status: refusal.status, retryAfter: retryAfterOf(refusal) }
}

/** Longer than a first connection takes on a machine that is busy with other work; passes at once. */
const waitMs = 10_000

/** After which the pool gives a connection up. */
const connectMs = 15_000

/** Begins some work, and lets it wait. */
async function afterWaiting<Work>(ms: number, begin: () => Work): Promise<{ begun: Work }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const begun = begin()
  await vi.advanceTimersByTimeAsync(ms)
  vi.useRealTimers()
  return { begun }
}

test("a caller that waits too long for a connection gets a 503, and the next one is served", async () => {
  const { pool } = await opened({ poolSize: 1, waitMs })
  const held = await pool.connect()
  const { begun } = await afterWaiting(waitMs, () => refusalOf(pool.query("select 1")))
  expect(await begun).toEqual({ status: 503, retryAfter: 1 })
  held.release()
  expect((await pool.query("select 2 as n")).rows).toEqual([{ n: 2 }])
  expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0])
})

test("a caller that was refused is no concern of the pool when it gives up on a connection, too", async () => {
  const { pool } = await opened({ poolSize: 1, waitMs })
  const held = await pool.connect()
  const thrown: unknown[] = []
  const note = (error: unknown) => thrown.push(error)
  process.on("unhandledRejection", note)
  const { begun } = await afterWaiting(connectMs, () => refusalOf(pool.query("select 1")))
  expect(await begun).toMatchObject({ status: 503 })
  held.release()
  expect((await pool.query("select 2 as n")).rows).toEqual([{ n: 2 }])
  process.off("unhandledRejection", note)
  expect(thrown).toEqual([])
})

test("the queue for connections is bounded: further ones are refused at once", async () => {
  // Longer than this test may take.
  const { pool } = await opened({ poolSize: 1, waitMs: 600_000 })
  const held = await pool.connect()
  const waiting = Array.from({ length: 100 }, () => pool.query("select 1"))
  const refusal = await refusalOf(pool.query("select 1"))
  expect(refusal).toEqual({ status: 503, retryAfter: 1 })
  held.release()
  await Promise.all(waiting)
})

test("a connection that breaks while it is lent fails what is asked of it, and nothing else", async () => {
  const { pool, kysely } = await opened({ poolSize: 1 })
  const other = await opened({ poolSize: 1 })
  const broken = openLatch()
  pool.once("connect", (client) => client.once("end", broken.open))
  const thrown: unknown[] = []
  const note = (error: unknown) => thrown.push(error)
  process.on("uncaughtException", note)
  const ask = sql<{ pid: number }>`select pg_backend_pid() as pid`
  await kysely.connection().execute(async (connection) => {
    const { rows } = await ask.execute(connection)
    await other.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid])
    // It breaks while nobody asks anything of it.
    await broken.isOpen
    await expect(ask.execute(connection)).rejects.toThrow()
  })
  expect((await pool.query("select 1 as n")).rows).toEqual([{ n: 1 }])
  process.off("uncaughtException", note)
  expect(thrown).toEqual([])
})

test("connections for other work wait as long as they must", async () => {
  const main = await opened({ poolSize: 1, waitMs })
  const other = main.beside({ poolSize: 1 })
  const held = [await main.pool.connect(), await other.pool.connect()]
  const refused = () => refusalOf(main.pool.query("select 1"))
  const waiting = async () => (await other.pool.query("select 1 as n")).rows
  const { begun } = await afterWaiting(waitMs, () => [refused(), waiting()] as const)
  expect(await begun[0]).toMatchObject({ status: 503 })
  for (const connection of held) connection.release()
  expect(await begun[1]).toEqual([{ n: 1 }])
  await other.close()
})

test("a pooler that knows no time limits for statements is talked to without", async () => {
  const gate = await openGate(url)
  afterAll(() => gate.close())
  gate.refused.add("statement_timeout")
  const { pool } = await opened({ url: gate.url, poolSize: 2, prepare: false })
  const { rows } = await pool.query("show statement_timeout")
  expect(rows).toEqual([{ statement_timeout: "0" }])
  const all = await Promise.all([pool.connect(), pool.connect()])
  for (const connection of all) connection.release()
  expect(gate.passed).toBe(2)
})

test("a pooler that refuses it of several connections at once gets them all without", async () => {
  const gate = await openGate(url)
  afterAll(() => gate.close())
  gate.refused.add("statement_timeout")
  const { pool } = await opened({ url: gate.url, poolSize: 4, prepare: false })
  const all = await Promise.all([1, 2, 3, 4].map(() => pool.connect()))
  for (const connection of all) connection.release()
  expect(gate.passed).toBe(4)
})

test("a server that falls silent costs a 503, and its connections are not used again", async () => {
  const gate = await openGate(url)
  afterAll(() => gate.close())
  const { pool, kysely } = await opened({ url: gate.url, poolSize: 1, statementTimeoutMs: 50 })
  await pool.query("select 1")
  gate.isOpen = false
  const query = kysely.selectNoFrom((eb) => eb.lit(1).as("n"))
  expect(await refusalOf(query.execute())).toMatchObject({ status: 503 })
  gate.isOpen = true
  expect(await query.execute()).toEqual([{ n: 1 }])
  expect(gate.passed).toBe(2)
})

test("a server that falls silent is no longer asked on any of its connections", async () => {
  const gate = await openGate(url)
  afterAll(() => gate.close())
  const options = { url: gate.url, poolSize: 2, prepare: false, statementTimeoutMs: 50 }
  const { pool, kysely } = await opened(options)
  const both = await Promise.all([pool.connect(), pool.connect()])
  for (const connection of both) connection.release()
  gate.isOpen = false
  const query = kysely.selectNoFrom((eb) => eb.lit(1).as("n"))
  expect(await refusalOf(query.execute())).toMatchObject({ status: 503 })
  gate.isOpen = true
  await Promise.all([query.execute(), query.execute()])
  expect(gate.passed).toBe(4)
})

test("a transaction is over once its server has fallen silent: no rollback waits for it", async () => {
  const gate = await openGate(url)
  afterAll(() => gate.close())
  const { kysely } = await opened({ url: gate.url, poolSize: 1, statementTimeoutMs: 50 })
  const asked: string[] = []
  const transaction = kysely.transaction().execute(async (open) => {
    gate.isOpen = false
    const failure = await refusalOf(sql`select 1`.execute(open))
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    asked.push(String(failure.status))
    throw new Error("The work is given up")
  })
  // Nothing that waits for time can end it any more.
  await expect(transaction).rejects.toThrow()
  vi.useRealTimers()
  expect(asked).toEqual(["503"])
})

test("a pooler that mixes prepared statements up costs nothing but their speed", async () => {
  const told: string[] = []
  const database = await opened({ poolSize: 1, onError: ({ message }) => told.push(message) })
  const statement = { name: "find_number", text: "select $1::int + 1 as n" }
  expect(await database.run(statement, [1])).toEqual([{ n: 2 }])
  // What another process sees that is lent this connection: the name is taken, or not there.
  await database.pool.query("deallocate all")
  expect(await database.run(statement, [2])).toEqual([{ n: 3 }])
  expect(told).toEqual(["The pooler mixes up prepared statements: going on without them"])
  await database.pool.query("prepare find_number as select 0")
  expect(await database.run(statement, [3])).toEqual([{ n: 4 }])
  expect(told).toHaveLength(1)
})

test("statements of one caller leave a connection to another", async () => {
  const { kyselyOf } = await opened({ poolSize: 4, prepare: false, waitMs })
  const beside = await opened({ poolSize: 1 })
  const lock = 4711
  await beside.kysely.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(${lock})`.execute(holder)
    const greedy = kyselyOf(userParty("greedy"))
    const waiting = Array.from({ length: 20 }, () =>
      sql`select pg_advisory_lock(${lock}), pg_advisory_unlock(${lock})`.execute(greedy),
    )
    const { rows } = await sql`select 1 as n`.execute(kyselyOf(userParty("other")))
    expect(rows).toEqual([{ n: 1 }])
    await sql`select pg_advisory_unlock(${lock})`.execute(holder)
    await Promise.all(waiting)
  })
})

test("a caller whose turn does not come gets a 503, and what they held goes to the next one", async () => {
  const { kyselyOf } = await opened({ poolSize: 1, prepare: false, waitMs })
  const mine = kyselyOf(userParty("mine"))
  const { begun } = await mine
    .connection()
    .execute(() =>
      afterWaiting(waitMs, () => refusalOf(sql`select 1`.execute(kyselyOf(userParty("other"))))),
    )
  expect(await begun).toEqual({ status: 503, retryAfter: 1 })
  expect((await sql`select 2 as n`.execute(mine)).rows).toEqual([{ n: 2 }])
})

test("a caller whose connection fails gives its turn back", async () => {
  const closed = "postgres://postgres@127.0.0.1:1/none"
  const { kyselyOf } = await opened({ url: closed, poolSize: 1, prepare: false, waitMs })
  for (let time = 0; time < 3; time++) {
    const failure = sql`select 1`.execute(kyselyOf(userParty("mine")))
    await expect(failure).rejects.toThrow("ECONNREFUSED")
  }
})
