/**
 * Hot statements on pipelined connections: one statement never holds up the others for long, and the
 * pool takes over where pipelines cannot serve.
 */
import { describe, expect, test, vi } from "vitest"
import { failureOf } from "../../src/db/connection/databaseFailures.ts"
import type { Statement } from "../../src/db/connection/hotQuery.ts"
import type { OpenDatabase } from "../../src/db/connection/openDatabase.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import {
  added,
  closers,
  counters,
  hold,
  observer,
  open,
  openClosableGate,
  openPipelined,
  pause,
  pidOf,
  terminate,
  told,
  untilAnotherWaits,
  untilOpen,
  url,
  who,
} from "../support/pipelines.ts"
import { eventually } from "../support/waiting.ts"

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
    const db = await openPipelined(3)
    let isOver = false
    const slow = db.run<{ pid: number }>(pause, [0.5]).finally(() => {
      isOver = true
    })
    expect(db.pipelines.connections).toEqual({ idle: 2, busy: 1 })
    const others = [await pidOf(db)]
    for (;;) {
      const pid = await pidOf(db)
      if (isOver) break
      others.push(pid)
    }
    expect(new Set(others).size).toBe(1)
    expect(others).not.toContain((await slow)[0]?.pid)
  })

  test("that read share a connection, where no write is", async () => {
    const db = await openPipelined(3)
    const look: Statement = { ...who, name: "look", isRead: true }
    const reads = await Promise.all([1, 2, 3].map(() => db.run<{ pid: number }>(look, [])))
    const readers = new Set(reads.map(([row]) => row?.pid))
    expect(readers.size).toBe(1)
    const writes = await Promise.all(["a", "b", "c"].map((id) => added(db, id)))
    for (const write of writes) expect(readers).not.toContain(write?.pid)
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
    const values = [...Object.values(row), texts]
    const rows = [{ ...row, texts, json: { a: 1 }, day: "2026-01-02" }]
    // The first one that is sent has its result described, the next ones know it, none of them has
    // rows of another.
    expect(await db.run(statement, values)).toEqual(rows)
    const found = await Promise.all([db.run(statement, values), db.run(statement, values)])
    expect(found).toEqual([rows, rows])
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
  // A first connection may take longer than that on a busy machine.
  const held = await eventually(() => db.pool.connect())
  const full = [db.run(pause, [0.9]), ...Array.from({ length: 15 }, () => db.run(who, []))]
  const refused: unknown = await added(db, "a").catch((error: unknown) => error)
  expect(describeRefusal(refused)).toMatchObject({ status: 503, data: { retryAfter: 1 } })
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
    await eventually(() => expect(told.join()).toMatch(/terminat/))
    expect(told).toHaveLength(1)
    await untilOpen(db, 1)
    expect(await pidOf(db)).not.toBe(pipeline)
  })

  test("without a word can be closed", async () => {
    const gate = await openClosableGate()
    const db = await openPipelined(1, { url: gate.url })
    gate.isOpen = false
    await db.pipelines.close()
    expect(db.pipelines.connections).toEqual({ idle: 0, busy: 0 })
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
    const unlimited = new URL(url)
    unlimited.searchParams.set("lock_timeout", "0")
    const address = how === "refuses" ? gate.url : unlimited.href
    const db = await open({ url: address, poolSize: 4 })
    await eventually(async () => expect(await inAll(db)).toEqual(alone))
  })
})

describe("pipelines and pool together", () => {
  test.each([
    [1, 0],
    [2, 1],
    [3, 1],
    [10, 6],
    [12, 6],
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
    const db = await openPipelined(1)
    const pipeline = await pidOf(db)
    const pending = Promise.all([db.run(pause, [0.1]), added(db, "a")])
    await db.close()
    expect((await pending)[1]).toMatchObject({ n: 1, pid: pipeline })
    const look = async () => {
      const { rowCount } = await observer.pool.query(
        "select from pg_stat_activity where pid = $1",
        [pipeline],
      )
      expect(rowCount).toBe(0)
    }
    await eventually(look)
  })
})

test("a pipeline is closed after an unused minute", async () => {
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
