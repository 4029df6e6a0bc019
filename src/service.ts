/** Puts the service together: database, effects, chats, procedures, HTTP. */
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openChat } from "./chat/chat.ts"
import { openWebhookCalls, type WebhookCalls } from "./chat/webhookCalls.ts"
import type { Config } from "./config.ts"
import { migrate, schemaFolder } from "./db/migrate.ts"
import { openNotifications } from "./db/notifications.ts"
import { type OpenDatabase, openDatabase } from "./db/open.ts"
import { openSnapshots } from "./db/snapshots.ts"
import { seedDemo } from "./demo.ts"
import { type OpenEffects, openEffects } from "./effects/open.ts"
import { createConnectionCap } from "./http/connectionCap.ts"
import { createDispatch } from "./http/dispatch.ts"
import { createDocs } from "./http/docs.ts"
import { createEventDoor } from "./http/events.ts"
import { createFileDoor } from "./http/files.ts"
import { answerHealth, createReady } from "./http/health.ts"
import { type Listener, listen } from "./http/listen.ts"
import { createLimit } from "./http/rateLimit.ts"
import type { Surface } from "./http/rest.ts"
import { createSockets } from "./http/sockets.ts"
import { createStreamDoor } from "./http/stream.ts"
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
  const closers: Closers = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const database = await open(config, log)
    closers.push(database.close)
    await migrate(database.pool)
    const parts = await openParts({ config, log, database, closers })
    const listener = await serve(config, log, parts)
    closers.push(async () => {
      // First, or the listener would wait for everybody who waits for a call.
      parts.calls.close()
      await listener.stop(config.stopTimeoutMs)
    })
    // Last: a token that a failed start had made would never be seen.
    const first = await welcome(config, database)
    return { address: listener.address, first, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What ends each part, in the order in which they were opened. */
type Closers = (() => Promise<void>)[]

function open(config: Config, log: Log): Promise<OpenDatabase> {
  return openDatabase({
    url: config.databaseUrl,
    dataFolder: config.dataFolder,
    binFolder: config.postgresBinFolder,
    poolSize: config.databasePoolSize,
    prepare: config.preparesStatements,
    waitMs: config.databaseWaitMs,
    onError: (error) => log.warn({ error }, "An idle database connection broke"),
  })
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

/** What the service is made of, once everything is open. */
type Parts = {
  services: Services
  database: OpenDatabase
  effects: OpenEffects
  calls: WebhookCalls
}

async function openParts(opening: {
  config: Config
  log: Log
  database: OpenDatabase
  closers: Closers
}): Promise<Parts> {
  const { config, log, database, closers } = opening
  const { turnTimeoutMs, publicUrl, allowedOrigins, defaultPlan, maxUploadMegabytes } = config
  const snapshots = openSnapshots(database)
  const effects = await openEffects({ config, db: database, snapshots, log })
  closers.push(effects.close)
  const authentication = openAuthentication(database, { log })
  closers.push(authentication.close)
  const notifications = openNotifications({
    url: config.controlDatabaseUrl ?? database.url,
    onError: (error) => log.warn({ error }, "Notifications are not heard for a while"),
  })
  closers.push(notifications.close)
  notifications.on("token_revoked", authentication.forget)
  const viewerOrigins = allowedOrigins
  const chat = openChat({ db: database, log, snapshots, effects, turnTimeoutMs, viewerOrigins })
  const services: Services = {
    db: database,
    log,
    chat,
    cipher: effects.cipher,
    uploads: { files: effects.files, maxMegabytes: maxUploadMegabytes },
    settings: { publicUrl, allowedOrigins, defaultPlan },
    findCaller: authentication.findCaller,
    forgetToken: authentication.forget,
    limit: createLimit(config.rateLimits, database),
  }
  const calls = openWebhookCalls({ chat, notifications })
  closers.push(async () => calls.close())
  return { services, database, effects, calls }
}

async function serve(config: Config, log: Log, parts: Parts): Promise<Listener> {
  const { services, database, effects, calls } = parts
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
  const cap = createConnectionCap()
  const contextOf: Surface["createContext"] = (facts) => createContext(services, facts)
  const dispatch = createDispatch({
    router: appRouter,
    createContext: contextOf,
    log,
    allowedOrigins,
    trustedProxies,
    sideDoors: [
      createFileDoor({ files: effects.files, createContext: contextOf }),
      createStreamDoor({ models: effects.models, createContext: contextOf }),
      createEventDoor({ calls, cap }),
    ],
    pages: {
      "/healthz": answerHealth,
      "/api/healthz": answerHealth,
      "/readyz": readiness,
      ...createDocs({ document, publicUrl, bundleFolder: join(root, "dist/docs") }),
    },
  })
  const sockets = createSockets({ calls, cap, log, trustedProxies })
  listener = await listen({ dispatch, host, port, socketPath, sockets })
  return listener
}
