/** Hot statements on pipelined connections: one statement never holds up the others for long. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { failureOf } from "../../src/db/connection/failures.ts"
import { type OpenDatabase, type OpenOptions, openDatabase } from "../../src/db/connection/open.ts"
import type { Statement } from "../../src/db/connection/pipelines.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { type Gate, openGate } from "../support/gate.ts"

const url = await testDatabaseUrl("empty")
// Watches the connections under test, and gets in their way.
const observer = await openDatabase({ url, poolSize: 3, prepare: false })
afterAll(() => observer.close())
await observer.pool.query("create table counters (id text primary key, n int not null)")

const who: Statement = { name: "who", text: "select pg_backend_pid() as pid" }
const add: Statement = {
  name: "add",
  text: `update counters set n = n + 1 where id = $1
    returning n, pg_current_xact_id()::text as "transaction", pg_backend_pid() as pid`,
}
const pause: Statement = { name: "pause", text: "select pg_sleep($1), pg_backend_pid() as pid" }

type Added = { n: number; transaction: string; pid: number }

let told: string[] = []
const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  told = []
  await observer.pool.query("truncate counters")
  await observer.pool.query("insert into counters values ('a', 0), ('b', 0), ('c', 0)")
})

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(options: OpenOptions): Promise<OpenDatabase> {
  const db = await openDatabase({ url, onError: ({ message }) => told.push(message), ...options })
  closers.push(() => db.close())
  return db
}

/** A database with so many open pipelines; half of its connections may be. */
async function openPipelined(pipelines: number, options: OpenOptions = {}): Promise<OpenDatabase> {
  const db = await open({ poolSize: 2 * pipelines, ...options })
  await untilOpen(db, pipelines)
  return db
}

async function openClosableGate(): Promise<Gate> {
  const gate = await openGate(url)
  closers.push(gate.close)
  return gate
}

/** The pool serves until then, and each statement that finds no free pipeline has one opened. */
function untilOpen(db: OpenDatabase, pipelines: number): Promise<void> {
  const askForAll = async () => {
    await Promise.all(Array.from({ length: pipelines }, () => db.run(who, [])))
    expect(db.pipelines.connections).toEqual({ idle: pipelines, busy: 0 })
  }
  return vi.waitFor(askForAll, { timeout: 10_000, interval: 10 })
}

async function pidOf(db: OpenDatabase): Promise<number> {
  const [row] = await db.run<{ pid: number }>(who, [])
  return row?.pid ?? 0
}

async function added(db: OpenDatabase, id: string): Promise<Added | undefined> {
  const [row] = await db.run<Added>(add, [id])
  return row
}

async function counters(): Promise<number[]> {
  const { rows } = await observer.pool.query("select n from counters order by id")
  return rows.map(({ n }) => n)
}

/** Takes a lock and keeps it as an unfinished transaction does; returns what ends that. */
async function hold(lock: string): Promise<() => Promise<void>> {
  const holder = await observer.pool.connect()
  await holder.query("begin")
  await holder.query(lock)
  return async () => {
    await holder.query("commit")
    holder.release()
  }
}

/** Waits until a connection other than this one waits for a lock. */
function untilAnotherWaits(pid: number): Promise<void> {
  const look = async () => {
    const { rowCount } = await observer.pool.query(
      `select from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database() and pid <> $1`,
      [pid],
    )
    expect(rowCount).toBe(1)
  }
  return vi.waitFor(look, { timeout: 10_000, interval: 10 })
}

/** Ends a connection from the server's side, and waits until it is gone. */
const terminate = (pid: number) =>
  observer.pool.query("select pg_terminate_backend($1, 5000)", [pid])

describe("statements", () => {
  test("that are sent together share a connection, but no transaction", async () => {
    const db = await openPipelined(1)
    const rows = await Promise.all(["a", "b", "c"].map((id) => added(db, id)))
    expect(new Set(rows.map((row) => row?.pid))).toEqual(new Set([await pidOf(db)]))
    expect(new Set(rows.map((row) => row?.transaction)).size).toBe(3)
  })

  test("that fail leave those before and after them alone", async () => {
    const db = await openPipelined(1)
    const divide: Statement = { name: "divide", text: "select 1 / $1::int as share" }
    const outcomes = await Promise.allSettled([
      added(db, "a"),
      db.run(divide, [0]),
      db.run(divide, [1]),
      added(db, "b"),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ])
    expect(outcomes[1]).toMatchObject({ reason: { code: "22012" } })
    expect(await counters()).toEqual([1, 1, 0])
  })

  test("go to the connection with the fewest that are unanswered", async () => {
    const db = await openPipelined(2)
    const slow = db.run<{ pid: number }>(pause, [0.5])
    const others: number[] = []
    for (let turn = 0; turn < 5; turn++) others.push(await pidOf(db))
    expect(db.pipelines.connections).toEqual({ idle: 1, busy: 1 })
    expect(new Set(others).size).toBe(1)
    expect(others).not.toContain((await slow)[0]?.pid)
  })

  test("return their values in their types", async () => {
    const db = await openPipelined(1)
    const statement: Statement = {
      name: "types",
      text: `select $1::text as text, $2::int as int, $3::bigint as big, $4::boolean as flag,
        $5::bytea as bytes, $6::timestamptz as moment, $7::text as nothing, $8::text[] as texts,
        '{"a":1}'::jsonb as json, date '2026-01-02' as day`,
    }
    const moment = new Date("2026-01-02T03:04:05.678Z")
    const bytes = Buffer.from([0, 255])
    const texts = ['a"b', "c\\d", "e,f", "{g}", "", "NULL"]
    const row = { text: "a'b\n", int: -1, big: 2 ** 40, flag: true, bytes, moment, nothing: null }
    const found = await db.run(statement, [...Object.values(row), texts])
    expect(found).toEqual([{ ...row, texts, json: { a: 1 }, day: "2026-01-02" }])
  })
})

