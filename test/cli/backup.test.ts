/** Backups: a moment of a busy service, complete or refused by name, restored as a whole or not at all. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { beforeAll, describe, expect, test, vi } from "vitest"
import { backupCommand, moveCommand } from "../../src/cli/backup/commands.ts"
import { readFiles } from "../../src/cli/backup/files.ts"
import { restoreCommand } from "../../src/cli/restore.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { schemaFolder } from "../../src/db/schema/migrate.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { putRowInEach } from "../support/rowInEach.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const folder = await testFolder()
const from = { url: await testDatabaseUrl(), data: join(folder, "from") }
const server = await testServer({ DATABASE_URL: from.url, PARLEY_DATA: from.data })
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

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const database = await openDatabase({ url, poolSize: 1 })
  return await database.pool
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => database.close())
}

const tables = (url: string) =>
  query<{ name: string }>(
    url,
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  )

/** Everything in a table, in an order of its own. */
const contents = (url: string, table: string) =>
  query(url, `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text collate "C"`)

async function startChat(address = server.address): Promise<string> {
  // With a token the service would note some seconds later that it was used.
  const sent = { token: null, body: {} }
  const { body } = await server.send("POST", "/api/v1/bots/demo/startChat", sent)
  return address && String(body.sessionId)
}

/** Chats until told to stop; resolves to the chats and how many of them were acknowledged. */
async function chatWhile(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let acknowledged = 0
  const chatter = (async () => {
    while (!isOver) {
      await startChat()
      acknowledged += 1
    }
  })()
  await work()
  isOver = true
  await chatter
  return acknowledged
}

beforeAll(async () => {
  const path = join(from.data, "files/ab/cd.txt")
  await mkdir(join(path, ".."), { recursive: true })
  await writeFile(path, "x".repeat(3_000_000))
  // Texts that formats stumble over, and JSON that is null.
  const odd = JSON.stringify(`\\ " ' \t {{}} ✓ ${"\\x00"}`)
  await query(from.url, `update bots set settings = '{"a": ${odd.replaceAll("'", "''")}}'`)
  await query(from.url, "update workspaces set settings = 'null'::jsonb")
  await within(from, backupCommand, file)
})

