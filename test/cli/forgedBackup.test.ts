/** A backup may come from anywhere: nothing of it becomes SQL, leaves its folder or fills the machine. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { beforeAll, describe, expect, test, vi } from "vitest"
import { backupCommand } from "../../src/cli/backup/commands.ts"
import { backupLines } from "../../src/cli/backup/lines.ts"
import { restoreCommand } from "../../src/cli/restore.ts"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { run } from "../support/runCommand.ts"
import { testFolder } from "../support/testFolder.ts"

const folder = await testFolder()
const file = join(folder, "backup")

type Place = { url: string; data: string }

async function within(place: Place, command: Parameters<typeof run>[0], ...words: string[]) {
  vi.stubEnv("DATABASE_URL", place.url)
  vi.stubEnv("PARLEY_DATA", place.data)
  vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")
  return await run(command, ...words)
}

let places = 0
async function emptyPlace(): Promise<Place> {
  return { url: await testDatabaseUrl("empty"), data: join(folder, `to-${++places}`) }
}

async function query<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const pool = openConnectionPool({ url, size: 1, statementTimeoutMs: 60_000 })
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await pool.query<Row>(statement)).rows
    return rows
  } finally {
    await pool.end()
  }
}

const tables = (url: string) =>
  query(
    url,
    "select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')",
  )

type Item = {
  table?: string
  columns?: { name: string; type: string }[]
  rows?: (string | null)[][]
  file?: string
  bytes?: string
  end?: { items: number }
}

const from = { url: await testDatabaseUrl(), data: join(folder, "from") }
let honest: Item[] = []

beforeAll(async () => {
  await query(
    from.url,
    "insert into users (id, email) values ('u1', 'ann@example.com')",
    "insert into workspaces (id, name) values ('w1', 'Shop')",
    "insert into workspace_members (workspace_id, user_id, role) values ('w1', 'u1', 'ADMIN')",
  )
  await mkdir(join(from.data, "files/ab"), { recursive: true })
  await writeFile(join(from.data, "files/ab/cd.txt"), "hello")
  expect(await within(from, backupCommand, file)).toMatchObject({ code: 0 })
  honest = gunzipSync(await readFile(file))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Item)
})

/** The honest backup after some change, with an end that fits. */
async function forge(change: (items: Item[]) => Item[]): Promise<string> {
  const path = join(folder, "forged")
  const [head, ...items] = structuredClone(honest)
  const changed = change(items.slice(0, -1))
  const all = [head, ...changed, { end: { items: changed.length } }]
  await writeFile(path, gzipSync(`${all.map((item) => JSON.stringify(item)).join("\n")}\n`))
  return path
}

/** The items of one table, changed. */
const inTable =
  (name: string, change: (table: Item, rows: Item | undefined) => void) => (items: Item[]) => {
    const at = items.findIndex(({ table }) => table === name)
    change(items[at] ?? {}, items[at + 1])
    return items
  }

const first = (items: readonly Item[]) => items.findIndex(({ file: name }) => name !== undefined)

async function expectRefused(path: string, reason: RegExp): Promise<void> {
  const to = await emptyPlace()
  const { err, code } = await within(to, restoreCommand, path)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(reason) })
  expect(err).toContain(`${path} is not a complete backup`)
  expect(await tables(to.url)).toEqual([])
  expect(await readdir(to.data).catch(() => [])).toEqual([])
}

test("an unchanged backup restores, with any type named for a column", async () => {
  const sql = "text || pg_read_file('PG_VERSION')"
  const path = await forge(
    inTable("workspaces", ({ columns = [] }) => {
      for (const column of columns) if (column.name === "name") column.type = sql
    }),
  )
  const to = await emptyPlace()
  expect(await within(to, restoreCommand, path)).toMatchObject({ code: 0 })
  expect(await query(to.url, "select name from workspaces")).toEqual([{ name: "Shop" }])
  expect(await readFile(join(to.data, "files/ab/cd.txt"), "utf8")).toBe("hello")
})

const role = { name: "rolname", type: "name" }

