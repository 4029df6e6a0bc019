/** A database whose pipelines are under test, one that watches them, and what gets in their way. */
import { afterAll, afterEach, beforeEach, expect, type MockInstance, vi } from "vitest"
import type { Statement } from "../../src/db/connection/hotQuery.ts"
import {
  type OpenDatabase,
  type OpenOptions,
  openDatabase,
} from "../../src/db/connection/openDatabase.ts"
import { testDatabaseUrl } from "./database.ts"
import { type Gate, openGate } from "./gate.ts"
import { eventually } from "./waiting.ts"

export const url = await testDatabaseUrl("empty")
// Watches the connections under test, and gets in their way.
export const observer = await openDatabase({ url, poolSize: 3, prepare: false })
afterAll(() => observer.close())
await observer.pool.query("create table counters (id text primary key, n int not null)")

export const who: Statement = { name: "who", text: "select pg_backend_pid() as pid" }
export const add: Statement = {
  name: "add",
  text: `update counters set n = n + 1 where id = $1
    returning n, pg_current_xact_id()::text as "transaction", pg_backend_pid() as pid`,
}
export const pause: Statement = {
  name: "pause",
  text: "select pg_sleep($1), pg_backend_pid() as pid",
}

export type Added = { n: number; transaction: string; pid: number }

/** The messages that `onError` got in the current test. */
export const told: string[] = []
export const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  told.length = 0
  await observer.pool.query("truncate counters")
  await observer.pool.query("insert into counters values ('a', 0), ('b', 0), ('c', 0)")
})

afterEach(async () => {
  letTimePass()
  for (const close of closers.splice(0).reverse()) await close()
})

let clock: MockInstance<typeof performance.now> | undefined

/** Lets time pass again after `openPipelined`. */
export function letTimePass(): void {
  clock?.mockRestore()
  clock = undefined
}

export async function open(options: OpenOptions): Promise<OpenDatabase> {
  const db = await openDatabase({ url, onError: ({ message }) => told.push(message), ...options })
  closers.push(() => db.close())
  return db
}

/**
 * A database with this many open pipelines, and as many connections in its pool. Time stands still for
 * it from then on, so that nothing counts as held up because the machine is busy with other work.
 */
export async function openPipelined(
  pipelines: number,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  const db = await open({ poolSize: 2 * pipelines, ...options })
  await untilOpen(db, pipelines)
  clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  return db
}

export async function openClosableGate(): Promise<Gate> {
  const gate = await openGate(url)
  closers.push(gate.close)
  return gate
}

/** Waits until this many pipelines are open: statements that find none free run on the pool and open one. */
export function untilOpen(db: OpenDatabase, pipelines: number): Promise<void> {
  letTimePass()
  const askForAll = async () => {
    await Promise.all(Array.from({ length: pipelines }, () => db.run(who, [])))
    expect(db.pipelines.connections).toEqual({ idle: pipelines, busy: 0 })
  }
  return eventually(askForAll)
}

export async function pidOf(db: OpenDatabase): Promise<number> {
  const [row] = await db.run<{ pid: number }>(who, [])
  return row?.pid ?? 0
}

export async function added(db: OpenDatabase, id: string): Promise<Added | undefined> {
  const [row] = await db.run<Added>(add, [id])
  return row
}

export async function counters(): Promise<number[]> {
  const { rows } = await observer.pool.query("select n from counters order by id")
  return rows.map(({ n }) => n)
}

/** Holds a lock as an unfinished transaction does; returns a function that releases it. */
export async function hold(lock: string): Promise<() => Promise<void>> {
  const holder = await observer.pool.connect()
  await holder.query("begin")
  await holder.query(lock)
  return async () => {
    await holder.query("commit")
    holder.release()
  }
}

/** Waits until a connection other than this one waits for a lock. */
export function untilAnotherWaits(pid: number): Promise<void> {
  const look = async () => {
    const { rowCount } = await observer.pool.query(
      `select from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database() and pid <> $1`,
      [pid],
    )
    expect(rowCount).toBe(1)
  }
  return eventually(look)
}

/** Ends a connection from the server's side, and waits until it is gone. */
export const terminate = (pid: number) =>
  observer.pool.query("select pg_terminate_backend($1, 5000)", [pid])
