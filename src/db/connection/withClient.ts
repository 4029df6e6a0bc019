/** A connection that ends even when its server has gone silent. */
import type { Duplex } from "node:stream"
import pg from "pg"

/** Max time for a server to close a connection after the Terminate message. */
const goodbyeMs = 2_000

/** The undeclared members of pg's client (8.23): its connection, and the startup parameters. */
type Internals = {
  connection: { stream: Duplex; end(): void }
  getStartupConf(): Record<string, unknown>
}

export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const internals = this as unknown as Internals
    const { connection } = internals
    const begin = internals.getStartupConf.bind(this)
    // The only form of times that pg reads; a database or a user may have another one.
    internals.getStartupConf = () => ({ ...begin(), DateStyle: "ISO" })
    const sayGoodbye = connection.end.bind(connection)
    // pg calls this once nothing else is expected of the server, and then waits for it for ever.
    connection.end = () => {
      const { stream } = connection
      const timer = setTimeout(() => stream.destroy(), goodbyeMs).unref()
      stream.once("close", () => clearTimeout(timer))
      sayGoodbye()
    }
  }
}

/**
 * Lends a connection for work that begins and ends a transaction. One on which it failed, perhaps in the
 * middle of that, is closed, which ends the transaction, too.
 */
export async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken = true
  try {
    const result = await work(client)
    broken = false
    return result
  } finally {
    client.release(broken)
  }
}
