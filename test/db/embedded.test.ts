/** The embedded server survives what happens to processes: two at once, kills, leftovers, root. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, expect, onTestFinished, test, vi } from "vitest"
import { readConfig } from "../../src/app/config.ts"
import { openMigrated } from "../../src/app/service.ts"
import { failureOf } from "../../src/db/connection/databaseFailures.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { type Disposers, disposeAll } from "../../src/lib/disposers.ts"
import { type EmbeddedServer, startEmbedded } from "../../src/postgres/startEmbedded.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { until, untilGone } from "../support/waiting.ts"

const root = await mkdtemp(join(tmpdir(), "parley-embedded-"))
// The server's account has to get through when the tests run as root.
await chmod(root, 0o755)
const servers: EmbeddedServer[] = []
const children: ChildProcess[] = []
const isRoot = process.getuid?.() === 0
const project = fileURLToPath(new URL("../..", import.meta.url))
const ordinary = { uid: 65534, gid: 65534 }
// Root's own folders may hide the project, or Node itself, from everybody else.
const canBecomeOrdinary =
  isRoot &&
  spawnSync(process.execPath, ["--import", "tsx", "-e", "0"], { ...ordinary, cwd: project })
    .status === 0

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
  for (const server of servers.splice(0)) await server.stop()
})

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 5 }))

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(root, "data-"))
  await chmod(folder, 0o755)
  return folder
}

async function start(dataFolder: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataFolder, durable: false, settings: ["fsync=off"] })
  servers.push(server)
  return server
}

function spawnHolder(dataFolder: string, account = {}): ChildProcess {
  const file = fileURLToPath(new URL("embeddedProcess.ts", import.meta.url))
  const child = spawn(process.execPath, ["--import", "tsx", file, dataFolder], {
    ...account,
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  })
  children.push(child)
  return child
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) return ""
  const [line] = await once(createInterface(child.stdout), "line")
  return String(line)
}

async function pidOf(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, "postgres", "postmaster.pid"), "utf8")
  return Number(text.split("\n")[0])
}

test("what PGSSLMODE asks of other servers does not concern it", async () => {
  vi.stubEnv("PGSSLMODE", "verify-full")
  const { url } = await start(await freshFolder())
  const database = await openDatabase({ url, poolSize: 2 })
  onTestFinished(() => database.close())
  const { rows } = await database.pool.query("select 1 as one")
  expect(rows).toEqual([{ one: 1 }])
})

test("two starts at once share one server, which keeps its data when it is stopped", async () => {
  const dataFolder = await freshFolder()
  const [one, other] = await Promise.all([start(dataFolder), start(dataFolder)])
  expect(one.url).toBe(other.url)
  expect([one.isOwner(), other.isOwner()].sort()).toEqual([false, true])
  const database = await openDatabase({ dataFolder })
  await database.pool.query("create table kept (n int); insert into kept values (7)")
  await database.close()
  await Promise.all([one.stop(), other.stop()])
  const again = await openDatabase({ dataFolder })
  const { rows } = await again.pool.query("select n from kept")
  await again.close()
  expect(rows).toEqual([{ n: 7 }])
})

test("the server listens on a socket that only its account may use, and on no port", async () => {
  const dataFolder = await freshFolder()
  const { url, address } = await start(dataFolder)
  expect((await stat(address.host)).mode & 0o777).toBe(0o700)
  const database = await openDatabase({ url })
  const { rows } = await database.pool.query("show listen_addresses")
  await database.close()
  expect(rows).toEqual([{ listen_addresses: "" }])

  // As for those outside of a private /tmp.
  await rename(address.host, `${address.host}-away`)
  await expect(start(dataFolder)).rejects.toThrow(
    /runs on .*, but the folder of its socket, .* is not there for this process: .*TMPDIR/,
  )
  await rename(`${address.host}-away`, address.host)
})

test("the server has room for the connections of all workers", async () => {
  const variables = { PARLEY_DATA: await freshFolder(), PARLEY_WORKERS: "8" }
  const disposers: Disposers = []
  const { main } = await openMigrated(readConfig(variables), silentLog(), disposers)
  // Ten for callers, nine beside them, and one that listens.
  const all = main.beside({ poolSize: 8 * 20 })
  const lent = await Promise.all(Array.from({ length: 8 * 20 }, () => all.pool.connect()))
  for (const client of lent) client.release()
  await all.close()
  await disposeAll(disposers, 10_000)
})

test("a process that adopted a server starts it again when its owner stops", async () => {
  const dataFolder = await freshFolder()
  const owner = await start(dataFolder)
  const adopter = await openDatabase({ dataFolder })
  await adopter.pool.query("create table kept ()")
  await owner.stop()
  const { rows } = await adopter.pool.query("select to_regclass('kept') is not null as kept")
  expect(rows).toEqual([{ kept: true }])
  const pid = await pidOf(dataFolder)
  await adopter.close()
  await untilGone(pid)
})

test("a process that is killed leaves no server behind, and nothing in the way of the next", async () => {
  const dataFolder = await freshFolder()
  const child = spawnHolder(dataFolder)
  expect(await firstLine(child)).toBe("started")
  const pid = await pidOf(dataFolder)
  child.kill("SIGKILL")
  await untilGone(pid)
  expect((await start(dataFolder)).isOwner()).toBe(true)
})

test("a process that is killed while it makes its first data leaves nothing broken", async () => {
  const dataFolder = await freshFolder()
  const child = spawnHolder(dataFolder)
  await until(async () =>
    (await readdir(dataFolder)).some((name) => name.startsWith("postgres.init-")),
  )
  child.kill("SIGKILL")
  await once(child, "exit")
  await start(dataFolder)
  expect((await readdir(dataFolder)).sort()).toEqual(
    expect.arrayContaining(["postgres", "postgres.log"]),
  )
})

test("a server that is killed comes back with what it had", async () => {
  const dataFolder = await freshFolder()
  const database = await openDatabase({ dataFolder })
  await database.pool.query("create table kept ()")
  const pid = await pidOf(dataFolder)
  process.kill(pid, "SIGKILL")
  await untilGone(pid)
  // Its connections are known to be broken, too.
  await until(() => database.pool.totalCount === 0)
  const { rows } = await database.pool.query("select to_regclass('kept') is not null as kept")
  await database.close()
  expect(rows).toEqual([{ kept: true }])
})

test("statements go on, pipelined again, after the server crashes under load", async () => {
  const dataFolder = await freshFolder()
  const database = await openDatabase({ dataFolder, poolSize: 4 })
  await database.pool.query("create table added (n int)")
  const add = { name: "add_number", text: "insert into added values ($1) returning n" }
  const { pipelines } = database
  const added: number[] = []
  const failures = new Set<string | undefined>()
  let isOver = false
  let next = 0
  const load = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const n = next++
      await database.run(add, [n]).then(
        () => added.push(n),
        (error) => void failures.add(failureOf(error)),
      )
    }
  })
  const opened = () => pipelines.connections.idle + pipelines.connections.busy
  const untilPipelined = () => until(() => opened() === 2)
  const untilNone = () => until(() => opened() === 0)
  try {
    await untilPipelined()
    // An immediate shutdown, as if it crashed: a busy connection outlives a kill of its server.
    process.kill(await pidOf(dataFolder), "SIGQUIT")
    await untilNone()
    await untilPipelined()
  } finally {
    isOver = true
    await Promise.all(load)
  }
  for (const failure of failures) expect(failure).toBe("lost")
  const { rows } = await database.pool.query("select n from added")
  await database.close()
  expect(rows.map(({ n }) => n)).toEqual(expect.arrayContaining(added))
})

test("a pid file with a process of another user is no obstacle", async () => {
  const dataFolder = await freshFolder()
  const first = await start(dataFolder)
  const file = join(dataFolder, "postgres", "postmaster.pid")
  const text = await readFile(file, "utf8")
  await first.stop()
  await writeFile(file, text.replace(/^\d+/, String(process.ppid)))
  await writeFile(join(dataFolder, "postgres.lock"), String(process.pid))
  expect((await start(dataFolder)).isOwner()).toBe(true)
})

test("data of another version is refused with a way out", async () => {
  const dataFolder = await freshFolder()
  await mkdir(join(dataFolder, "postgres"))
  await writeFile(join(dataFolder, "postgres", "PG_VERSION"), "9\n")
  await expect(startEmbedded({ dataFolder })).rejects.toThrow(
    /made by PostgreSQL 9, .*PARLEY_PG_BIN.*DATABASE_URL/,
  )
})

test("programs that are not there are refused with a way out", async () => {
  const dataFolder = await freshFolder()
  await expect(startEmbedded({ dataFolder, binFolder: "/nowhere" })).rejects.toThrow(
    /PARLEY_PG_BIN names \/nowhere.*DATABASE_URL/,
  )
})

test("a server that cannot start says why", async () => {
  const settings = ["shared_buffers=nonsense"]
  const started = startEmbedded({ dataFolder: await freshFolder(), durable: false, settings })
  await expect(started).rejects.toThrow(/shared_buffers.*nonsense.*DATABASE_URL/)
})

test("a server that cannot start does not complain of what an earlier one did", async () => {
  const dataFolder = await freshFolder()
  await (await start(dataFolder)).stop()
  await appendFile(join(dataFolder, "postgres.log"), "FATAL:  the disk was full yesterday\n")
  await rm(join(dataFolder, "postgres", "postgresql.conf"))
  await expect(start(dataFolder)).rejects.toThrow(/could not access.*postgresql\.conf/)
})

if (isRoot) {
  test("root runs the server as another account, and out of a closed folder elsewhere", async () => {
    const closed = await mkdtemp(join(tmpdir(), "parley-closed-"))
    const dataFolder = join(closed, "data")
    const server = await start(dataFolder)
    const home = (await readFile(join(dataFolder, "location"), "utf8")).trim()
    expect(dirname(home)).toBe("/var/lib/parley")
    expect(server.elsewhere).toBe(home)
    expect((await stat(join(home, "postgres"))).uid).toBeGreaterThan(0)
    expect((await start(dataFolder)).url).toBe(server.url)
    for (const running of servers.splice(0)) await running.stop()
    expect((await start(dataFolder)).isOwner()).toBe(true)
    for (const running of servers.splice(0)) await running.stop()
    await rm(home, { recursive: true })
    // Gone only if no other data lies there.
    await rmdir(dirname(home)).catch(() => {})
    await rm(closed, { recursive: true })
  })
}

if (canBecomeOrdinary) {
  test("an ordinary user runs it as themselves, root afterwards as that user", async () => {
    const dataFolder = await realpath(await freshFolder())
    await chown(dataFolder, ordinary.uid, ordinary.gid)
    const child = spawnHolder(dataFolder, ordinary)
    expect(await firstLine(child)).toBe("started")
    expect((await start(dataFolder)).isOwner()).toBe(false)
    const pid = await pidOf(dataFolder)
    child.kill("SIGTERM")
    await untilGone(pid)
    expect((await start(dataFolder)).isOwner()).toBe(true)
    expect((await stat(join(dataFolder, "postgres"))).uid).toBe(ordinary.uid)
  })

  test("an ordinary user gets a message when the data belongs to another user", async () => {
    const dataFolder = await freshFolder()
    const server = await start(dataFolder)
    await server.stop()
    await chown(dataFolder, ordinary.uid, ordinary.gid)
    const child = spawnHolder(dataFolder, ordinary)
    expect(await firstLine(child)).toMatch(/belongs to another user.*DATABASE_URL/)
  })
}
