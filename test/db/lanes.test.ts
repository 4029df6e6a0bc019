/** Hot statements hand connections to each other, and nobody else is kept waiting for that. */
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { openDatabase } from "../../src/db/open.ts"
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
