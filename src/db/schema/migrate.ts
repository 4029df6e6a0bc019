/** Brings a database to the schema of this code: numbered SQL files, forward only, each once. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type pg from "pg"
import { withClient } from "../connection/withClient.ts"
import { formerCount, isFormer, requireLastFormer, requireSchemaOf } from "./adopt.ts"

/** One file of `schema/`. */
type Migration = {
  number: number
  name: string
  text: string
  checksum: string
  /**
   * Number of the last migration that code must know to go on working after this one; absent: it
   * must know this one.
   */
  compatibleFrom?: number | undefined
}

type Applied = { number: number; name: string; checksum: string; compatible_from: number | null }

// Any constant will do; this one spells "parley" in ASCII.
const lockKey = "123576279067001"

const bookkeeping = `create table if not exists parley_migrations (
  number int primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz(3) not null default now(),
  compatible_from int
)`

const compatibility = /^-- Compatible from: (\d{4})$/m

/**
 * Applies every migration that the database lacks and returns their names. Migrations of later
 * versions are left alone if they say that this code goes on working after them. Throws, with a
 * sentence that says what to do, when one fails, was changed after it ran, or is unknown to this code
 * and does not say so. Several processes, of several versions, may call it at once.
 */
export async function migrate(pool: pg.Pool, folder = schemaFolder()): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return await withClient(pool, async (client) => {
    await requireServer(client)
    if (isFormer(await namesApplied(client))) await adopt(client, migrations)
    const names: string[] = []
    for (;;) {
      const name = await applyNext(client, migrations)
      if (name === undefined) return names
      names.push(name)
    }
  })
}

/** The first release of PostgreSQL that every migration and statement runs on. */
const firstMajor = 15

/** Throws, with what to do, when a server is too old; `number` is its `server_version_num`. */
export function requireVersion(number: number): void {
  const major = Math.floor(number / 10_000)
  if (major >= firstMajor) return
  throw new Error(
    `The database is PostgreSQL ${major}, and Parley needs ${firstMajor} or later: update that server, ` +
      "or leave DATABASE_URL out to use the embedded one.",
  )
}

async function requireServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as number")
  requireVersion(rows[0].number)
}

/** The folder of migrations next to the package.json that this code belongs to. */
export function schemaFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error("The folder schema/ was not found: reinstall Parley.")
    folder = parent
  }
  return join(folder, "schema")
}

/** Reads the migrations of a folder in order; refuses gaps and numbers used twice. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort()
  const migrations: Migration[] = []
  for (const file of files) {
    const number = Number(file.slice(0, 4))
    if (number !== migrations.length + 1) {
      throw new Error(`Migration ${file} is out of order: number it ${migrations.length + 1}.`)
    }
    // A checkout on Windows may have changed the line ends.
    const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n")
    const checksum = createHash("sha256").update(text).digest("hex")
    const written = compatibility.exec(text)?.[1]
    const compatibleFrom = written === undefined ? undefined : Number(written)
    migrations.push({ number, name: file.slice(0, -4), text, checksum, compatibleFrom })
  }
  return migrations
}

/** The names of what was applied, in order; the oldest databases have no other columns in common. */
async function namesApplied(client: pg.PoolClient): Promise<string[]> {
  if (!(await hasBooks(client))) return []
  const { rows } = await client.query("select name from public.parley_migrations order by number")
  return rows.map(({ name }) => name)
}

/**
 * Notes the first migration as applied, in place of those before 0.2.0 that made the same schema. Throws,
 * with everything as it was, when the schema is another one.
 */
async function adopt(client: pg.PoolClient, [first]: Migration[]): Promise<void> {
  if (!first) return
  await beginLocked(client)
  // Another process may have adopted it meanwhile.
  const names = await namesApplied(client)
  if (isFormer(names)) {
    const [beyond] = names.slice(formerCount)
    if (beyond !== undefined) throw newer(beyond)
    requireLastFormer(names.length, "The database")
    await requireSchemaOf(client, first.text)
    await client.query("delete from parley_migrations")
    await note(client, first)
  }
  await client.query("commit")
}

