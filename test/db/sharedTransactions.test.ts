/** Hot statements that are asked for together share a round trip and a transaction, and nothing else. */
import { setTimeout as sleep } from "node:timers/promises"
import { beforeEach, expect, test } from "vitest"
import { openDatabase, type Statement } from "../../src/db/connection/open.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase({ poolSize: 6, waitMs: 5_000 })
// An eye on what the others do, and a hand in it.
const other = await openDatabase({ url: db.url, poolSize: 4 })
await db.pool.query(`create table counters (id text primary key, n int not null check (n < 100))`)

const add: Statement = {
  name: "add",
  isShared: true,
  text: `update counters set n = n + $2::int where id = $1
    returning n, pg_current_xact_id()::text as "transaction"`,
}
const addAlone: Statement = { name: "add_alone", text: add.text }

type Added = { n: number; transaction: string }

const ids = Array.from({ length: 12 }, (_, index) => `c${String(index).padStart(2, "0")}`)

async function added(id: string, by: number, statement = add): Promise<Added | undefined> {
  const [row] = await db.run<Added>(statement, [id, by])
  return row
}

async function counters(): Promise<number[]> {
  const { rows } = await other.pool.query("select n from counters order by id")
  return rows.map(({ n }) => n)
}

/** Locks a counter, as an unfinished transaction does. */
async function hold(id: string) {
  const holder = await other.pool.connect()
  await holder.query("begin")
  await holder.query("select from counters where id = $1 for update", [id])
  const letGo = async () => {
    await holder.query("commit")
    holder.release()
  }
  return { holder, letGo }
}

beforeEach(async () => {
  await other.pool.query("truncate counters")
  await other.pool.query("insert into counters select id, 0 from unnest($1::text[]) id", [ids])
  // So that a lane lies ready.
  await db.run(add, ["nobody", 1])
})

test("what is asked for together runs in one transaction, what comes later in the next", async () => {
  const together = await Promise.all(ids.map((id) => added(id, 1)))
  expect(new Set(together.map((row) => row?.transaction)).size).toBe(1)
  expect(together.map((row) => row?.n)).toEqual(ids.map(() => 1))
  const later = await added("c00", 1)
  expect(later?.n).toBe(2)
  expect(later?.transaction).not.toBe(together[0]?.transaction)
})

test("a statement that may not share has a transaction of its own", async () => {
  const rows = await Promise.all([
    added("c00", 1),
    added("c01", 1),
    added("c02", 1, addAlone),
    added("c03", 1, addAlone),
    added("c04", 1),
    added("c05", 1),
  ])
  const [a, b, c, d, e, f] = rows.map((row) => row?.transaction)
  expect(a).toBe(b)
  expect(e).toBe(f)
  expect(new Set([a, c, d, e]).size).toBe(4)
})

test("sixteen share a transaction at most, and what is large does not share", async () => {
  const echo: Statement = {
    name: "echo",
    isShared: true,
    text: `select length($1::text) as length, pg_current_xact_id()::text as "transaction"`,
  }
  const small = await Promise.all(Array.from({ length: 40 }, () => db.run<Added>(echo, ["x"])))
  const counts = new Map<string, number>()
  for (const [row] of small) {
    if (row) counts.set(row.transaction, (counts.get(row.transaction) ?? 0) + 1)
  }
  expect([...counts.values()].sort((a, b) => b - a)).toEqual([16, 16, 8])
  const large = "x".repeat(200_000)
  const rows = await Promise.all([large, large, large].map((text) => db.run<Added>(echo, [text])))
  expect(new Set(rows.map(([row]) => row?.transaction)).size).toBe(3)
})

test("one that fails is told why; the others are carried out once", async () => {
  for (const place of [0, 5, 11]) {
    await other.pool.query("update counters set n = 0")
    const outcomes = await Promise.allSettled(
      ids.map((id, index) => added(id, index === place ? 100 : 1)),
    )
    const refused = outcomes[place]
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "23514" } })
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(11)
    expect(await counters()).toEqual(ids.map((_, index) => (index === place ? 0 : 1)))
  }
})

test("many that fail leave the rest untouched, whatever the order", async () => {
  const outcomes = await Promise.allSettled(
    ids.map((id, index) => added(id, index % 2 === 0 ? 100 : 1)),
  )
  const codes = outcomes.map((each) => (each.status === "rejected" ? each.reason.code : "done"))
  expect(codes).toEqual(ids.map((_, index) => (index % 2 === 0 ? "23514" : "done")))
  expect(await counters()).toEqual(ids.map((_, index) => index % 2))
})

test("batches of two processes that lock the same rows wait for each other, not in a circle", async () => {
  const slowly: Statement = {
    name: "add_slowly",
    isShared: true,
    text: "update counters set n = n + $2::int from pg_sleep(0.005) where id = $1",
  }
  const second = await openDatabase({ url: db.url, poolSize: 2, waitMs: 5_000 })
  await second.run(slowly, ["nobody", 1])
  const startedAt = performance.now()
  await Promise.all([
    ...ids.map((id) => db.run(slowly, [id, 1])),
    ...ids.toReversed().map((id) => second.run(slowly, [id, 1])),
  ])
  // The server looks for circles after a second.
  expect(performance.now() - startedAt).toBeLessThan(900)
  await second.close()
  expect(await counters()).toEqual(ids.map(() => 2))
})

test("whoever loses a deadlock in company is tried again alone", async () => {
  const { holder, letGo } = await hold("c05")
  const batch = Promise.all([added("c01", 1), added("c05", 1)])
  await sleep(100)
  // Now each waits for the other, and the server ends the batch: it began to wait first.
  const circle = holder.query("select from counters where id = 'c01' for update")
  await circle
  await letGo()
  expect((await batch).map((row) => row?.n)).toEqual([1, 1])
})

test("when the connection breaks nobody knows what was written, so nothing is repeated", async () => {
  const { letGo } = await hold("c05")
  const batch = Promise.allSettled([added("c01", 1), added("c05", 1)])
  await sleep(50)
  const { rows } = await other.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database()`,
  )
  expect(rows).toHaveLength(1)
  await letGo()
  expect((await batch).map(({ status }) => status)).toEqual(["rejected", "rejected"])
  await sleep(50)
  expect((await counters()).slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0])
  expect((await added("c01", 1))?.n).toBe(1)
})

test("while the usual lanes are held up the next ones get lanes of their own", async () => {
  const { letGo } = await hold("c05")
  const heldUp = []
  for (let lane = 0; lane < 4; lane++) {
    heldUp.push(added("c05", 1))
    await sleep(20)
  }
  const startedAt = performance.now()
  await Promise.all(ids.slice(0, 5).map((id) => added(id, 1)))
  expect(performance.now() - startedAt).toBeLessThan(500)
  await letGo()
  const rows = await Promise.all(heldUp)
  expect(new Set(rows.map((row) => row?.n))).toEqual(new Set([1, 2, 3, 4]))
})
