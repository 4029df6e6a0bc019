/** Calls SQL functions, also while others hold their locks. */
import type { Pool } from "pg"
import { untilLockWaits } from "./lockWaits.ts"

/** Where a statement runs: a pool, or one connection of it. */
export type Rows = {
  query(query: { text: string; values?: unknown[]; rowMode: "array" }): Promise<unknown>
}

/** Calls functions in a database; some connections of the pool hold locks while others wait for them. */
export function openFunctions(pool: Pool) {
  /** All rows of a query, as lists. */
  async function rowsOf(text: string, values: unknown[] = [], source: Rows = pool) {
    return ((await source.query({ text, values, rowMode: "array" })) as { rows: unknown[][] }).rows
  }

  async function call(name: string, values: unknown[], source: Rows = pool): Promise<unknown> {
    const places = values.map((_, index) => `$${index + 1}`).join(", ")
    const [row] = await rowsOf(`select ${name}(${places})`, values, source)
    return row?.[0]
  }

  /** Runs something while a transaction holds its locks, which is committed or undone afterwards. */
  async function during<T>(
    begin: (source: Rows) => Promise<unknown>,
    then: (commit: () => Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query("begin")
      await begin(client)
      return await then(() => client.query("commit"))
    } finally {
      await client.query("rollback")
      client.release()
    }
  }

  /** Runs something twice, the second time while the first one is not yet committed. */
  async function atOnce(work: (source: Rows) => Promise<unknown>): Promise<unknown> {
    return during(work, async (commit) => {
      const second = work(pool)
      await untilLockWaits(pool)
      await commit()
      return second
    })
  }

  /** Runs on a connection that refuses to wait for a lock. Returns "waits" where it would. */
  async function withoutWaiting(work: (source: Rows) => Promise<unknown>): Promise<unknown> {
    const client = await pool.connect()
    try {
      await client.query("set lock_timeout = '200ms'")
      return await work(client).catch((error: { code?: string }) => {
        if (error.code !== "55P03") throw error
        return "waits"
      })
    } finally {
      await client.query("reset lock_timeout")
      client.release()
    }
  }

  return { rowsOf, call, during, atOnce, withoutWaiting }
}