describe("a statement that takes long does not hold up those behind it:", () => {
  test("one that waits for a row goes to wait in the pool, and is carried out once", async () => {
    const db = await openPipelined(1)
    const pipeline = await pidOf(db)
    const letGo = await hold("select from counters where id = 'a' for update")
    const waiting = added(db, "a")
    expect((await added(db, "b"))?.pid).toBe(pipeline)
    await untilAnotherWaits(pipeline)
    expect((await added(db, "c"))?.pid).toBe(pipeline)
    await letGo()
    expect((await waiting)?.pid).not.toBe(pipeline)
    expect(await counters()).toEqual([1, 1, 1])
  })

  test("one that runs for more than a second starts again in the pool", async () => {
    const db = await openPipelined(1)
    const pipeline = await pidOf(db)
    let isOver = false
    const slow = db.run<{ pid: number }>(pause, [1.2]).finally(() => {
      isOver = true
    })
    expect(await pidOf(db)).toBe(pipeline)
    expect(isOver).toBe(false)
    expect((await slow)[0]?.pid).not.toBe(pipeline)
  })

  test("one that is too slow for the pool as well is ended", async () => {
    const db = await openPipelined(1, { statementTimeoutMs: 200 })
    await expect(db.run(pause, [5])).rejects.toMatchObject({ code: "57014" })
  })
})

test("when pipelines and pool are full, a 503 comes in time and nothing is carried out", async () => {
  const db = await openPipelined(1, { waitMs: 100 })
  const held = await db.pool.connect()
  const full = [db.run(pause, [0.9]), ...Array.from({ length: 15 }, () => db.run(who, []))]
  const refused: unknown = await added(db, "a").catch((error: unknown) => error)
  expect(describeRefusal(refused)).toMatchObject({ status: 503, retryAfterSeconds: 1 })
  held.release()
  await Promise.all(full)
  expect(await counters()).toEqual([0, 0, 0])
})

describe("a connection that breaks", () => {
  test("rejects what it had not answered, which is not repeated, and is replaced", async () => {
    const db = await openPipelined(1)
    const pipeline = await pidOf(db)
    const pending = Promise.allSettled([db.run(pause, [0.9]), added(db, "a"), added(db, "b")])
    await terminate(pipeline)
    for (const outcome of await pending) {
      expect(outcome.status).toBe("rejected")
      if (outcome.status === "rejected") expect(failureOf(outcome.reason)).toBe("lost")
    }
    expect(await counters()).toEqual([0, 0, 0])
    expect((await added(db, "a"))?.n).toBe(1)
    await untilOpen(db, 1)
    expect(await pidOf(db)).not.toBe(pipeline)
    expect(told).toEqual([])
  })

  test("is reported and replaced when it was idle", async () => {
    const db = await openPipelined(1)
    const pipeline = await pidOf(db)
    await terminate(pipeline)
    await vi.waitFor(() => expect(told.join()).toMatch(/terminat/))
    expect(told).toHaveLength(1)
    await untilOpen(db, 1)
    expect(await pidOf(db)).not.toBe(pipeline)
  })

  test("without a word rejects everything after the longest time that a statement may take", async () => {
    const gate = await openClosableGate()
    const db = await openPipelined(1, { url: gate.url, statementTimeoutMs: 50 })
    gate.isOpen = false
    const outcomes = await Promise.allSettled([pidOf(db), pidOf(db)])
    for (const outcome of outcomes) expect(outcome.status).toBe("rejected")
    gate.isOpen = true
    expect(await pidOf(db)).toBeGreaterThan(0)
  })
})

test("connections to a server that takes no writes any more are replaced", async () => {
  const name = new URL(url).pathname.slice(1)
  await observer.pool.query(`alter database ${name} set default_transaction_read_only = on`)
  const db = await openPipelined(1)
  const pipeline = await pidOf(db)
  await observer.pool.query(`alter database ${name} reset default_transaction_read_only`)
  await expect(added(db, "a")).rejects.toMatchObject({ code: "25006" })
  expect((await added(db, "a"))?.n).toBe(1)
  await untilOpen(db, 1)
  expect((await added(db, "a"))?.pid).not.toBe(pipeline)
})

