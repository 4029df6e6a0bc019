/** Brings the database of DATABASE_URL, or the embedded one of PARLEY_DATA, to this code's schema. */

import { visible } from "../src/app/visible.ts"
import { openDatabase } from "../src/db/connection/open.ts"
import { migrate } from "../src/db/schema/migrate.ts"

try {
  const database = await openDatabase({
    url: process.env.DATABASE_URL,
    dataFolder: process.env.PARLEY_DATA ?? "./.parley",
    binFolder: process.env.PARLEY_PG_BIN,
    poolSize: 1,
  })
  try {
    const names = await migrate(database.pool)
    for (const name of names) console.log(`Applied ${name}`)
    if (names.length === 0) console.log("Nothing to do: the database has every migration.")
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(visible(error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
}
