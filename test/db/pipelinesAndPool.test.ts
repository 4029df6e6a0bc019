/** When the pool takes over from pipelines, and how both share the connections. */
import { describe, expect, test, vi } from "vitest"
import type { OpenDatabase } from "../../src/db/connection/open.ts"
import { openDatabase } from "../../src/db/connection/open.ts"
import {
  added,
  closers,
  hold,
  observer,
  open,
  openClosableGate,
  openPipelined,
  pause,
  pidOf,
  told,
  untilAnotherWaits,
  untilOpen,
  url,
} from "../support/pipelines.ts"

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
