/** Asks a database that a bench has filled, on a separate connection and without a time limit. */
import pg from "pg"

/** Runs one statement; resolves to its rows. */
export async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set statement_timeout = 0")
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}
