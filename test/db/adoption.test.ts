/** Databases of the versions before 0.2.0: those with all their migrations are adopted, others are refused. */
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { openConnectionPool, type Pool } from "../../src/db/connection/connectionPool.ts"
import { lastFormerCommit, migrationOfBackup } from "../../src/db/schema/adopt.ts"
import { describeCatalog } from "../../src/db/schema/catalog.ts"
import { migrate as migrateTo, readMigrations, schemaFolder } from "../../src/db/schema/migrate.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase, testDatabaseUrl } from "../support/database.ts"

const firstOnly = await mkdtemp(join(tmpdir(), "parley-adoption-"))
afterAll(() => rm(firstOnly, { recursive: true, force: true }))
await cp(join(schemaFolder(), "0001_parley.sql"), join(firstOnly, "0001_parley.sql"))
/** Leaves the migrations since then alone, which change what is adopted. */
const migrate = (pool: Pool) => migrateTo(pool, firstOnly)

/** A database as the last commit before 0.2.0 leaves it, but for the names of most migrations. */
async function formerDatabase(count = 53): Promise<Pool> {
  const pool = openConnectionPool({
    url: await testDatabaseUrl("empty"),
    size: 4,
    statementTimeoutMs: 10_000,
  })
  onTestFinished(() => pool.end())
  await migrate(pool)
  await pool.query("delete from parley_migrations")
  await pool.query(
    `insert into parley_migrations (number, name, checksum)
    select n, case n when 1 then '0001_accounts' else lpad(n::text, 4, '0') || '_former' end, 'x'
    from generate_series(1, $1::int) n`,
    [count],
  )
  await pool.query(`insert into users (id, email) values ('u', 'ann@example.com');
    insert into workspaces (id, name) values ('w', 'W');
    insert into workspace_members (workspace_id, user_id, role) values ('w', 'u', 'ADMIN')`)
  return pool
}

/** All that a database has: its catalog, the files and identities of its tables, and their rows. */
async function contentsOf(pool: Pool) {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name, oid, relfilenode from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') order by relname`,
  )
  const { rows: schemas } = await pool.query("select nspname from pg_namespace order by nspname")
  const rows: Record<string, unknown> = {}
  const { rows: names } = await pool.query(
    "select tablename from pg_tables where schemaname = 'public'",
  )
  for (const { tablename } of names) {
    const all = `select xmin::text, md5(t::text) from public.${tablename} t order by 2`
    rows[tablename] = (await pool.query(all)).rows
  }
  return { catalog: await describeCatalog(pool), tables, schemas, rows }
}

const migrationsOf = async (pool: Pool) =>
  (await pool.query("select number, name from parley_migrations order by number")).rows

const adopted = [{ number: 1, name: "0001_parley" }]

/** Tries to migrate. Returns the message of the refusal, and expects that nothing has changed. */
async function refusalOf(pool: Pool): Promise<string> {
  const before = await contentsOf(pool)
  const message = await migrate(pool).then(
    () => "migrated",
    (error: Error) => error.message,
  )
  expect(await contentsOf(pool)).toEqual(before)
  return message
}

// The nodes of a cluster have catalogs of their own.
describe.skipIf(isOnCluster)("a database of before 0.2.0", () => {
  test("with all migrations is adopted as it is", async () => {
    const pool = await formerDatabase()
    const { rows: before, ...others } = await contentsOf(pool)
    expect(await migrate(pool)).toEqual([])
    const { rows: after, ...same } = await contentsOf(pool)
    expect(same).toEqual(others)
    expect({ ...after, parley_migrations: [] }).toEqual({ ...before, parley_migrations: [] })
    expect(await migrationsOf(pool)).toEqual(adopted)
    expect(await migrate(pool)).toEqual([])
  })

  test("gets the migrations since then once it is adopted", async () => {
    const pool = await formerDatabase()
    const names = (await readMigrations(schemaFolder())).map(({ name }) => name)
    expect(await migrateTo(pool)).toEqual(names.slice(1))
    const fresh = await testDatabase()
    expect(await describeCatalog(pool)).toBe(await describeCatalog(fresh.pool))
  })

  test("is adopted once when several processes start", async () => {
    const pool = await formerDatabase()
    const starts = await Promise.all([1, 2, 3, 4].map(() => migrate(pool)))
    expect(starts).toEqual([[], [], [], []])
    expect(await migrationsOf(pool)).toEqual(adopted)
  })

  test("may have indexes, tables, functions and settings of its operator", async () => {
    const pool = await formerDatabase()
    await pool.query(`create index own_index on users (name);
      create table own_table (id int);
      create function own_function() returns int language sql as 'select 1';
      create aggregate own_sum(int) (sfunc = int4pl, stype = int);
      alter table rate_limits set logged;
      alter table results set (fillfactor = 90)`)
    expect(await migrate(pool)).toEqual([])
    expect(await migrationsOf(pool)).toEqual(adopted)
  })

  test.each([
    ["drop table timers", "table timers is missing"],
    ["drop index timers_due", "table timers lacks `CREATE INDEX timers_due ON timers"],
    ["alter table users drop column image", "table users lacks `image text`"],
    ["alter table users add column own text not null default ''", "table users has `own text"],
    ["create unique index own on users (name)", "table users has `CREATE UNIQUE INDEX own"],
    ["alter table bots alter column name drop not null", "table bots lacks `name text not null`"],
    ["drop function restore_preview_state", "function restore_preview_state(p_id text"],
    [
      `create or replace function restore_preview_state(p_id text, p_revision int, p_state text, p_kept int)
      returns boolean language sql as 'select true'`,
      "has another definition",
    ],
  ])("is refused as it is after `%s`", async (change, sentence) => {
    const pool = await formerDatabase()
    await pool.query(change)
    const message = await refusalOf(pool)
    expect(message).toContain(sentence)
    expect(message).toMatch(/its schema is not the one .* Nothing was changed\. Undo by hand/)
  })

  test("with many differences is refused with a few of them", async () => {
    const pool = await formerDatabase()
    await pool.query("drop table users, workspaces, bots, results, answers, logs, jobs cascade")
    const message = await refusalOf(pool)
    expect(message).toMatch(/table answers is missing; .*; and \d+ more\. Nothing/)
    expect(message.length).toBeLessThan(1_500)
  })

  test.each([
    1, 33, 52,
  ])("with %i migrations is refused with the commit that adds the others", async (count) => {
    const message = await refusalOf(await formerDatabase(count))
    expect(message).toContain(`has ${count} of its 53 migrations. Nothing was changed.`)
    expect(message).toContain(lastFormerCommit)
  })

  test("from before compatibility was recorded is refused alike", async () => {
    const pool = await formerDatabase(12)
    await pool.query("alter table parley_migrations drop column compatible_from")
    expect(await refusalOf(pool)).toContain("has 12 of its 53 migrations")
  })

  test("refuses unknown migrations as those of a newer version", async () => {
    const message = await refusalOf(await formerDatabase(54))
    expect(message).toMatch(/newer than this version of Parley: it has migration 0054_former/)
  })
})

test("a backup of before 0.2.0 is taken with all migrations alone", () => {
  const backup = (version: string, migration: number) => () =>
    migrationOfBackup({ version, migration })
  expect(backup("0.1.0", 53)()).toBe(1)
  expect(backup("0.1.0", 33)).toThrow(
    /^The backup .* has 33 of its 53 migrations.*npx parley restore/,
  )
  expect(backup("0.2.0", 1)()).toBe(1)
  expect(backup("0.3.0", 33)()).toBe(33)
})