describe("what the schema does not have is refused, and leaves the target as it was", () => {
  test.each<[string, (items: Item[]) => Item[], RegExp]>([
    [
      "a table of the server",
      (items) => [{ table: "pg_authid", columns: [role] }, { rows: [["forged"]] }, ...items],
      /It has a table pg_authid that/,
    ],
    [
      "a name of a table with SQL",
      (items) => [{ table: 'users" (id) select 1; --', columns: [] }, ...items],
      /It has a table users" \(id\) select 1; -- that/,
    ],
    [
      "the table of migrations",
      (items) => [
        { table: "parley_migrations", columns: [{ name: "number", type: "int" }] },
        ...items,
      ],
      /It has a table parley_migrations that/,
    ],
    ["a table twice", (items) => [...items.slice(0, 1), ...items], /It has a table \w+ that/],
    [
      "a table less",
      (items) => items.slice(first(items) - 1),
      /It has rows outside of a table|lacks/,
    ],
    [
      "a column that is not there",
      inTable("users", ({ columns = [] }) => {
        columns.push({ name: "nobody", type: "text" })
      }),
      /It has a column nobody of users/,
    ],
    [
      "a name of a column with SQL",
      inTable("users", ({ columns: [column] = [] }) => {
        if (column) column.name = "id) select pg_read_file('PG_VERSION'); --"
      }),
      /It has a column id\) select .* of users/,
    ],
    [
      "a column twice",
      inTable("users", ({ columns: [column, other] = [] }) => {
        if (column && other) other.name = column.name
      }),
      /It has a column \w+ of users/,
    ],
    [
      "a column less",
      inTable("users", ({ columns = [] }) => void columns.pop()),
      /It lacks the column \w+ of users/,
    ],
    [
      "a value less",
      inTable("users", (_, rows) => void rows?.rows?.[0]?.pop()),
      /It has a row that does not fit its table/,
    ],
    [
      "a value of another type",
      inTable("users", ({ columns = [] }, rows) => {
        const at = columns.findIndex(({ name }) => name === "created_at")
        const row = rows?.rows?.[0]
        if (row) row[at] = "never"
      }),
      /cut off or changed/,
    ],
    [
      "rows after files",
      (items) => [...items, { rows: [["x"]] }],
      /It has rows outside of a table/,
    ],
  ])("%s", async (_, change, reason) => {
    await expectRefused(await forge(change), reason)
    const place = await emptyPlace()
    expect(await query(place.url, "select from pg_authid where rolname = 'forged'")).toEqual([])
  })

  test("rows that belong to nothing, and their files are not in place either", async () => {
    const path = await forge(inTable("users", (_, rows) => void rows?.rows?.pop()))
    const to = await emptyPlace()
    const { err, code } = await within(to, restoreCommand, path)
    expect([code, err]).toEqual([1, expect.stringContaining("foreign key")])
    expect(await tables(to.url)).toEqual([])
    expect(await readdir(to.data)).toEqual([])
  })
})

