/** A hot statement on its way through pg: named, and described once per connection. */
import type { Statement } from "./open.ts"
import { getTypeParser } from "./pool.ts"

/** A row by its column names. */
export type Row = Record<string, unknown>

/** What comes of a statement. */
export type Done = (error: Error | null, rows?: Row[]) => void

type Column = { name: string; parse(text: string): unknown }
type Value = string | Buffer | null

/** What is used of pg's connection (pg 8; pg-cursor lives on the same parts). */
type Connection = {
  stream: { cork(): void; uncork(): void }
  /** Texts of the statements that this connection knows, by name. */
  parsedStatements: Record<string, string | undefined>
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: Value[] }): void
  describe(message: { type: "P"; name: string }): void
  execute(message: { portal: string }): void
  sync(): void
}

// A connection plans a statement once, so its columns stay what they were.
const knownColumns = new WeakMap<Connection, Map<string, readonly Column[]>>()

/**
 * A query as pg takes it (`Submittable`). pg's own one has the server describe the columns at every
 * run; a chat runs the same two statements over and over.
 */
export class HotQuery {
  readonly name: string
  readonly text: string
  /** Set by whoever sends it. */
  callback: Done | undefined
  readonly #values: Value[]
  readonly #rows: Row[] = []
  #connection: Connection | undefined
  #columns: readonly Column[] = []
  #failure: Error | undefined

  constructor({ name, text }: Statement, values: readonly unknown[]) {
    this.name = name
    this.text = text
    this.#values = values.map(toWire)
  }

  /** Sends everything in one write; returns what makes that impossible. */
  submit(connection: Connection): Error | null {
    const { name, text } = this
    const known = connection.parsedStatements[name]
    if (known !== undefined && known !== text) {
      return new Error(`Two statements are called ${name}`)
    }
    const columns = known === undefined ? undefined : knownColumns.get(connection)?.get(name)
    this.#connection = connection
    this.#columns = columns ?? []
    connection.stream.cork()
    if (known === undefined) connection.parse({ name, text })
    connection.bind({ statement: name, values: this.#values })
    if (columns === undefined) connection.describe({ type: "P", name: "" })
    connection.execute({ portal: "" })
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map((field) => ({
      name: field.name,
      parse: getTypeParser(field.dataTypeID, "text"),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure !== undefined) return
    const row: Row = {}
    try {
      for (const [index, { name, parse }] of this.#columns.entries()) {
        const text = fields[index] ?? null
        row[name] = text === null ? null : parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Only now is it certain that the statement is known under its name. */
  handleCommandComplete(): void {
    const connection = this.#connection
    if (connection === undefined) return
    const known = knownColumns.get(connection) ?? new Map<string, readonly Column[]>()
    known.set(this.name, this.#columns)
    knownColumns.set(connection, known)
  }

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.callback?.(null, this.#rows)
    else this.callback?.(this.#failure)
  }

  handleError(error: Error): void {
    this.callback?.(this.#failure ?? error)
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}
}

/** Hot statements take texts, numbers, truth values, bytes, moments, and lists of texts. */
function toWire(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === "string" || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(quoted).join(",")}}`
  if (typeof value === "object") throw new TypeError("A hot statement takes no objects")
  return String(value)
}

/** An element of an array literal (PostgreSQL manual, 8.15.6). */
function quoted(item: unknown): string {
  if (typeof item !== "string") throw new TypeError("A hot statement takes lists of texts only")
  return `"${item.replace(/["\\]/g, "\\$&")}"`
}
