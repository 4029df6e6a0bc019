/** Processes of the product over one PostgreSQL, for drills that kill and restart either. */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { openConnectionPool, type Pool } from "../../src/db/connection/connectionPool.ts"
import { readPidFile } from "../../src/postgres/postmaster.ts"
import { freePort } from "../../test/support/freePort.ts"
import {
  copyProduct,
  type ProductProcess,
  removeFolder,
  startDatabase,
  startProduct,
} from "./product.ts"

export type Stack = {
  /** One for each process; a restarted process keeps its own. */
  addresses: readonly string[]
  /** Looks into the database, also while the processes are down. */
  pool: Pool
  databaseUrl(): string
  process(index?: number): ProductProcess
  /** Kills a process and starts another at its address. */
  restartProcess(index?: number): Promise<void>
  /** Stops PostgreSQL as an operator would, or kills it, and starts it again within a second. */
  restartDatabase(how: { isKilled: boolean }): Promise<void>
  close(): Promise<void>
}

/** Starts a copy of the product, of another checkout if one is given. */
export async function openStack({
  processes = 1,
  variables = {},
  checkout,
}: {
  processes?: number
  variables?: NodeJS.ProcessEnv
  checkout?: string | undefined
} = {}): Promise<Stack> {
  const folder = await copyProduct(checkout)
  const dataFolder = join(folder, "database")
  let database = await startDatabase(dataFolder)
  const ports: number[] = []
  for (let index = 0; index < processes; index++) ports.push(await freePort())
  const start = (port: number | undefined) =>
    startProduct(folder, {
      PORT: String(port),
      DATABASE_URL: database.url,
      ...variables,
    })
  const running: ProductProcess[] = []
  for (const port of ports) running.push(await start(port))
  const pool = openConnectionPool({ url: database.url, size: 4, statementTimeoutMs: 60_000 })
  const kill = async (index: number) => {
    running[index]?.child.kill("SIGKILL")
    await running[index]?.ended
  }
  return {
    addresses: ports.map((port) => `http://127.0.0.1:${port}`),
    pool,
    databaseUrl: () => database.url,
    process(index = 0) {
      const found = running[index]
      if (!found) throw new Error(`There is no process ${index}`)
      return found
    },
    async restartProcess(index = 0) {
      await kill(index)
      running[index] = await start(ports[index])
    },
    async restartDatabase({ isKilled }) {
      if (isKilled) await killPostgres(pool)
      else await database.stop()
      await sleep(Math.random() * 500)
      database = await startDatabase(dataFolder)
    },
    async close() {
      await Promise.all(running.map((_, index) => kill(index)))
      await pool.end()
      await database.stop()
      await removeFolder(folder)
    },
  }
}

/** A process of the product, and the database that it uses. */
export type Service = ProductProcess & { databaseUrl: string }

/** Runs a copy of the product while work is done with it. */
export async function withService(
  work: (service: Service) => Promise<void>,
  variables: NodeJS.ProcessEnv = {},
): Promise<void> {
  const stack = await openStack({ variables })
  try {
    await work({ ...stack.process(), databaseUrl: stack.databaseUrl() })
  } finally {
    await stack.close()
  }
}

async function killPostgres(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ folder: string }>(
    "select current_setting('data_directory') as folder",
  )
  const file = await readPidFile(rows[0]?.folder ?? "")
  if (file) process.kill(file.pid, "SIGKILL")
}
