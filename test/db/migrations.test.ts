/** Migrations: once each, in order, by one process at a time, and only those this code knows. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import {
  migrate,
  readMigrations,
  requireVersion,
  schemaFolder,
} from "../../src/db/schema/migrate.ts"
import { testDatabaseUrl } from "../support/database.ts"

const url = await testDatabaseUrl("empty")
const database = await openDatabase({ url, poolSize: 4 })
const { pool } = database
let folder = ""

afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-migrations-"))
})

async function writeMigrations(texts: Record<string, string>): Promise<string> {
  const target = await mkdtemp(join(folder, "schema-"))
  for (const [name, text] of Object.entries(texts)) await writeFile(join(target, name), text)
  return target
}

async function reset(): Promise<void> {
  await pool.query("drop schema public cascade; create schema public")
}

test("two runners at once apply every migration exactly once", async () => {
  const [one, other] = await Promise.all([migrate(pool), migrate(pool)])
  const names = (await readMigrations(schemaFolder())).map(({ name }) => name)
  expect([...one, ...other].sort()).toEqual(names)
  const { rows } = await pool.query("select name from parley_migrations order by number")
  expect(rows.map(({ name }) => name)).toEqual(names)
})

test("a second run does nothing", async () => {
  expect(await migrate(pool)).toEqual([])
})

test("a server older than PostgreSQL 15 is refused before anything is made there", async () => {
  expect(() => requireVersion(140_022)).toThrow(/is PostgreSQL 14, and Parley needs 15 or later/)
  expect(() => requireVersion(150_000)).not.toThrow()
  const asked: string[] = []
  const client = {
    release() {},
    async query(text: string) {
      asked.push(text)
      return { rows: [{ number: 140_022 }] }
    },
  }
  const old = { connect: async () => client } as unknown as typeof pool
  await expect(migrate(old)).rejects.toThrow(/PostgreSQL 14/)
  expect(asked).toHaveLength(1)
})

test("a database newer than the code is refused", async () => {
  await pool.query("insert into parley_migrations values (9999, '9999_future', 'x')")
  await expect(migrate(pool)).rejects.toThrow(/newer than this version of Parley.*9999_future/)
  await pool.query("delete from parley_migrations where number = 9999")
})

test("a search path that leads elsewhere is refused before anything is made there", async () => {
  const other = await testDatabaseUrl("empty")
  const elsewhere = await openDatabase({ url: other, poolSize: 2 })
  onTestFinished(() => elsewhere.close())
  await elsewhere.pool.query("create schema authorization current_user")
  await expect(migrate(elsewhere.pool)).rejects.toThrow(
    /belong into the schema public, .* begins with \w+: set it by `alter role \w+ set search_path/,
  )
  const { rows } = await elsewhere.pool.query(
    "select relname from pg_class where relname = 'users'",
  )
  expect(rows).toEqual([])
})

test("a file that was changed after it ran is refused", async () => {
  const copy = await mkdtemp(join(folder, "schema-"))
  await cp(schemaFolder(), copy, { recursive: true })
  await writeFile(join(copy, "0001_parley.sql"), "select 1")
  await expect(migrate(pool, copy)).rejects.toThrow(/0001_parley was changed after/)
})

test("a later migration is left alone by code that it names as compatible, and by no older code", async () => {
  await reset()
  const old = await writeMigrations({ "0001_a.sql": "select 1" })
  const newer = { "0001_a.sql": "select 1", "0002_b.sql": "create table b ()" }
  const middle = await writeMigrations(newer)
  const marked = "-- Drops what 0002 stopped to use.\n-- Compatible from: 0002\ndrop table b"
  const newest = await writeMigrations({ ...newer, "0003_c.sql": marked })
  expect(await migrate(pool, newest)).toEqual(["0001_a", "0002_b", "0003_c"])
  expect(await migrate(pool, middle)).toEqual([])
  await expect(migrate(pool, old)).rejects.toThrow(/newer than this version.*0002_b/)
})

test("each later migration decides for itself which older code goes on working after it", async () => {
  await reset()
  const files: Record<string, string> = { "0001_a.sql": "select 1" }
  const releases = [await writeMigrations(files)]
  for (const [index, from] of [1, 2, 3, 1].entries()) {
    files[`000${index + 2}_x.sql`] = `-- Compatible from: 000${from}\nselect ${index}`
    releases.push(await writeMigrations(files))
  }
  for (const [newest, applied] of releases.entries()) {
    await migrate(pool, applied)
    for (const [release, folder] of releases.slice(0, newest + 1).entries()) {
      // What came after it names the oldest migration that code must know.
      const needs = [0, 1, 2, 3, 1].slice(release + 1, newest + 1)
      const outcome = await migrate(pool, folder).catch((error: Error) => error.message)
      const isRefused = needs.some((number) => number > release + 1)
      const expected = isRefused ? expect.stringContaining("newer than this version") : []
      expect([newest, release, outcome]).toEqual([newest, release, expected])
    }
  }
})

test("line ends of another system do not count as a change", async () => {
  await reset()
  await migrate(pool, await writeMigrations({ "0001_a.sql": "create table a ();\nselect 1;\n" }))
  const other = await writeMigrations({ "0001_a.sql": "create table a ();\r\nselect 1;\r\n" })
  expect(await migrate(pool, other)).toEqual([])
})

test("a failing file leaves nothing of itself, keeps those before it, and names the reason", async () => {
  await reset()
  const broken = await writeMigrations({
    "0001_a.sql": "create table a ()",
    "0002_b.sql": "create table b (); select 1 / 0",
  })
  await expect(migrate(pool, broken)).rejects.toThrow(/0002_b failed.*division by zero/)
  const { rows } = await pool.query(
    "select to_regclass('a') is not null as a, to_regclass('b') is not null as b",
  )
  expect(rows).toEqual([{ a: true, b: false }])
  await writeFile(join(broken, "0002_b.sql"), "create table b ()")
  expect(await migrate(pool, broken)).toEqual(["0002_b"])
})

test("a gap in the numbers is refused", async () => {
  const gap = await writeMigrations({ "0001_a.sql": "", "0003_c.sql": "" })
  await expect(readMigrations(gap)).rejects.toThrow(/0003_c.sql is out of order: number it 2/)
})
