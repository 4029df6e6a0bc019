/**
 * Connections for hot statements, which pg pipelines: a statement is sent behind unanswered ones instead
 * of waiting for a free connection. Each statement is its own transaction. The first connection has the
 * reads, so that they never wait for a commit; those of one turn of the event loop leave in one packet.
 *
 * The pool does the rest: it runs statements while no pipeline is open, when all are full, and when a
 * pipeline has ended a statement because it held up those behind it. So pipelines need no queue, and the
 * bounds on waiting are those of the pool.
 */
import type { Writable } from "node:stream"
import pg from "pg"
import { isRefusedParameter, type Pool } from "./connectionPool.ts"
import { failureOf } from "./databaseFailures.ts"
import { type Row, runHot, type Statement } from "./hotQuery.ts"
import { Client } from "./withClient.ts"
import type { WriteWatch } from "./writeWatch.ts"

type PipelineOptions = {
  /** Max connections; 0: the pool runs everything. */
  count: number
  config: pg.ClientConfig
  /** Called when pipelines turn out not to work here, so that the pool may have their connections. */
  onGiveUp: () => void
  /** Called when a connection breaks while idle; another one replaces it. */
  onError?: ((error: Error) => void) | undefined
}

type Pipeline = {
  client: pg.Client
  pending: number
  /** When it last had nothing to answer or answered something, by `performance.now()`. */
  answeredAt: number
  wasUsed: boolean
}

/** With more unanswered statements than this, a connection of the pool is faster. */
const maxPending = 16
/** Nothing is sent behind a statement that has taken this long: the server may have gone silent. */
const heldUpMs = 20
/** A statement that waits for a lock holds up those behind it, so it moves to the pool. */
const lockTimeoutMs = 100
/** So does one that is slow for any other reason. */
const statementTimeoutMs = 1_000
/** A server that is down or refuses every write must not be connected to endlessly. */
const reopenPauseMs = 1_000
const idleMs = 60_000

/** The pipelined connections of a database, opened when they are needed. */
export class Pipelines {
  readonly #options: PipelineOptions
  #count: number
  #open: Pipeline[] = []
  #opening: Promise<void> | undefined
  #mayOpenAt = 0
  #sweeper: NodeJS.Timeout | undefined

  constructor(options: PipelineOptions) {
    this.#options = options
    this.#count = options.count
  }

