/** Lends a command the database that the service uses, at the schema of this code. */
import { existsSync } from "node:fs"
import { type Config, readConfig } from "../app/config.ts"
import { type OpenDatabase, openDatabase } from "../db/connection/open.ts"
import { migrate } from "../db/schema/migrate.ts"
import type { Environment } from "./command.ts"

/** What a command gets. */
export type Lent = {
  database: OpenDatabase
  config: Config
  /** Migrations that were applied just now. */
  applied: string[]
}

/** How a command uses the database. */
export type Lending = {
  /** Whether an embedded database is made when there is none; absent: it is not. */
  mayCreate?: boolean
}

/**
 * Opens the database of DATABASE_URL, or the embedded one of PARLEY_DATA, whose running server is
 * adopted; applies missing migrations; closes it afterwards.
 */
export async function withDatabase(
  environment: Environment,
  work: (lent: Lent) => Promise<void>,
  { mayCreate = false }: Lending = {},
): Promise<void> {
  const config = readConfig(environment)
  const { dataFolder } = config
  if (config.databaseUrl === undefined && !mayCreate && !existsSync(dataFolder)) {
    throw new Error(
      `There is no data in ${dataFolder}: start Parley once, or name its data by PARLEY_DATA or DATABASE_URL.`,
    )
  }
  const database = await openDatabase({
    url: config.controlDatabaseUrl,
    dataFolder,
    binFolder: config.postgresBinFolder,
    poolSize: 2,
    prepare: config.preparesStatements,
  })
  try {
    await work({ database, config, applied: await migrate(database.pool) })
  } finally {
    await database.close()
  }
}
