/** The migrated database against what is written about it: types, dump and the rules of hot tables. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { saveTurnStatement } from "../../src/db/chats/sessions.ts"
import { describeCatalog } from "../../src/db/schema/catalog.ts"
import { schemaFolder } from "../../src/db/schema/migrate.ts"
import { isOnCluster } from "../support/cluster.ts"
import { brokenRules, statementsIn } from "../support/clusterRules.ts"
import { testDatabase } from "../support/database.ts"
import { hotNames } from "../support/hotNames.ts"
import { readFacts } from "../support/statementJudge.ts"

const { pool, url } = await testDatabase()
// A cluster adds to the catalog.
const onOneServer = test.skipIf(isOnCluster)

const hotTables = [
  "answers",
  "chat_sessions",
  "ended_chats",
  "idempotency",
  "kept_messages",
  "keyed_results",
  "logs",
  "outbox",
  "result_steps",
  "result_texts",
  "results",
  "session_events",
  "timers",
  "webhook_calls",
]

onOneServer("schema/current.sql is fresh", async () => {
  const text = await readFile(join(schemaFolder(), "current.sql"), "utf8")
  const [, ...dump] = text.split("\n\n")
  expect(dump.join("\n\n")).toBe(await describeCatalog(pool))
})

onOneServer("the table types name every column with its kind, and nothing else", async () => {
  const { rows } = await pool.query(
    `select table_name, column_name, data_type, is_nullable = 'YES' as nullable,
      column_default is not null as defaulted
    from information_schema.columns where table_schema = 'public'`,
  )
  const actual = rows.map((row) => {
    const optional = row.nullable ? " or null" : row.defaulted ? " with default" : ""
    return `${row.table_name}.${row.column_name}: ${row.data_type}${optional}`
  })
  expect(await writtenColumns()).toEqual(actual.sort())
})

test("result_id leads every primary key of a hot table, and no other unique index exists", async () => {
  const { rows } = await pool.query(
    `select c.relname as table, i.indisprimary as primary, a.attname as first
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relname = any($1) and i.indisunique order by 1`,
    [hotTables],
  )
  expect(rows).toEqual(hotTables.map((table) => ({ table, primary: true, first: "result_id" })))
})

onOneServer(
  "hot tables have no triggers, foreign keys, sequences, generated columns or partitions",
  async () => {
    const { rows } = await pool.query(
      `select 'trigger ' || tgname as found from pg_trigger where tgrelid::regclass::text = any($1)
    union all select 'foreign key ' || conname from pg_constraint
      where contype = 'f' and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
    union all select 'column ' || attname from pg_attribute
      where attrelid::regclass::text = any($1) and (attidentity <> '' or attgenerated <> '')
    union all select 'sequence ' || relname from pg_class c join pg_namespace n
      on n.oid = c.relnamespace where relkind = 'S' and nspname = 'public'
    union all select 'partition ' || relname from pg_class where relispartition or relkind = 'p'`,
      [hotTables],
    )
    expect(rows).toEqual([])
  },
)

test("every table is spread, copied or kept in one place on a cluster", async () => {
  const text = await readFile(join(schemaFolder(), "cluster", "distribute.sql"), "utf8")
  const placed = [...text.matchAll(/_table(?:_to_metadata)?\('(\w+)'/g)].map(([, table]) => table)
  const { rows } = await pool.query("select tablename from pg_tables where schemaname = 'public'")
  expect(placed.toSorted()).toEqual(rows.map(({ tablename }) => tablename).toSorted())
  const byResult = [...text.matchAll(/distributed_table\('(\w+)', 'result_id'/g)]
  expect(byResult.map(([, table]) => table).toSorted()).toEqual(hotTables)
})

test("what nodes hand to each other has no triggers and is in the log", async () => {
  const text = await readFile(join(schemaFolder(), "cluster", "distribute.sql"), "utf8")
  const spread = [...text.matchAll(/(?:distributed|reference)_table\('(\w+)'/g)].map(
    ([, table]) => table,
  )
  const { rows: triggers } = await pool.query(
    `select tgrelid::regclass::text as table from pg_trigger
    where not tgisinternal and tgrelid::regclass::text = any($1)`,
    [spread],
  )
  // A cluster has triggers of its own.
  if (!isOnCluster) expect(triggers).toEqual([])
  const { rows: unlogged } = await pool.query(
    "select relname as table from pg_class where relpersistence = 'u' and relname = any($1) order by 1",
    [spread],
  )
  // A move of shards copies them from the log, and would wait for ever for what is not in it.
  const logged = [...text.matchAll(/^alter table (\w+) set logged;$/gm)].map(([, table]) => table)
  expect(unlogged.map(({ table }) => table)).toEqual(isOnCluster ? [] : logged.toSorted())
  expect(
    logged.every((table) => text.indexOf(`alter table ${table}`) < text.indexOf(`('${table}'`)),
  ).toBe(true)
})

test("session state is stored without compression, on pages with room for updates", async () => {
  const { rows } = await pool.query(
    `select c.relname as table, attstorage as storage, array_to_string(reloptions, ' ') as options
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where attname = 'state' and relname in ('chat_sessions', 'preview_sessions') order by 1`,
  )
  for (const row of rows) {
    expect(row.storage).toBe("e")
    expect(row.options).toContain("fillfactor=50")
  }
  expect(rows).toHaveLength(2)
})

test("no index of sessions covers a column that changes", async () => {
  const { rows } = await pool.query(
    "select indexname from pg_indexes where tablename in ('chat_sessions', 'preview_sessions')",
  )
  expect(rows.map(({ indexname }) => indexname).sort()).toEqual([
    "chat_sessions_pkey",
    "preview_sessions_owned",
    "preview_sessions_owner",
    "preview_sessions_pkey",
  ])
})

// Statements that are sent are held to them where they are sent.
test("what functions do inside obeys the rules of clusters", async () => {
  const { rows } = await pool.query(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
    where pronamespace = 'public'::regnamespace`,
  )
  const inside = rows.flatMap(({ definition }) => statementsIn(definition))
  expect(inside.length).toBeGreaterThan(30)
  const facts = await readFacts(url)
  for (const text of inside) {
    expect(brokenRules(text, facts), text).toEqual([])
  }
})

test("the write of a turn is one call, alone in its statement, with the result id first", () => {
  expect(saveTurnStatement.text).toBe("select save_turn($1, $2, $3, $4, $5, $6, $7, $8) as saved")
})

test("hot statements have names of their own", () => {
  const names = hotNames()
  expect(names.length).toBeGreaterThan(35)
  expect(new Set(names).size).toBe(names.length)
})

const kinds: [RegExp, string[]][] = [
  [/Timestamp$/, ["timestamp with time zone"]],
  [/^(Optional)?Json</, ["jsonb"]],
  [/Buffer/, ["bytea"]],
  [/boolean/, ["boolean"]],
  [/string\[\]/, ["ARRAY"]],
  [/^ColumnType<string, Date/, ["date"]],
  [/number/, ["integer", "smallint", "bigint"]],
  [
    /string|Plan|MemberRole|CollaborationType|PublicationKind|EditKind|VersionOrigin|EndState|DeliveryState|DisabledReason/,
    ["text", "uuid"],
  ],
]

/** Columns as the source of the table types has them; where a kind has several, the database decides. */
async function writtenColumns(): Promise<string[]> {
  const source = await Promise.all(
    ["tables.ts", "hotTables.ts", "versionTables.ts", "countTables.ts", "eventTables.ts"].map(
      (file) => readFile(new URL(`../../src/db/schema/${file}`, import.meta.url), "utf8"),
    ),
  )
  const actual = await pool.query(
    "select table_name || '.' || column_name as name, data_type from information_schema.columns",
  )
  const types = new Map(actual.rows.map(({ name, data_type }) => [name, data_type]))
  const columns: string[] = []
  for (const [, table, body] of source.join("\n").matchAll(/^ {2}(\w+): \{\n(.*?)\n {2}\}/gms)) {
    for (const [, column, type] of (body ?? "").matchAll(/^ {4}(\w+): (.+)$/gm)) {
      const name = `${snakeCase(table ?? "")}.${snakeCase(column ?? "")}`
      const allowed = kinds.find(([pattern]) => pattern.test(type ?? ""))?.[1] ?? []
      const found = types.get(name)
      const kind = allowed.includes(found) ? found : allowed.join(" or ")
      columns.push(`${name}: ${kind}${optionality(type ?? "")}`)
    }
  }
  return columns.sort()
}

function optionality(type: string): string {
  if (/\| null(>|$)|^NullableTimestamp/.test(type)) return " or null"
  return /^(Generated|DefaultTimestamp|OptionalJson)/.test(type) ? " with default" : ""
}

function snakeCase(name: string): string {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return text.replace(/^_/, "")
}
