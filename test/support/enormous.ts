/** Bots whose names are enormous, as former versions of the service have stored them. */
import type { OpenDatabase } from "../../src/db/connection/openDatabase.ts"

/** Stands in a flow for a name that `enlarge` makes enormous. */
export const enormous = "ENORMOUS"

/**
 * Makes the names of a bot enormous, in its draft, its versions and its row, where no check looks at
 * them. Call it before the first chat, because versions are kept in memory.
 */
export async function enlarge(
  { pool }: Pick<OpenDatabase, "pool">,
  botId: string,
  length: number,
): Promise<void> {
  const large = "x".repeat(length)
  const columns = ["groups", "variables", "events", "edges", "theme", "settings"]
  const changes = columns.map((name) => `${name} = replace(${name}::text, $2, $3)::jsonb`)
  await pool.query(
    `update bots set name = replace(name, $2, $3), ${changes.join(", ")} where id = $1`,
    [botId, enormous, large],
  )
  await pool.query(
    "update bot_versions set payload = replace(payload::text, $2, $3)::jsonb where bot_id = $1",
    [botId, enormous, large],
  )
}