  /** The number of connections, by whether they have unanswered statements. */
  get connections(): { idle: number; busy: number } {
    const idle = this.#open.filter(({ pending }) => pending === 0).length
    return { idle, busy: this.#open.length - idle }
  }

  /** Runs a statement. Resolves to undefined, with nothing done, when the pool has to run it. */
  async run(statement: Statement, values: unknown[]): Promise<Row[] | undefined> {
    const pipeline = this.#choose(statement)
    if (!pipeline) return undefined
    if (pipeline.pending === 0) pipeline.answeredAt = performance.now()
    pipeline.pending += 1
    pipeline.wasUsed = true
    if (statement.isRead) collectReads(pipeline)
    try {
      return await runHot(pipeline.client, statement, values)
    } catch (error) {
      if (isUnknownName(error)) this.#replace(pipeline)
      else if (!isCutShort(error)) {
        if (failureOf(error) === "lost") this.#remove(pipeline)
        throw error
      }
      return undefined
    } finally {
      pipeline.pending -= 1
      pipeline.answeredAt = performance.now()
    }
  }

  /** Replaces every connection; busy ones answer first. */
  retire(): void {
    for (const pipeline of [...this.#open]) this.#replace(pipeline)
  }

  /** Leaves everything to the pool from now on. */
  giveUp(): void {
    this.#count = 0
    this.retire()
    this.#options.onGiveUp()
  }

  /** Ends every connection once it has answered everything. */
  async close(): Promise<void> {
    this.#count = 0
    clearInterval(this.#sweeper)
    await this.#opening
    await Promise.all(this.#open.splice(0).map(({ client }) => client.end()))
  }

  /** Picks the reader, or the writer with the fewest unanswered statements; opens one more if it is busy. */
  #choose({ isRead }: Statement): Pipeline | undefined {
    const { length } = this.#open
    const end = isRead ? 1 : length
    let chosen: Pipeline | undefined
    // A single connection reads and writes.
    for (let index = isRead || length === 1 ? 0 : 1; index < end; index++) {
      const pipeline = this.#open[index]
      if (!pipeline || !takesMore(pipeline)) continue
      if (chosen === undefined || pipeline.pending < chosen.pending) chosen = pipeline
    }
    if (chosen === undefined || (chosen.pending > 0 && !isRead)) this.#openAnother()
    return chosen
  }

  #openAnother(): void {
    if (this.#opening || this.#open.length >= this.#count) return
    if (performance.now() < this.#mayOpenAt) return
    this.#opening = this.#connect().finally(() => {
      this.#opening = undefined
    })
  }

  async #connect(): Promise<void> {
    const { config, onError } = this.#options
    const client = new Client({
      ...config,
      pipeline: true,
      lock_timeout: lockTimeoutMs,
      statement_timeout: Math.min(Number(config.statement_timeout || Infinity), statementTimeoutMs),
    })
    const pipeline: Pipeline = { client, pending: 0, answeredAt: 0, wasUsed: true }
    client.on("error", (error) => {
      if (this.#remove(pipeline) && pipeline.pending === 0) onError?.(error)
    })
    try {
      await client.connect()
      const { rows } = await client.query("show lock_timeout")
      // Poolers cannot keep settings per client: they refuse them, or ignore them.
      if (rows[0]?.lock_timeout === "0") this.giveUp()
      else if (this.#count > 0) this.#open.push(pipeline)
    } catch (error) {
      if (isRefusedParameter(error)) this.giveUp()
      this.#mayOpenAt = performance.now() + reopenPauseMs
    }
    if (!this.#open.includes(pipeline)) void client.end()
    else this.#sweeper ??= setInterval(() => this.#closeUnused(), idleMs).unref()
  }

  #closeUnused(): void {
    for (const pipeline of [...this.#open]) {
      if (pipeline.wasUsed || pipeline.pending > 0) pipeline.wasUsed = false
      else this.#remove(pipeline)
    }
  }

  #replace(pipeline: Pipeline): void {
    if (this.#remove(pipeline)) this.#mayOpenAt = performance.now() + reopenPauseMs
  }

  /** Ends a connection once it has answered. Returns false when it was removed before. */
  #remove(pipeline: Pipeline): boolean {
    const index = this.#open.indexOf(pipeline)
    if (index === -1) return false
    this.#open.splice(index, 1)
    void pipeline.client.end()
    return true
  }
}

type HotRunnerOptions = {
  pool: Pool
  pipelines: Pipelines
  watch: WriteWatch
  /** False sends statements unnamed. */
  prepare: boolean
  onError: ((error: Error) => void) | undefined
}

/** Makes the function that runs hot statements: on a pipeline, or else on the pool. */
export function hotRunner({ pool, pipelines, watch, onError, ...options }: HotRunnerOptions) {
  let { prepare } = options
  const runOnPool = async (statement: Statement, values: unknown[]): Promise<Row[]> => {
    if (prepare) {
      try {
        return (await pool.query<Row>({ ...statement, values })).rows
      } catch (error) {
        if (!isUnknownName(error)) throw error
        if (prepare) {
          onError?.(new Error("The pooler mixes up prepared statements: going on without them"))
          pipelines.giveUp()
        }
        prepare = false
      }
    }
    return (await pool.query<Row>(statement.text, values)).rows
  }
  return async <Found>(statement: Statement, values: unknown[]): Promise<Found[]> => {
    try {
      const rows = await pipelines.run(statement, values)
      return (rows ?? (await runOnPool(statement, values))) as Found[]
    } catch (error) {
      watch.note(error)
      throw error
    }
  }
}

/** Sends the reads of one turn of the event loop in one packet. */
function collectReads({ client }: Pipeline): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

function takesMore({ pending, answeredAt }: Pipeline): boolean {
  if (pending === 0) return true
  return pending < maxPending && performance.now() - answeredAt < heldUpMs
}

/** Whether the limit on waiting for a lock, or on running, ended a statement. */
function isCutShort(error: unknown): boolean {
  const code = codeOf(error)
  return code === "55P03" || code === "57014"
}

/**
 * Whether a statement was not run because its name is taken or unknown on the server's connection: a
 * pooler mixes up names, or the earlier statement that carried the text has failed.
 */
function isUnknownName(error: unknown): boolean {
  const code = codeOf(error)
  return code === "42P05" || code === "26000"
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
