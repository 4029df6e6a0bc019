/** Wires up the components of the service: effects, chats, the services of procedures, jobs. */
import { setMaxListeners } from "node:events"
import { openChat } from "../chat/chat.ts"
import { openWebhookCalls, type WebhookCalls } from "../chat/webhooks/webhookCalls.ts"
import { openSnapshots } from "../db/chats/snapshots.ts"
import { openNotifications } from "../db/connection/notifications.ts"
import type { OpenDatabase } from "../db/connection/open.ts"
import { readNamingKey } from "../db/people/secrets.ts"
import { type OpenEffects, openEffects } from "../effects/openEffects.ts"
import { observeEffects } from "../effects/perform.ts"
import { createConnectionCap } from "../http/connections/sockets.ts"
import { createLimits, createUnansweredQuota } from "../http/rateLimit.ts"
import { allJobs } from "../jobs/jobs.ts"
import { runJobs } from "../jobs/runJobs.ts"
import { openAuthentication } from "../routers/authentication.ts"
import type { Services } from "../routers/context.ts"
import type { Log } from "../telemetry/log.ts"
import { type Metrics, openMetrics } from "../telemetry/metrics.ts"
import type { Config } from "./config.ts"

/** Two sets of connections: for callers, and for work that callers must not wait for. */
export type Databases = { main: OpenDatabase; control: OpenDatabase }

/** Closes what was opened, in the order of opening. */
export type Disposers = (() => Promise<void>)[]

/** Closes everything, the last first. */
export async function disposeAll(disposers: Disposers): Promise<void> {
  for (const dispose of disposers.splice(0).reverse()) await dispose()
}

/** The components that are served. */
export type Components = {
  services: Services
  database: OpenDatabase
  effects: OpenEffects
  calls: WebhookCalls
  /** Ends the streams of models. */
  streams: AbortController
  metrics: Metrics
}

/** Opens all components; what closes them is added to `disposers`. */
export async function compose(opening: {
  config: Config
  log: Log
  database: Databases
  disposers: Disposers
}): Promise<Components> {
  const { config, log, disposers } = opening
  const { main: database, control } = opening.database
  const { turnTimeoutMs, publicUrl, allowedOrigins, maxUploadMegabytes } = config
  const { defaultPlan, planLimits, allowsAnonymousPreview, unansweredMs } = config
  const snapshots = openSnapshots(database)
  const outside = await openEffects({ config, db: database, snapshots, log })
  disposers.push(outside.close)
  const metrics = openMetrics()
  watchPools(metrics, opening.database)
  const effects = { ...outside, ...observeEffects(outside, metrics) }
  const authentication = openAuthentication(database, { log })
  disposers.push(authentication.close)
  const notifications = openNotifications({
    url: config.controlDatabaseUrl ?? database.url,
    onError: (error) => log.warn({ err: error }, "Notifications are not heard for a while"),
  })
  disposers.push(notifications.close)
  notifications.on("token_revoked", authentication.forget)
  const unanswered = createUnansweredQuota(config.rateLimits, database)
  const bounds = { turnTimeoutMs, unansweredMs, unanswered, planLimits }
  const namingKey = await readNamingKey(database)
  const { notify } = notifications
  const parts = { db: database, log, snapshots, effects, namingKey, notify }
  const chat = openChat({ ...parts, viewerOrigins: allowedOrigins, ...bounds })
  const calls = openWebhookCalls({ chat, notifications })
  disposers.push(async () => calls.close())
  const streams = new AbortController()
  // Every open stream adds a listener.
  setMaxListeners(0, streams.signal)
  const live = {
    models: effects.models,
    calls,
    stopping: streams.signal,
    admit: createConnectionCap(),
  }
  const services: Services = {
    db: database,
    log,
    chat,
    cipher: effects.cipher,
    uploads: {
      files: effects.files,
      maxMegabytes: maxUploadMegabytes,
      bounds: config.uploadBounds,
    },
    settings: { publicUrl, allowedOrigins, defaultPlan, planLimits, allowsAnonymousPreview },
    findCaller: authentication.findCaller,
    async forgetToken(tokenId) {
      authentication.forget(tokenId)
      await notifications.notify("token_revoked", tokenId)
    },
    limits: createLimits(config.rateLimits, database),
    live,
    metrics,
  }
  const { processId } = chat
  const { resultRetentionDays, role } = config
  if (role !== "chat") {
    const { files } = effects
    const { showQuota } = metrics
    const settings = { planLimits, unansweredMs, resultRetentionDays, showQuota }
    const jobs = { db: control, log, files, metrics, jobs: allJobs, processId, ...settings }
    disposers.push(runJobs(jobs).stop)
  }
  return { services, database, effects, calls, streams, metrics }
}

function watchPools(metrics: Metrics, databases: Databases): void {
  for (const [name, { pool, pipelines }] of Object.entries(databases)) {
    metrics.watch({
      name: `parley_db_${name}_connections`,
      help: "Connections to the database by state; waiting ones are callers without one",
      label: "state",
      read: () => ({
        idle: pool.idleCount + pipelines.connections.idle,
        busy: pool.totalCount - pool.idleCount + pipelines.connections.busy,
        waiting: pool.waitingCount,
      }),
    })
  }
}
