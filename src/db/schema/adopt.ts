/** Adopts databases of the unreleased versions before 0.2.0, whose schema came from 53 migrations. */
import type pg from "pg"
import { describeCatalog } from "./catalog.ts"

/** The last commit before 0.2.0, which brings every older database to the schema that is adopted. */
export const lastFormerCommit = "31a8d11594d6c52c7bd693b43734ab8b36125641"

/** How many migrations it has. */
export const formerCount = 53

/** Whether the migrations of a database are those of before 0.2.0, given their names in order. */
export function isFormer(names: readonly string[]): boolean {
  return names[0] === "0001_accounts"
}

/**
 * Whether a number of migrations is all of those before 0.2.0. Throws what to do when it is fewer;
 * `what`: the thing that has them.
 */
export function requireLastFormer(count: number, what: string): void {
  if (count === formerCount) return
  throw new Error(
    `${what} was made by a version of Parley before 0.2.0 and has ${count} of its ${formerCount} ` +
      `migrations. Nothing was changed. Check out the commit ${lastFormerCommit}, the last one before 0.2.0, ` +
      "and let it bring the database up to date (`npm ci && npx parley migrate`, for a backup " +
      "`npx parley restore` and `npx parley backup`); then start this version.",
  )
}

/** Which migration of this version a backup has that another one made, with so many. Throws as above. */
export function migrationOfBackup({ version, migration }: BackupVersion): number {
  if (!version.startsWith("0.1.")) return migration
  requireLastFormer(migration, "The backup")
  return 1
}

type BackupVersion = { version: string; migration: number }

/** The schema in which the expected tables are made for a moment; it is gone when the check is over. */
const scratch = "parley_adoption"

/**
 * Compares the database with the schema that a migration makes: throws a sentence with what is missing
 * or different. Indexes, tables and functions that it has besides are an operator's own. Changes nothing,
 * in the caller's transaction; other statements on the same tables go on meanwhile.
 */
export async function requireSchemaOf(client: pg.PoolClient, text: string): Promise<void> {
  await client.query("set local search_path = public")
  const found = await describeCatalog(client)
  await client.query("savepoint adoption")
  // The nodes of a cluster have no use for it.
  await client.query(`set local citus.enable_ddl_propagation = off`)
  await client.query(`create schema ${scratch}; set local search_path = ${scratch}`)
  await client.query(text)
  const expected = await describeCatalog(client, scratch)
  await client.query("rollback to savepoint adoption")
  const differences = differencesBetween(expected, found)
  if (differences.length === 0) return
  const shown = differences.slice(0, maxDifferences).join("; ")
  const others = differences.length - maxDifferences
  throw new Error(
    "The database has every migration of the versions before 0.2.0, but its schema is not the one that they " +
      `make: ${shown}${others > 0 ? `; and ${others} more` : ""}. Nothing was changed. ` +
      "Undo by hand what was changed by hand, and start again.",
  )
}

const maxDifferences = 5

/** What a database lacks or has otherwise, given two descriptions of `describeCatalog`. */
function differencesBetween(expected: string, found: string): string[] {
  const has = objectsIn(found)
  return [...objectsIn(expected)].flatMap(([name, wanted]) => {
    const own = has.get(name)
    if (own === undefined) return [`${name} is missing`]
    if (!name.startsWith("table")) return own === wanted ? [] : [`${name} has another definition`]
    const [wants, owns] = [linesOf(wanted), linesOf(own)]
    const lacks = [...wants].filter((line) => !owns.has(line))
    const adds = [...owns].filter((line) => !wants.has(line) && !line.startsWith("CREATE INDEX"))
    return [
      ...lacks.map((line) => `${name} lacks \`${line}\``),
      ...adds.map((line) => `${name} has \`${line}\``),
    ]
  })
}

/** The tables and functions of a description, by what they are called. */
function objectsIn(description: string): Map<string, string> {
  const objects = description.trim().split(/\n\n(?=create (?:unlogged )?table |CREATE OR REPLACE )/)
  return new Map(
    objects.map((text) => {
      const [, table, fn] =
        /^create (?:unlogged )?table (\w+)|FUNCTION public\.(.+)/.exec(text) ?? []
      return [table === undefined ? `function ${fn}` : `table ${table}`, text]
    }),
  )
}

/**
 * Lines of a table in any order, without what operators set and clusters change: how pages are filled and
 * vacuumed, and whether a crash empties it.
 */
function linesOf(table: string): Set<string> {
  const lines = table.replace("create unlogged table", "create table").split("\n")
  return new Set(lines.map((line) => line.trim().replace(/,$|(?<=^\)).*/, "")))
}