describe("a backup", () => {
  test("restores every row and file in an empty place, where chats go on", async () => {
    const sessionId = await startChat()
    await within(from, backupCommand, file, "--force")
    const to = await emptyPlace()
    const restored = await within(to, restoreCommand, file)
    expect(restored).toMatchObject({ code: 0, out: "" })
    expect(restored.err).toMatch(/Restored workspaces: 1\n[\s\S]*Restored files: 1\n/)
    for (const { name } of await tables(from.url)) {
      // Jobs and limits go on meanwhile, and links to sign in last for minutes.
      const passing = ["jobs", "rate_limits", "parley_migrations", "sign_in_links"]
      if (passing.includes(name)) continue
      expect([name, await contents(to.url, name)]).toEqual([name, await contents(from.url, name)])
    }
    expect(await readFile(join(to.data, "files/ab/cd.txt"), "utf8")).toBe("x".repeat(3_000_000))
    const second = await testServer({ DATABASE_URL: to.url, PARLEY_DATA: to.data })
    const reply = { token: null, body: { message: "I am just looking" } }
    const path = `/api/v1/sessions/${sessionId}/continueChat`
    expect((await second.send("POST", path, reply)).status).toBe(200)
  })

  test("has every table that outlives a crash, as the catalog lists them, with its rows", async () => {
    const full = { url: await testDatabaseUrl(), data: join(folder, "full") }
    const database = await openDatabase({ url: full.url, poolSize: 1 })
    const names = await putRowInEach(database.pool).finally(() => database.close())
    const filled = join(folder, "filled")
    await within(full, backupCommand, filled)
    // The schema is made anew, migration by migration.
    const expected = names.filter((name) => name !== "parley_migrations")
    const lines = gunzipSync(await readFile(filled))
      .toString()
      .split("\n")
    const named = new Set(lines.flatMap((line) => /"table":"(\w+)"/.exec(line)?.[1] ?? []))
    expect([...named].sort()).toEqual(expected)
    const to = await emptyPlace()
    expect(await within(to, restoreCommand, filled)).toMatchObject({ code: 0 })
    for (const name of expected) {
      const rows = await contents(full.url, name)
      expect([name, rows.length]).not.toEqual([name, 0])
      expect([name, await contents(to.url, name)]).toEqual([name, rows])
    }
  })

  test("of a cluster, where some unlogged tables are logged, is restored without them", async () => {
    const spread = { url: await testDatabaseUrl(), data: join(folder, "spread") }
    const distribute = await readFile(join(schemaFolder(), "cluster/distribute.sql"), "utf8")
    const logged = [...distribute.matchAll(/^alter table (\w+) set logged;$/gm)]
    for (const [statement] of logged) await query(spread.url, statement)
    await query(spread.url, "insert into rate_limits (key, points, expire) values ('a', 1, 2)")
    const saved = join(folder, "ofCluster")
    await within(spread, backupCommand, saved)
    const lines = gunzipSync(await readFile(saved))
      .toString()
      .split("\n")
    const names = logged.map(([, name]) => `"table":"${name}"`)
    expect(names).toHaveLength(2)
    expect(lines.filter((line) => names.some((name) => line.includes(name)))).toEqual([])
    const [head = "", ...others] = lines
    const end = others.findIndex((line) => line.startsWith('{"end"'))
    const items = [
      ...others.slice(0, end),
      '{"table":"rate_limits","columns":[]}',
      '{"rows":[["a","1","2"]]}',
    ]
    const former = join(folder, "ofFormerCluster")
    const last = JSON.stringify({ end: { items: items.length } })
    await writeFile(former, gzipSync([head, ...items, last, ""].join("\n")))
    for (const path of [saved, former]) {
      const to = await emptyPlace()
      expect(await within(to, restoreCommand, path)).toMatchObject({ code: 0 })
      expect(await contents(to.url, "rate_limits")).toEqual([])
    }
  })

  test("made while people chat has what was acknowledged before it, whole", async () => {
    const before = await chatWhile(async () => {
      while ((await query(from.url, "select 1 from chat_sessions limit 5")).length < 5);
    })
    const moment = join(folder, "moment")
    await chatWhile(() => within(from, backupCommand, moment))
    const to = await emptyPlace()
    await within(to, restoreCommand, moment)
    const [counted] = await query<{ sessions: number; results: number; orphans: number }>(
      to.url,
      `select (select count(*) from chat_sessions) as sessions, (select count(*) from results) as results,
        (select count(*) from chat_sessions s where not exists
          (select 1 from results r where r.result_id = s.result_id)) as orphans`,
    )
    expect(counted?.sessions).toBeGreaterThanOrEqual(before)
    expect(counted).toMatchObject({ results: counted?.sessions, orphans: 0 })
  })

  test("removes what killed ones have left in its folder, and nothing else", async () => {
    const { pid: dead = 0 } = spawnSync(process.execPath, ["--version"])
    const nightly = await mkdtemp(join(folder, "nightly-"))
    const left = [`monday.parley-${dead}.partial`, `tuesday.parley-${process.pid}.partial`]
    const kept = [`sunday.parley-${process.ppid}.partial`, `download.${dead}.partial`, "x.partial"]
    for (const name of [...left, ...kept]) await writeFile(join(nightly, name), "half")
    expect(await within(from, backupCommand, join(nightly, "today"))).toMatchObject({ code: 0 })
    expect((await readdir(nightly)).sort()).toEqual([...kept, "today"].sort())
  })

  test("does not replace a file without the flag", async () => {
    const again = await within(from, backupCommand, file)
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining(`a file ${file} already`) })
  })

  test("is not made without the files that it could not read", async () => {
    const data = join(folder, "unreadable")
    await mkdir(data)
    await writeFile(join(data, "files"), "no folder")
    const target = join(folder, "without")
    const refused = await within({ ...from, data }, backupCommand, target)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("ENOTDIR") })
    expect(existsSync(target)).toBe(false)
  })

  test("has all other files while folders of files are deleted", async () => {
    const root = join(folder, "busy/files")
    const names = Array.from({ length: 200 }, (_, index) => `result${index}`)
    for (const name of ["kept", ...names]) {
      await mkdir(join(root, name), { recursive: true })
      await writeFile(join(root, name, "it.txt"), name)
    }
    // Before the listing comes to them, wherever it begins.
    const deleting = (async () => {
      for (const name of names) await rm(join(root, name), { recursive: true })
    })()
    const found = []
    for await (const { file: each } of readFiles(join(folder, "busy"))) found.push(each)
    await deleting
    expect(found).toContain("kept/it.txt")
  })

  test("has no secret in it", async () => {
    const text = gunzipSync(await readFile(file)).toString()
    expect(text).toContain('"table":"secret_check"')
    expect(text).not.toContain("a secret that only tests know of")
  })
})

