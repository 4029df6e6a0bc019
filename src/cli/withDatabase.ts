/** Opens the database of the service for a command, migrated to the schema of this code. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Config, readConfig } from "../app/config.ts"
import { type OpenDatabase, openDatabase } from "../db/connection/openDatabase.ts"
import { migrate } from "../db/schema/migrate.ts"
import type { Environment } from "./command.ts"

/** An open database, and the configuration that names it. */
type CommandDatabase = {
  database: OpenDatabase
  config: Config
  /** The migrations that were applied just now. */
  applied: string[]
}

/**
 * Opens the database of DATABASE_URL, or the embedded one of PARLEY_DATA and its server if that runs;
 * applies missing migrations; closes it afterwards. `mayCreate`: creates an embedded database if there
 * is none. `migrates` false: leaves the schema as it is.
 */
export async function withDatabase(
  environment: Environment,
  work: (opened: CommandDatabase) => Promise<void>,
  { mayCreate = false, migrates = true } = {},
): Promise<void> {
  const config = readConfig(environment)
  const { dataFolder } = config
  const hasDatabase = ["postgres", "location"].some((name) => existsSync(join(dataFolder, name)))
  if (config.databaseUrl === undefined && !mayCreate && !hasDatabase) {
    throw new Error(
      `There is no data in ${dataFolder}: start Parley once, or say where its data is with PARLEY_DATA or DATABASE_URL.`,
    )
  }
  const database = await openDatabase({
    url: config.controlDatabaseUrl,
    dataFolder,
    binFolder: config.postgresBinFolder,
    poolSize: 2,
    statementTimeoutMs: 0,
    prepare: config.preparesStatements,
  })
  try {
    await work({ database, config, applied: migrates ? await migrate(database.pool) : [] })
  } finally {
    await database.close()
  }
}