describe("a statement whose name the server's connection", () => {
  test.each([
    ["does not know", "deallocate all"],
    ["knows as another one", "prepare add as select 0"],
  ])("%s runs in the pool, and the pipeline is replaced", async (_, mixUp) => {
    const db = await openPipelined(1)
    if (mixUp === "deallocate all") await added(db, "b")
    await db.run({ name: "mix_up", text: mixUp }, [])
    expect((await added(db, "a"))?.n).toBe(1)
    expect(db.pipelines.connections).toEqual({ idle: 0, busy: 0 })
    await untilOpen(db, 1)
    expect((await added(db, "a"))?.n).toBe(2)
    expect(told).toEqual([])
  })

  test("does not know because the first one could not be planned is not the pooler's fault", async () => {
    const db = await openPipelined(1)
    const pipeline = await pidOf(db)
    const letGo = await hold("lock counters in access exclusive mode")
    const all = Promise.all(["a", "b", "c"].map((id) => added(db, id)))
    await untilAnotherWaits(pipeline)
    await letGo()
    expect((await all).map((row) => row?.n)).toEqual([1, 1, 1])
    expect(told).toEqual([])
    await untilOpen(db, 1)
  })

  test("does not know in the pool either has statements go on unprepared, in the pool alone", async () => {
    const db = await openPipelined(1)
    await pidOf(db)
    await db.run({ name: "forget", text: "deallocate all" }, [])
    await db.pool.query("deallocate all")
    for (let turn = 0; turn < 3; turn++) expect(await pidOf(db)).toBeGreaterThan(0)
    expect(told).toEqual(["The pooler mixes up prepared statements: going on without them"])
    expect(db.pipelines.connections).toEqual({ idle: 0, busy: 0 })
    await Promise.all([db.run(pause, [0.1]), db.run(pause, [0.1])])
    expect(db.pool.totalCount).toBe(2)
  })
})

describe("the pool serves alone, with all connections,", () => {
  const inAll = async (db: OpenDatabase) => {
    await Promise.all(Array.from({ length: 12 }, () => db.run(pause, [0.05])))
    return { pool: db.pool.totalCount, pipelines: db.pipelines.connections }
  }
  const alone = { pool: 4, pipelines: { idle: 0, busy: 0 } }

  test("when statements must not be prepared", async () => {
    const db = await open({ poolSize: 4, prepare: false })
    expect(await inAll(db)).toEqual(alone)
  })

  test.each([
    "refuses",
    "ignores",
  ])("behind a pooler that %s limits on waiting for locks", async (how) => {
    const gate = await openClosableGate()
    if (how === "refuses") gate.refused.add("lock_timeout")
    const address = how === "refuses" ? gate.url : `${url}?lock_timeout=0`
    const db = await open({ url: address, poolSize: 4 })
    await vi.waitFor(async () => expect(await inAll(db)).toEqual(alone))
  })
})

describe("pipelines and pool together", () => {
  test.each([
    [1, 0],
    [2, 1],
    [3, 1],
    [12, 4],
  ])("have %i connections, %i of them pipelines", async (poolSize, pipelines) => {
    const gate = await openClosableGate()
    const db = await open({ url: gate.url, poolSize })
    await untilOpen(db, pipelines)
    await Promise.all(
      Array.from({ length: 15 }, () => [
        db.run(pause, [0.05]),
        db.pool.query("select pg_sleep(0.03)"),
      ]).flat(),
    )
    expect(db.pipelines.connections).toEqual({ idle: pipelines, busy: 0 })
    expect(gate.passed).toBe(poolSize)
  })

  test("end when what was sent is answered", async () => {
    const db = await openDatabase({ url, poolSize: 2 })
    await untilOpen(db, 1)
    const pipeline = await pidOf(db)
    const pending = Promise.all([db.run(pause, [0.3]), added(db, "a")])
    await db.close()
    expect((await pending)[1]).toMatchObject({ n: 1, pid: pipeline })
    const look = async () => {
      const { rowCount } = await observer.pool.query(
        "select from pg_stat_activity where pid = $1",
        [pipeline],
      )
      expect(rowCount).toBe(0)
    }
    await vi.waitFor(look)
  })
})

test("a pipeline that nobody used for a minute is closed", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  closers.push(async () => {
    vi.useRealTimers()
  })
  const db = await openPipelined(1)
  vi.advanceTimersByTime(60_000)
  expect(db.pipelines.connections).toEqual({ idle: 1, busy: 0 })
  vi.advanceTimersByTime(60_000)
  expect(db.pipelines.connections).toEqual({ idle: 0, busy: 0 })
  vi.useRealTimers()
  await untilOpen(db, 1)
})
