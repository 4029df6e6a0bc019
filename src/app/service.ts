/** Starts the service, database first, and stops it in reverse order. */
import { type OpenDatabase, openDatabase } from "../db/connection/openDatabase.ts"
import { findUserByEmail, listEldestUsers, type UserRow } from "../db/people/users.ts"
import { migrate } from "../db/schema/migrate.ts"
import { type Disposers, disposeAll, opened } from "../lib/disposers.ts"
import { ensureFirstUser } from "../people/createAccount.ts"
import { newSignInLink } from "../people/signIn.ts"
import type { Log } from "../telemetry/log.ts"
import { shown } from "./addressFile.ts"
import { compose, type Databases } from "./compose.ts"
import type { Config } from "./config.ts"
import { seedDemo } from "./demo.ts"
import { type CreateMetricsReader, serve } from "./serve.ts"

export type Service = {
  address: string
  /** The folder of the embedded database, if that is not the data folder. */
  databaseFolder?: string | undefined
  /** Only on the start that created the first user: that user, and the token, which is shown once. */
  first?: { email: string; token: string; workspaceId: string } | undefined
  /** Whom the commands of the banner are for, the eldest user; absent: there is none that is enabled. */
  owner?: { email: string; isOnly: boolean } | undefined
  /** Signs the owner in once, within ten minutes; absent: none was requested. */
  signInLink?: string | undefined
  /** Finishes accepted requests within the configured time, and closes everything. */
  stop(): Promise<void>
}

/** Set if the service is one of several processes. */
type ServiceOptions = {
  /** Reads the metrics of all processes; absent: this is the only one. */
  createMetricsReader?: CreateMetricsReader
  /** False if another process creates the first user. */
  welcomes?: boolean
  /** Whether a later start makes a link for the eldest user, too. */
  makesLink?: boolean
}

/** Beyond the time for requests: jobs and connections may wait for a database that is silent. */
const closeGraceMs = 8_000

/** Starts the service. If it throws, nothing is left open. */
export async function startService(
  config: Config,
  log: Log,
  { createMetricsReader = readOwn, welcomes = true, makesLink = false }: ServiceOptions = {},
): Promise<Service> {
  const disposers: Disposers = []
  const stop = () => disposeAll(disposers, config.stopTimeoutMs + closeGraceMs)
  try {
    const database = await openMigrated(config, log, disposers)
    const components = await compose({ config, log, database, disposers })
    const listener = await serve({ config, components, createMetricsReader })
    disposers.push(async () => {
      // First, or the listener would wait for clients that wait for a webhook call.
      components.calls.close()
      await listener.stop(config.stopTimeoutMs)
    })
    // Last: a start that fails would never show its token.
    const { address } = listener
    const welcoming = { config, database: database.main, address, makesLink }
    const welcomed = welcomes ? await welcome(welcoming) : {}
    return { address, databaseFolder: database.main.elsewhere, ...welcomed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const readOwn: CreateMetricsReader = (own) => () => own.metrics()

/** Opens the database, migrates it, and adds what closes it to `disposers`. */
export async function openMigrated(
  config: Config,
  log: Log,
  disposers: Disposers,
): Promise<Databases> {
  const database = await openDatabase({
    url: config.databaseUrl,
    dataFolder: config.dataFolder,
    binFolder: config.postgresBinFolder,
    settings: [`max_connections=${connectionsOf(config)}`],
    poolSize: config.databasePoolSize,
    prepare: config.preparesStatements,
    waitMs: config.databaseWaitMs,
    onError: (error) => log.warn({ err: error }, "An idle database connection broke"),
  })
  const main = opened(disposers, database)
  const { controlDatabaseUrl: url } = config
  const control = opened(disposers, main.beside({ url, poolSize: controlPoolSize }))
  const patient = { url, poolSize: jobsPoolSize, statementTimeoutMs: jobStatementMs }
  const jobs = opened(disposers, main.beside(patient))
  await migrate(jobs.pool)
  return { main, control, jobs }
}

/** Enough for all processes, the one that supervises them, and commands beside them. */
function connectionsOf({ workers, databasePoolSize }: Config): number {
  const listening = 1
  const ofProcess = databasePoolSize + controlPoolSize + jobsPoolSize + listening
  return Math.max(100, (workers + 1) * ofProcess + 20)
}

const controlPoolSize = 3
// Jobs run side by side, and the longest of them uses several connections at a time.
const jobsPoolSize = 6
const jobStatementMs = 600_000

/** What a start needs to print its first page. */
type Welcoming = { config: Config; database: OpenDatabase; address: string; makesLink: boolean }

/** The first start creates a user, a workspace and a demo bot; any may make a link to sign in with. */
export async function welcome(
  welcoming: Welcoming,
): Promise<Pick<Service, "first" | "owner" | "signInLink">> {
  const { config, database, makesLink } = welcoming
  const first = await ensureFirstUser(database, {
    email: config.bootstrapEmail,
    token: config.bootstrapToken,
    plan: config.defaultPlan,
  })
  if (first) {
    await seedDemo(database, first)
    const user = await findUserByEmail(database, first.email)
    return { first, ...(await linkFor(welcoming, user)) }
  }
  const [eldest, second] = await listEldestUsers(database, 2)
  const owner = eldest && { email: eldest.email, isOnly: second === undefined }
  return { owner, ...(makesLink ? await linkFor(welcoming, eldest) : {}) }
}

async function linkFor({ config, database, address }: Welcoming, user: UserRow | undefined) {
  const serviceUrl = config.givenUrl ?? shown(address)
  if (!user || !/^https?:/.test(serviceUrl) || config.role === "chat") return {}
  return { signInLink: await newSignInLink(database, { userId: user.id, serviceUrl }) }
}
