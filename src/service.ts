/** Puts the service together: database, effects, chats, procedures, HTTP. */
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openChat } from "./chat/chat.ts"
import type { Config } from "./config.ts"
import { migrate, schemaFolder } from "./db/migrate.ts"
import { type OpenDatabase, openDatabase } from "./db/open.ts"
import { openSnapshots } from "./db/snapshots.ts"
import { seedDemo } from "./demo.ts"
import { openEffects } from "./effects/open.ts"
import { createDispatch } from "./http/dispatch.ts"
import { createDocs } from "./http/docs.ts"
import { answerHealth, createReady } from "./http/health.ts"
import { type Listener, listen } from "./http/listen.ts"
import { createLimit } from "./http/rateLimit.ts"
import type { Log } from "./log.ts"
import { appRouter } from "./routers/app.ts"
import { openAuthentication } from "./routers/authentication.ts"
import { createContext, type Services } from "./routers/context.ts"
import { ensureFirstUser } from "./routers/user/accounts.ts"

/** A service that listens. */
export type Service = {
  address: string
  /** Only on the start that created the first user: who that is, and the token, once. */
  first?: { email: string; token: string } | undefined
  /** Finishes what was accepted, within the configured time, and closes everything. */
  stop(): Promise<void>
}

/** Starts the service. Whatever is wrong is thrown as an error, with nothing left open. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const database = await openDatabase({
    url: config.databaseUrl,
    dataFolder: config.dataFolder,
    binFolder: config.postgresBinFolder,
    poolSize: config.databasePoolSize,
    prepare: config.preparesStatements,
    onError: (error) => log.warn({ error }, "An idle database connection broke"),
  })
  try {
    await migrate(database.pool)
    const first = await welcome(config, database)
    return { ...(await serve(config, log, database)), first }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The first start creates a user, a workspace and a bot to talk to. */
async function welcome(config: Config, database: OpenDatabase): Promise<Service["first"]> {
  const first = await ensureFirstUser(database, {
    email: config.bootstrapEmail,
    token: config.bootstrapToken,
    plan: config.defaultPlan,
  })
  if (!first) return undefined
  await seedDemo(database, first)
  return { email: first.email, token: first.token }
}

async function serve(config: Config, log: Log, database: OpenDatabase): Promise<Service> {
  const snapshots = openSnapshots(database)
  const effects = await openEffects({ config, db: database, snapshots, log })
  const authentication = openAuthentication(database, { log })
  const services: Services = {
    db: database,
    log,
    chat: openChat({
      db: database,
      log,
      snapshots,
      effects,
      turnTimeoutMs: config.turnTimeoutMs,
      viewerOrigins: config.allowedOrigins,
    }),
    settings: {
      publicUrl: config.publicUrl,
      allowedOrigins: config.allowedOrigins,
      defaultPlan: config.defaultPlan,
    },
    findCaller: authentication.findCaller,
    forgetToken: authentication.forget,
    limit: createLimit(config.rateLimits),
  }
  const listener = await open(config, log, { services, database })
  return {
    address: listener.address,
    async stop() {
      await listener.stop(config.stopTimeoutMs)
      await authentication.close()
      await effects.close()
      await database.close()
    },
  }
}

async function open(
  config: Config,
  log: Log,
  { services, database }: { services: Services; database: OpenDatabase },
): Promise<Listener> {
  const root = dirname(schemaFolder())
  const document: Record<string, unknown> = JSON.parse(
    await readFile(join(root, "openapi.json"), "utf8"),
  )
  let listener: Listener | undefined
  const readiness = createReady({
    pingDatabase: async () => {
      await database.pool.query("select 1")
    },
    isStopping: () => listener?.isStopping() ?? false,
  })
  const { publicUrl, allowedOrigins, trustedProxies, host, port, socketPath } = config
  const dispatch = createDispatch({
    router: appRouter,
    createContext: (facts) => createContext(services, facts),
    log,
    allowedOrigins,
    trustedProxies,
    pages: {
      "/healthz": answerHealth,
      "/api/healthz": answerHealth,
      "/readyz": readiness,
      ...createDocs({ document, publicUrl, bundleFolder: join(root, "dist/docs") }),
    },
  })
  listener = await listen({ dispatch, host, port, socketPath })
  return listener
}