describe("a broken backup is refused by name, and leaves the target empty", () => {
  const lines = async () =>
    gunzipSync(await readFile(file))
      .toString()
      .split("\n")
  const zipped = (all: string[]) => gzipSync(all.join("\n"))

  test.each<[string, () => Promise<Buffer>]>([
    ["cut in the middle", async () => (await readFile(file)).subarray(0, -500)],
    ["cut at the end of a line", async () => zipped((await lines()).slice(0, 20).concat(""))],
    ["without one of its lines", async () => zipped((await lines()).toSpliced(12, 1))],
    ["of another kind", async () => Buffer.from("hello")],
    ["JSON of another kind", async () => gzipSync('{"version":"6"}\n')],
    ["empty", async () => Buffer.alloc(0)],
  ])("%s", async (_, bytes) => {
    const path = join(folder, "broken")
    await writeFile(path, await bytes())
    const to = await emptyPlace()
    const { err, code } = await within(to, restoreCommand, path)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`${path} is not a complete backup`),
    })
    expect(await tables(to.url)).toEqual([])
    expect(await readdir(join(to.data, "files")).catch(() => [])).toEqual([])
    // What was left behind is no obstacle.
    expect(await within(to, restoreCommand, file)).toMatchObject({ code: 0 })
  })

  test("of a later format or version", async () => {
    const [head = "", ...rest] = await lines()
    for (const change of [{ parleyBackup: 2 }, { migration: 9999 }]) {
      const path = join(folder, "later")
      await writeFile(path, zipped([JSON.stringify({ ...JSON.parse(head), ...change }), ...rest]))
      const to = await emptyPlace()
      const { err } = await within(to, restoreCommand, path)
      expect(err).toMatch(/restore it with that (version|one)/)
      expect(await tables(to.url)).toEqual([])
    }
  })
})

test("a backup that is not there is refused before a database is made for it", async () => {
  const data = join(folder, "nothing")
  const refused = await within({ url: "", data }, restoreCommand, join(folder, "mispelt"))
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("There is no file") })
  expect(existsSync(data)).toBe(false)
})

test("a folder is no backup", async () => {
  const refused = await within(await emptyPlace(), restoreCommand, folder)
  expect(refused).toEqual({ code: 1, out: "", err: `${folder} is a folder: name a backup.\n` })
})

test("a database or a data folder in use is not restored into", async () => {
  const used = await within(from, restoreCommand, file)
  expect(used).toMatchObject({ code: 1, err: expect.stringContaining("The database is not empty") })
  const to = { ...(await emptyPlace()), data: from.data }
  const files = await within(to, restoreCommand, file)
  expect(files).toMatchObject({ code: 1, err: expect.stringContaining("There are files in") })
  expect(await tables(to.url)).toEqual([])
})

test("a service that runs is not moved, wherever it runs", async () => {
  const to = (await emptyPlace()).url
  const other = await within(from, moveCommand, "--to", to)
  expect(other).toMatchObject({ code: 1, err: expect.stringMatching(/has this .*: stop it first/) })
  await writeFile(join(from.data, "address"), server.address)
  const here = await within(from, moveCommand, "--to", to)
  expect(here).toMatchObject({ code: 1, err: expect.stringMatching(/ runs at .*: stop it first/) })
  expect(other.err + here.err).not.toContain("Saved")
  await server.stop()
})

test("a database to which nothing can be moved is refused before anything is copied", async () => {
  const used = await within(from, moveCommand, "--to", from.url)
  const words = "The database is not empty: name one without tables by --to"
  expect(used).toMatchObject({ code: 1, err: expect.stringContaining(words) })
  const absent = await within(from, moveCommand, "--to", "postgres://127.0.0.1:1/none")
  expect(absent).toMatchObject({ code: 1, err: expect.stringMatching(/answer.*--to is right/) })
  expect(used.err + absent.err).not.toContain("Saved")
})

test("a service moves to another database", async () => {
  const to = await emptyPlace()
  const moved = await within(from, moveCommand, "--to", to.url)
  expect(moved).toMatchObject({ code: 0, err: expect.stringContaining("Moved.") })
  expect(await contents(to.url, "results")).toEqual(await contents(from.url, "results"))
})
