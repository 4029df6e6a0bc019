/** Hot statements hand connections to each other, and nobody else is kept waiting for that. */
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/open.ts"
import { testDatabase } from "../support/database.ts"

const one = { name: "one", text: "select 1 as one, pg_backend_pid() as pid" }

/** A database with its own count of how often the pool was asked. */
async function opened(poolSize: number) {
  const db = await testDatabase({ poolSize, waitMs: 2_000 })
  let asked = 0
  db.pool.on("acquire", () => {
    asked += 1
  })
  return { db, asked: () => asked }
}

const run = async (db: Awaited<ReturnType<typeof openDatabase>>) => {
  const [row] = await db.run<{ one: number; pid: number }>(one, [])
  return row?.pid
}

test("statements that follow each other ask the pool once", async () => {
  const { db, asked } = await opened(2)
  const pids = new Set<number | undefined>()
  for (let turn = 0; turn < 20; turn++) pids.add(await run(db))
  expect(pids.size).toBe(1)
  expect(asked()).toBe(1)
})

test("whoever waits for a connection gets one that is only at hand", async () => {
  const { db } = await opened(1)
  const pid = await run(db)
  const startedAt = performance.now()
  const { rows } = await db.pool.query("select pg_backend_pid() as pid")
  expect(rows).toEqual([{ pid }])
  expect(performance.now() - startedAt).toBeLessThan(90)
  expect(await run(db)).toBe(pid)
})

test("many at once share few connections with others, and all are served", async () => {
  const { db } = await opened(2)
  const hot = Array.from({ length: 120 }, () => run(db))
  const others = Array.from({ length: 50 }, () => db.pool.query("select 1"))
  const pids = await Promise.all(hot)
  await Promise.all(others)
  expect(new Set(pids).size).toBeLessThanOrEqual(2)
})

test("whoever waits too long for a lane is told so, and the next one is served", async () => {
  const { db } = await opened(1)
  await run(db)
  const slow = { name: "slow", text: "select pg_sleep(2.6)" }
  const busy = db.run(slow, [])
  const startedAt = performance.now()
  await expect(run(db)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  expect(performance.now() - startedAt).toBeGreaterThan(1_900)
  await busy
  expect(await run(db)).toBeDefined()
})

test("only so many wait for a lane, further ones are refused at once", async () => {
  const { db } = await opened(1)
  await run(db)
  const busy = db.run({ name: "slow", text: "select pg_sleep(0.3)" }, [])
  const waiting = Array.from({ length: 100 }, () => run(db))
  await expect(run(db)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  await busy
  expect(new Set(await Promise.all(waiting)).size).toBe(1)
})

test("those who wait for a lane that breaks get another one", async () => {
  const { db } = await opened(1)
  const pid = await run(db)
  const busy = db.run({ name: "slow", text: "select pg_sleep(5)" }, []).catch(() => "broken")
  const waiting = Array.from({ length: 5 }, () => run(db))
  const other = await openDatabase({ url: db.url, poolSize: 1 })
  await other.pool.query("select pg_terminate_backend($1)", [pid])
  await other.close()
  expect(await busy).toBe("broken")
  const pids = new Set(await Promise.all(waiting))
  expect(pids.size).toBe(1)
  expect(pids.has(pid)).toBe(false)
})

test("statements and others take turns when connections are scarce", async () => {
  const { db } = await opened(1)
  let isOver = false
  const hot = Array.from({ length: 4 }, async () => {
    while (!isOver) await run(db)
  })
  for (let turn = 0; turn < 20; turn++) await db.pool.query("select 1")
  isOver = true
  await Promise.all(hot)
})

test("connections that nobody needs go back to the pool", async () => {
  const { db } = await opened(2)
  await run(db)
  expect(db.pool.idleCount).toBe(0)
  await sleep(250)
  expect([db.pool.totalCount, db.pool.idleCount]).toEqual([1, 1])
})

test("a connection that breaks while it is at hand is replaced", async () => {
  const { db } = await opened(2)
  const pid = await run(db)
  const other = await openDatabase({ url: db.url, poolSize: 1 })
  await other.pool.query("select pg_terminate_backend($1)", [pid])
  await other.close()
  await sleep(30)
  expect(await run(db)).not.toBe(pid)
  expect(db.pool.totalCount).toBe(1)
})

test("a statement that fails gives its connection up", async () => {
  const { db } = await opened(1)
  await run(db)
  const wrong = { name: "wrong", text: "select 1 / $1::int" }
  await expect(db.run(wrong, [0])).rejects.toThrow("division by zero")
  expect(await db.run(wrong, [1])).toHaveLength(1)
})

test("a database closes while connections are at hand, and while one is at work", async () => {
  const { url } = await testDatabase()
  const db = await openDatabase({ url, poolSize: 2 })
  await run(db)
  const slow = db.run({ name: "slow", text: "select pg_sleep(0.2)" }, [])
  await sleep(50)
  await db.close()
  await expect(slow).resolves.toHaveLength(1)
  expect(db.pool.totalCount).toBe(0)
})
