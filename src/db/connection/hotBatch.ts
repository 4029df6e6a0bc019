/** Hot statements on their way through pg: in one round trip, named, described once per connection. */
import type { Connection } from "pg"
import type { Column, HotQuery } from "./hotQuery.ts"

// A connection plans a statement once, so its columns stay what they were.
const knownColumns = new WeakMap<Connection, Map<string, readonly Column[]>>()

/**
 * Statements as pg takes them (`Submittable`): with one `Sync` behind them all, so that the server
 * runs them one after the other in one transaction and answers once (PostgreSQL manual, 55.2.4).
 * One that fails undoes them all. pg's own queries wait for each other, and have the server describe
 * the columns at every run; a chat runs the same two statements over and over.
 */
export class HotBatch {
  /** Set by whoever sends it. */
  callback: ((error: Error | null) => void) | undefined
  readonly #queries: readonly HotQuery[]
  #known: Map<string, readonly Column[]> = new Map()
  #done = 0

  constructor(queries: readonly HotQuery[]) {
    this.#queries = queries
  }

  /** How many statements the server has carried out: after an error, the place of the one to blame. */
  get done(): number {
    return this.#done
  }

  /** Sends everything in one write. */
  submit(connection: Connection): null {
    this.#known = knownColumns.get(connection) ?? new Map()
    knownColumns.set(connection, this.#known)
    const parsed: string[] = []
    connection.stream.cork()
    for (const query of this.#queries) {
      const { name, text } = query.statement
      const columns = this.#known.get(name)
      if (columns === undefined && !parsed.includes(name)) {
        connection.parse({ name, text, types: [] }, true)
        parsed.push(name)
      }
      connection.bind({ statement: name, values: query.values }, true)
      if (columns === undefined) connection.describe({ type: "P", name: "" }, true)
      else query.columns = columns
      connection.execute({ portal: "" }, true)
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#queries[this.#done]?.describe(fields)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#queries[this.#done]?.addRow(fields)
  }

  /** Only now is it certain that the statement is known under its name. */
  handleCommandComplete(): void {
    const query = this.#queries[this.#done]
    const name = query?.statement.name
    if (query && name && !this.#known.has(name)) this.#known.set(name, query.columns)
    this.#done += 1
  }

  handleReadyForQuery(): void {
    this.callback?.(null)
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}
}
