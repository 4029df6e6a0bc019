/**
 * A query of a constant statement whose result is described once per process, not with every answer. That
 * saves a tenth of our processor time for a turn; HOT_QUERIES.md says why it reaches into pg, and how to
 * move to another release of it.
 */
import pg from "pg"

/** A hot statement: constant text, sent under a name so that the server plans it once. */
export type Statement = {
  name: string
  text: string
  /** Set for a quick read of few rows, which must not wait behind commits. */
  isRead?: true
}

/** A row by its column names. */
export type Row = Record<string, unknown>

/** An empty result with its row description applied. */
type Described = object

/** The part of pg's connection (8.23) that its queries talk to. */
type Connection = { describe(): void; execute(): void; sync(): void; _send(bytes: Buffer): void }

/** The undeclared members of pg's query (8.23). */
type OpenQuery = {
  name: string
  _result: { rows: Row[] }
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleRowDescription(message: object): void
}
const Query = pg.Query as unknown as new (
  text: string,
  values: unknown[],
  callback: (error: Error | undefined, result: { rows: Row[] }) => void,
) => OpenQuery

/** By the name of the statement. */
const described = new Map<string, Described>()

// Execute (unnamed portal, all rows) and Sync.
const executeAndSync = Buffer.from("450000000900000000005300000004", "hex")

/** Connections as queries without a description see them: three of the messages are replaced. */
const terse = new WeakMap<Connection, Connection>()

function terseOf(connection: Connection): Connection {
  let made = terse.get(connection)
  if (made === undefined) {
    made = Object.assign(Object.create(connection) as Connection, {
      describe() {},
      execute() {},
      sync: () => connection._send(executeAndSync),
    })
    terse.set(connection, made)
  }
  return made
}

class HotQuery extends Query {
  override prepare(connection: Connection): void {
    const known = described.get(this.name)
    if (known) {
      Object.assign(this._result, known)
      this._accumulateRows = true
    }
    super.prepare(known ? terseOf(connection) : connection)
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    const { rows: _, ...known } = this._result
    described.set(this.name, known)
  }
}

/** Sends a statement on a pipelined connection; resolves to its rows. */
export function runHot(
  client: pg.Client,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new HotQuery(text, values, (error, result) => {
      if (error) reject(error)
      else resolve(result.rows)
    })
    query.name = name
    client.query(query as unknown as pg.Query)
  })
}
