/** The opened database: how values come back, and that connections are replaced when they break. */
import { sql } from "kysely"
import { expect, test } from "vitest"
import { readConfig } from "../../src/app/config.ts"
import { openMigrated } from "../../src/app/service.ts"
import { type OpenDatabase, openDatabase } from "../../src/db/connection/openDatabase.ts"
import { type Disposers, disposeAll } from "../../src/lib/disposers.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { testDatabase } from "../support/database.ts"
import { eventually } from "../support/waiting.ts"

const errors: string[] = []
const onError = (error: Error) => errors.push(error.message)
const db = await testDatabase({ poolSize: 2, statementTimeoutMs: 300, onError })
const unprepared = await testDatabase({ poolSize: 1, prepare: false })
const prepared = await testDatabase({ poolSize: 1 })

test("counts are numbers, dates are text and times are dates", async () => {
  const { rows } = await db.pool.query(
    "select count(*) as count, date '2030-01-31' as day, timestamptz '2030-01-31Z' as time",
  )
  expect(rows).toEqual([{ count: 1, day: "2030-01-31", time: new Date("2030-01-31T00:00:00Z") }])
})

test("times are read in a database that writes them in another way", async () => {
  const { pathname } = new URL(db.url)
  await db.pool.query(`alter database ${pathname.slice(1)} set datestyle = 'German'`)
  const other = await openDatabase({ url: db.url, poolSize: 2 })
  const text = "select date '2030-01-31' as day, timestamptz '2030-01-31Z' as time"
  const expected = [{ day: "2030-01-31", time: new Date("2030-01-31T00:00:00Z") }]
  expect((await other.pool.query(text)).rows).toEqual(expected)
  // The first one opens the connection that the second one takes.
  for (let count = 0; count < 2; count++) {
    expect(await other.run({ name: "times", text }, [])).toEqual(expected)
  }
  await other.close()
  await db.pool.query(`alter database ${pathname.slice(1)} reset datestyle`)
})

test("columns are in camel case, and keys inside documents stay as they are", async () => {
  await db.kysely
    .insertInto("users")
    .values({ id: "u1", email: "a@b.co", preferences: JSON.stringify({ snake_key: [1] }) })
    .execute()
  const user = await db.kysely.selectFrom("users").selectAll().executeTakeFirstOrThrow()
  expect(user.preferences).toEqual({ snake_key: [1] })
  expect(user.emailVerifiedAt).toBeNull()
})

test("a statement that runs too long is ended", async () => {
  await expect(sql`select pg_sleep(5)`.execute(db.kysely)).rejects.toThrow(/statement timeout/)
})

test("connections that the server ends are replaced", async () => {
  await prepared.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
    [new URL(db.url).pathname.slice(1)],
  )
  await eventually(() => expect(errors.join()).toMatch(/terminat/))
  const { rows } = await db.pool.query("select 1 as one")
  expect(rows).toEqual([{ one: 1 }])
})

test("hot statements are prepared under their names, unless that is switched off", async () => {
  const statement = { name: "one", text: "select $1::int as one" }
  for (const [database, names] of [
    [prepared, ["one"]],
    [unprepared, []],
  ] as const) {
    expect(await database.run(statement, [1])).toEqual([{ one: 1 }])
    const { rows } = await database.pool.query("select name from pg_prepared_statements")
    expect(rows.map(({ name }) => name)).toEqual(names)
  }
})

test("a database that was never used can be closed", async () => {
  await (await openDatabase({ url: db.url })).close()
})

test("without a URL and a folder the message names DATABASE_URL", async () => {
  await expect(openDatabase({})).rejects.toThrow(/DATABASE_URL/)
})

test("only statements of jobs may take minutes: all others detect a silent server before", async () => {
  const secret = "a secret that only tests know of"
  const config = readConfig({ DATABASE_URL: db.url, PARLEY_SECRET: secret })
  const disposers: Disposers = []
  const { main, control, jobs } = await openMigrated(config, silentLog(), disposers)
  const limitOf = async ({ pool }: OpenDatabase) =>
    (await pool.query("show statement_timeout")).rows[0].statement_timeout
  expect(await Promise.all([main, control, jobs].map(limitOf))).toEqual(["15s", "15s", "10min"])
  await disposeAll(disposers, 60_000)
})