describe("files stay in their folder, and come once", () => {
  const named = (name: string) => (items: Item[]) => [...items, { file: name, bytes: "aGVsbG8=" }]
  test.each<[string, (items: Item[]) => Item[], RegExp]>([
    ["a way up", named("../../evil"), /It has a file ".{2}\/.*, which Parley never writes/],
    ["a way up inside", named("a/../../../evil"), /which Parley never writes/],
    ["an absolute path", named("/tmp/evil"), /which Parley never writes/],
    ["a path of Windows", named("..\\evil"), /which Parley never writes/],
    ["a drive", named("c:evil"), /which Parley never writes/],
    ["no name", named(""), /which Parley never writes/],
    ["a NUL", named("a\0b"), /which Parley never writes/],
    ["many folders", named("a/".repeat(1_000)), /which Parley never writes/],
    ["a file inside of a file", named("ab/cd.txt/x"), /and another one inside it/],
    ["a folder as a file", named("ab"), /and another one inside it/],
    [
      "a file that goes on later",
      (items) => [...named("other")(items), ...items.slice(first(items))],
      /It has the file ab\/cd.txt twice/,
    ],
    [
      "no base64",
      (items) => [...items, { file: "x", bytes: "?" }],
      /It has a file x that is not base64/,
    ],
  ])("%s", async (_, change, reason) => {
    await expectRefused(await forge(change), reason)
  })
})

describe("sizes are bounded", () => {
  const limits = { lineBytes: 100_000, anyBytes: 1_000_000, perPackedByte: 100 }
  const readAll = async (text: string) => {
    const path = join(folder, "large")
    await writeFile(path, gzipSync(text))
    let count = 0
    for await (const _ of backupLines(path, limits)) count += 1
    return count
  }

  test("a line is as long as it may be, and no longer", async () => {
    expect(await readAll(`${" ".repeat(90_000)}\n`)).toBe(1)
    await expect(readAll(`${" ".repeat(200_000)}\n`)).rejects.toThrow("a line that is too long")
    // Without an end, too, and before it is read to its end.
    await expect(readAll(" ".repeat(200_000))).rejects.toThrow("a line that is too long")
  })

  test("what unpacks to far more than it takes is refused", async () => {
    expect(await readAll("x\n".repeat(400_000))).toBe(400_000)
    await expect(readAll("x\n".repeat(2_000_000))).rejects.toThrow("It unpacks to far more")
  })

  test("large rows are written in lines of their own", async () => {
    const from = { url: await testDatabaseUrl(), data: join(folder, "large-from") }
    const large = "insert into users (id, email, name) select n, n || '@x.y', repeat('x', 3000000)"
    await query(from.url, `${large} from generate_series(1, 5) n`)
    const path = join(folder, "large-rows")
    expect(await within(from, backupCommand, path)).toMatchObject({ code: 0 })
    let longest = 0
    for await (const line of backupLines(path)) longest = Math.max(longest, line.length)
    expect(longest).toBeGreaterThan(3_000_000)
    expect(longest).toBeLessThan(4_500_000)
    expect(await within(await emptyPlace(), restoreCommand, path)).toMatchObject({ code: 0 })
  })
})

test("lines that changed their places are refused by their sum", async () => {
  const path = join(folder, "reordered")
  const [head, ...rest] = gunzipSync(await readFile(file))
    .toString()
    .split("\n")
  const groups = rest.findIndex((line) => line.includes('"table":"users"'))
  const swapped = [...rest.slice(groups, groups + 2), ...rest.toSpliced(groups, 2)]
  await writeFile(path, gzipSync([head, ...swapped].join("\n")))
  await expectRefused(path, /cut off or changed/)
})

test("a backup of the last version before 0.2.0 is restored, and an older one says what to do", async () => {
  const [head, ...all] = honest
  all.pop()
  const items = await firstRelease(all)
  const backupOf = async (migration: number) => {
    const path = join(folder, `before-${migration}`)
    // Without the checksum of another head.
    const end = { end: { items: items.length } }
    const lines = [{ ...head, version: "0.1.0", migration }, ...items, end]
    await writeFile(path, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join("")))
    return path
  }
  const to = await emptyPlace()
  const restored = await within(to, restoreCommand, await backupOf(53))
  expect(restored, restored.err).toMatchObject({ code: 0 })
  const applied = "select name from parley_migrations order by number"
  expect(await query(to.url, applied)).toEqual(await query(await testDatabaseUrl(), applied))
  const empty = await emptyPlace()
  const { code, err } = await within(empty, restoreCommand, await backupOf(33))
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/has 33 of its 53 migrations/),
  })
  expect(await tables(empty.url)).toEqual([])
})

/** What a backup of the first migration has of these items: only its tables and columns. */
async function firstRelease(items: readonly Item[]): Promise<Item[]> {
  const { url } = await emptyPlace()
  const columns = await query<{ name: string }>(
    url,
    await readFile("schema/0001_parley.sql", "utf8"),
    `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public'`,
  )
  const known = new Set(columns.map(({ name }) => name))
  let isKept: boolean[] = []
  return items.flatMap((item) => {
    const { table, columns: written = [], rows } = item
    if (table !== undefined) {
      isKept = written.map(({ name }) => known.has(`${table}.${name}`))
      const left = written.filter((_, place) => isKept[place])
      return left.length > 0 ? { ...item, columns: left } : []
    }
    if (rows === undefined) return item
    const left = rows.map((row) => row.filter((_, place) => isKept[place]))
    return isKept.includes(true) ? { ...item, rows: left } : []
  })
}
