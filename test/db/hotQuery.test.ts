/** Hot statements on the wire: values in and out, and what stays known of them. */
import { expect, test } from "vitest"
import type { Statement } from "../../src/db/connection/open.ts"
import { testDatabase } from "../support/database.ts"

// One connection, so that every run meets what the one before left.
const db = await testDatabase({ poolSize: 1 })
await db.pool.query("create table things (id int primary key, name text)")

test("values come back in their types, the first time and every later one", async () => {
  const statement: Statement = {
    name: "types",
    text: `select $1::text as text, $2::int as int, $3::bigint as big, $4::boolean as flag,
      $5::bytea as bytes, $6::timestamptz as moment, $7::text as nothing, array[1, 2] as list,
      '{"a":1}'::jsonb as json, date '2026-01-02' as day`,
  }
  const moment = new Date("2026-01-02T03:04:05.678Z")
  const bytes = Buffer.from([0, 255])
  const row = { text: "a'b\n", int: -1, big: 2 ** 40, flag: true, bytes, moment, nothing: null }
  for (let run = 0; run < 3; run++) {
    const found = await db.run(statement, Object.values(row))
    expect(found).toEqual([{ ...row, list: [1, 2], json: { a: 1 }, day: "2026-01-02" }])
  }
})

test("a statement that fails leaves the connection and its name usable", async () => {
  const insert: Statement = {
    name: "insert_thing",
    text: "insert into things values ($1, $2) returning id, name",
  }
  await db.pool.query("insert into things values (1, 'taken')")
  // The first run plans it and fails; what it learnt of the columns must not be half.
  for (let run = 0; run < 2; run++) {
    await expect(db.run(insert, [1, "a"])).rejects.toMatchObject({ code: "23505" })
  }
  expect(await db.run(insert, [2, "b"])).toEqual([{ id: 2, name: "b" }])
  expect(await db.run(insert, [3, null])).toEqual([{ id: 3, name: null }])
})

test("many rows and none are told apart, and a column without a value is null", async () => {
  const list: Statement = {
    name: "list",
    text: "select n, nullif(n, 2) as odd from generate_series(1, $1::int) n",
  }
  expect(await db.run(list, [0])).toEqual([])
  expect(await db.run(list, [2])).toEqual([
    { n: 1, odd: 1 },
    { n: 2, odd: null },
  ])
})

test("a list of texts goes in as it is", async () => {
  const list: Statement = { name: "texts", text: "select $1::text[] as texts" }
  for (const texts of [[], ["a"], ['a"b', "c\\d", "e,f", "{g}", "", "NULL", " "]]) {
    expect(await db.run(list, [texts])).toEqual([{ texts }])
  }
})

test("two statements of one name are a mistake, and so are objects as values", async () => {
  const first: Statement = { name: "same", text: "select 1 as one" }
  expect(await db.run(first, [])).toEqual([{ one: 1 }])
  await expect(db.run({ name: "same", text: "select 2 as two" }, [])).rejects.toThrow(
    "Two statements are called same",
  )
  for (const value of [{ a: 1 }, [1], [["a"]]]) {
    const statement = { name: "value", text: "select $1::text" }
    await expect(db.run(statement, [value])).rejects.toThrow(TypeError)
  }
  expect(await db.run(first, [])).toEqual([{ one: 1 }])
})

test("a connection that is replaced learns the statements anew", async () => {
  const who: Statement = { name: "who", text: "select pg_backend_pid() as pid, $1::int as n" }
  const [before] = await db.run<{ pid: number }>(who, [1])
  await db.pool.query("select pg_terminate_backend(pg_backend_pid())").catch(() => {})
  const [after] = await db.run<{ pid: number; n: number }>(who, [2])
  expect(after?.n).toBe(2)
  expect(after?.pid).not.toBe(before?.pid)
})