function newer(name: string): Error {
  return new Error(
    `The database is newer than this version of Parley: it has migration ${name}. ` +
      "Start the version that made it, or a later one. The only way back is a backup from before the update.",
  )
}

async function beginLocked(client: pg.PoolClient): Promise<void> {
  await client.query("begin")
  // The lock belongs to the transaction, so that it ends even if this process dies.
  await client.query("set local statement_timeout = 0")
  await client.query(`select pg_advisory_xact_lock(${lockKey})`)
}

async function applyNext(client: pg.PoolClient, migrations: Migration[]) {
  // Every start but the first after an update ends here: without a lock, and without DDL, which only
  // one node of a cluster accepts.
  const found = await readApplied(client)
  if (found && checkApplied(found, migrations) >= migrations.length) return undefined
  await beginLocked(client)
  const next = migrations[checkApplied(await keepBooks(client), migrations)]
  if (next) await apply(client, next)
  await client.query("commit")
  return next?.name
}

/** Reads what was applied. Returns undefined when there is no table of migrations. */
async function readApplied(client: pg.PoolClient): Promise<Applied[] | undefined> {
  if (!(await hasBooks(client))) return undefined
  const { rows } = await client.query<Applied>(
    "select number, name, checksum, compatible_from from public.parley_migrations order by number",
  )
  return rows
}

async function hasBooks(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    "select to_regclass('public.parley_migrations') is not null as has",
  )
  return rows[0].has
}

/** As `readApplied`, after making that table. */
async function keepBooks(client: pg.PoolClient): Promise<Applied[]> {
  const found = await readApplied(client)
  if (found) return found
  await requirePublic(client)
  await client.query(bookkeeping)
  return (await readApplied(client)) ?? []
}

/** The schema of the tables, independent of the user's search path. */
async function requirePublic(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("select current_schema() as first, current_user as role")
  const { first, role } = rows[0]
  if (first === "public") return
  throw new Error(
    `The tables belong into the schema public, and the search path of ${role} begins with ` +
      `${first ?? "no schema at all"}: set it by \`alter role ${role} set search_path = public\`.`,
  )
}

/**
 * How many of `migrations` were applied; throws when others were in their place, or later ones after
 * which this code does not work.
 */
function checkApplied(applied: Applied[], migrations: Migration[]): number {
  for (const [index, { number, name, checksum, compatible_from }] of applied.entries()) {
    const known = migrations[index]
    if (!known || known.number !== number) {
      if (!known && compatible_from !== null && compatible_from <= migrations.length) continue
      throw newer(name)
    }
    if (known.checksum !== checksum) {
      throw new Error(
        `Migration ${known.name} was changed after it was applied to this database. ` +
          "Restore the file and put the change into a new migration.",
      )
    }
  }
  return applied.length
}

/**
 * Applies the migrations after a number and up to another one, in the caller's transaction, to a
 * database that has those before. Throws when this code does not know them all.
 */
export async function applyMigrations(
  client: pg.PoolClient,
  { from = 0, upTo }: { from?: number; upTo?: number },
): Promise<void> {
  const migrations = await readMigrations(schemaFolder())
  if (upTo !== undefined && upTo > migrations.length) {
    throw new Error("The backup was made by a later version of Parley: restore it with that one.")
  }
  await client.query(`select pg_advisory_xact_lock(${lockKey})`)
  await requireServer(client)
  await requirePublic(client)
  await client.query(bookkeeping)
  for (const migration of migrations.slice(from, upTo)) await apply(client, migration)
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { name, text } = migration
  try {
    await client.query(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `Migration ${name} failed and nothing of it was applied: ${reason}. ` +
        "Repair what the message names and start again.",
      { cause: error },
    )
  }
  await note(client, migration)
}

async function note(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { number, name, checksum, compatibleFrom } = migration
  await client.query(
    `insert into parley_migrations (number, name, checksum, compatible_from)
    values ($1, $2, $3, $4)`,
    [number, name, checksum, compatibleFrom],
  )
}
