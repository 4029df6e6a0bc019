/** Opens the components of the service and connects them: effects, chats, procedures, jobs. */
import { setMaxListeners } from "node:events"
import { openBotListeners } from "../bots/changes/botListeners.ts"
import { createDraftMemory } from "../bots/edits/draftMemory.ts"
import { openHeavyWork } from "../bots/heavy/heavyWork.ts"
import { type Chat, createChat } from "../chat/chat.ts"
import { openBursts } from "../chat/conversations/burst.ts"
import { openChatListeners } from "../chat/conversations/chatListeners.ts"
import { openSessionListeners } from "../chat/conversations/sessionListeners.ts"
import { openWatchedChats } from "../chat/conversations/watchedChats.ts"
import { openSubscriptions } from "../chat/events/subscriptions.ts"
import { openWebhookCalls, type WebhookCalls } from "../chat/webhooks/webhookCalls.ts"
import { type Notifications, openNotifications } from "../db/connection/notifications.ts"
import type { OpenDatabase } from "../db/connection/openDatabase.ts"
import { readNamingKey } from "../db/people/secrets.ts"
import { createDomainRecords, type DomainRecords } from "../effects/network/domainRecords.ts"
import { type OpenEffects, openEffects } from "../effects/openEffects.ts"
import { createSnapshots } from "../effects/snapshots.ts"
import { openWorkspaceVariables } from "../effects/variables/workspaceVariables.ts"
import { createConnectionCap } from "../http/connections/sockets.ts"
import { createLimits } from "../http/rateLimit.ts"
import { createOpenId } from "../http/signIn/openId.ts"
import type { SignInOptions } from "../http/signIn/signInEndpoint.ts"
import { createSites, type Sites } from "../http/sites.ts"
import { allJobs, timersJob } from "../jobs/allJobs.ts"
import { runDeliveries } from "../jobs/deliveries/deliver.ts"
import { runJobs } from "../jobs/runJobs.ts"
import { type Disposers, opened } from "../lib/disposers.ts"
import { openAuthentication } from "../people/authentication.ts"
import { openMailCodes } from "../people/mailCodes.ts"
import type { Services } from "../routers/context.ts"
import type { Log } from "../telemetry/log.ts"
import { createMetrics, type Metrics } from "../telemetry/metrics.ts"
import { createOutages, type Outages } from "../telemetry/outages.ts"
import { openDraftTests } from "../workshop/draftTests.ts"
import type { Config } from "./config.ts"
import { loadRiskWords } from "./loadRiskWords.ts"
import { localPages } from "./localPages.ts"
import { watchNodes } from "./watchNodes.ts"

/**
 * Three sets of connections: for callers, for work that callers must not wait for, and for jobs, whose
 * statements may take so long that a server which has vanished is noticed after ten minutes.
 */
export type Databases = { main: OpenDatabase; control: OpenDatabase; jobs: OpenDatabase }

export type Components = {
  services: Services
  database: OpenDatabase
  calls: WebhookCalls
  /** Ends the streams of models. */
  streams: AbortController
  metrics: Metrics
  outages: Outages
  sites: Sites
  /** The ways in which people sign in, beside links. */
  signIn: Omit<SignInOptions, "services">
}

/** Dependencies of components, which add how to close them to `disposers`. */
type Opening = {
  config: Config
  log: Log
  database: Databases
  disposers: Disposers
}

export async function compose(opening: Opening): Promise<Components> {
  const { config, log, disposers } = opening
  const { main: database } = opening.database
  const { publicUrl, chatUrl, allowedOrigins, maxUploadMegabytes } = config
  const { defaultPlan, planLimits, allowsAnonymousPreview } = config
  const snapshots = createSnapshots(database)
  const metrics = createMetrics()
  watchPools(metrics, opening.database)
  const outages = createOutages(log)
  metrics.watch({
    name: "parley_unavailable",
    help: "1 for what this process does not reach now, 0 once it answers again",
    label: "what",
    read: outages.levels,
  })
  disposers.push(await watchNodes(opening.database.control, outages))
  const outside = openEffects({ config, db: database, snapshots, log, metrics, outages })
  const effects = opened(disposers, await outside)
  const { adminEmails, controlDatabaseUrl: url = database.url } = config
  const authentication = opened(disposers, openAuthentication(database, { log, adminEmails }))
  const onError = (error: unknown) =>
    log.warn({ err: error }, "Notifications are not received for a while")
  const notifications = opened(disposers, openNotifications({ url, onError }))
  notifications.on("token_revoked", authentication.forget)
  const limits = createLimits(config.rateLimits, database)
  const { cipher } = effects
  const memory = openWorkspaceVariables({
    db: opening.database.control,
    cipher,
    notifications,
    log,
  })
  const variables = opened(disposers, memory)
  const watched = opened(disposers, openWatchedChats(notifications))
  const bursts = opened(disposers, openBursts(notifications))
  const chat = await composeChat(opening, {
    snapshots,
    effects,
    notifications,
    limits,
    variables,
    watched: watched.ids,
    bursts,
  })
  const { processId } = chat
  const calls = opened(disposers, openWebhookCalls({ chat, notifications }))
  const sessionEvents = opened(disposers, openSessionListeners({ chat, notifications }))
  const chats = opened(disposers, openChatListeners({ chat, notifications, watched }))
  const following = { db: database, log, notifications, processId }
  const bots = opened(disposers, openBotListeners(following))
  const streams = new AbortController()
  // Every open stream adds a listener.
  setMaxListeners(0, streams.signal)
  const { models } = effects
  const stopping = streams.signal
  const admit = createConnectionCap()
  const live = { models, bots, chats, calls, sessionEvents, stopping, admit }
  const heavy = opened(disposers, openHeavyWork())
  const draftTests = opened(disposers, openDraftTests(effects.sandbox))
  const records = createDomainRecords(config.nameServers)
  const sites = createSites({ db: database, publicUrl, chatUrl, allowedOrigins })
  const services: Services = {
    db: database,
    kyselyOf: database.kyselyOf,
    log,
    chat,
    cipher: effects.cipher,
    cursorCipher: effects.cursorCipher,
    heavy,
    drafts: createDraftMemory(),
    draftTests,
    sendWebhook: effects.sendWebhook,
    listMcpTools: effects.mcp.list,
    askModel: effects.models.performer,
    refusalOf: effects.refusalOf,
    uploads: {
      files: effects.files,
      maxMegabytes: maxUploadMegabytes,
      bounds: config.uploadBounds,
    },
    settings: {
      publicUrl,
      chatUrl,
      allowedOrigins,
      isLocalPage: localPages(config),
      defaultPlan,
      planLimits,
      allowsAnonymousPreview,
      riskWords: await loadRiskWords(config.riskWordsFile),
      maxVersionsBytes: config.maxVersionsBytes,
      maxFilesBytes: config.maxFilesBytes,
    },
    findCaller: authentication.findCaller,
    findSignedIn: authentication.findSignedIn,
    async forgetToken(tokenId) {
      authentication.forget(tokenId)
      await notifications.notify("token_revoked", tokenId)
    },
    limits,
    domains: { records, sites },
    live,
    metrics,
  }
  if (config.role !== "chat") startJobs(opening, { metrics, effects, chat, records })
  const signIn = composeSignIn(opening, effects)
  return { services, database, calls, streams, metrics, outages, signIn, sites }
}

function composeSignIn(
  { config, log, database: { main: db }, disposers }: Opening,
  { codeKey: key }: OpenEffects,
): Components["signIn"] {
  const { publicUrl, mailServer: server, openIdProvider: provider } = config
  const mail = server && opened(disposers, openMailCodes({ db, log, server, key, publicUrl }))
  return { mail, openId: provider && createOpenId({ provider, publicUrl, log }) }
}

type ChatParts = Pick<Chat, "snapshots" | "effects" | "variables" | "watched" | "bursts"> &
  Pick<Services, "limits"> & { notifications: Notifications }

async function composeChat(
  { config, log, database: { main: db, control }, disposers }: Opening,
  { notifications, limits, ...parts }: ChatParts,
): Promise<Chat> {
  const { turnTimeoutMs, unansweredMs, planLimits, allowedOrigins, publicUrl, chatUrl } = config
  const opening = openSubscriptions({ db: control, notifications, log })
  const subscriptions = opened(disposers, await opening)
  return createChat({
    ...parts,
    db,
    log,
    subscriptions,
    notify: notifications.notify,
    namingKey: await readNamingKey(db),
    // The chat page is our own: in a frame it may talk to what the page around it may talk to.
    viewerOrigins: [...allowedOrigins, new URL(publicUrl).origin, ...(chatUrl ? [chatUrl] : [])],
    ownHost: new URL(publicUrl).hostname,
    turnTimeoutMs,
    unansweredMs,
    countUnanswered: limits.get("unansweredKilobytes"),
    planLimits,
  })
}

function startJobs(
  { config, log, database, disposers }: Opening,
  parts: { metrics: Metrics; effects: OpenEffects; chat: Chat; records: DomainRecords },
): void {
  const { metrics, effects, chat, records } = parts
  const { processId, subscriptions, namingKey } = chat
  const { planLimits, unansweredMs, resultRetentionDays, maxDeliveriesBytes } = config
  const { files, cipher, sendWebhook: send } = effects
  const { showQuota } = metrics
  const bounds = { unansweredMs, resultRetentionDays, maxDeliveriesBytes }
  const settings = {
    planLimits,
    showQuota,
    ...bounds,
    records,
    namingKey,
    inactivity: inactivityOf(config),
  }
  const { control: db, jobs: patient } = database
  const shared = { db, control: db, log, files, metrics, processId, ...settings }
  disposers.push(runJobs({ ...shared, db: patient, jobs: allJobs }).stop)
  // Silence is reported within seconds, so timers are polled more often than other jobs, and are taken
  // over sooner from a dead process.
  const timers = [timersJob(chat)]
  disposers.push(runJobs({ ...shared, jobs: timers, pollMs: 2_500, claimSeconds: 10 }).stop)
  disposers.push(runDeliveries({ db, log, metrics, cipher, send, subscriptions, processId }).stop)
}

function inactivityOf({ inactiveAfterDays: afterDays, mailServer: server, publicUrl }: Config) {
  return afterDays && server ? { afterDays, server, publicUrl } : undefined
}

function watchPools(metrics: Metrics, databases: Databases): void {
  for (const [name, { pool, pipelines }] of Object.entries(databases)) {
    metrics.watch({
      name: `parley_db_${name}_connections`,
      help: "Database connections by state; waiting ones are callers without a connection",
      label: "state",
      read: () => ({
        idle: pool.idleCount + pipelines.connections.idle,
        busy: pool.totalCount - pool.idleCount + pipelines.connections.busy,
        waiting: pool.waitingCount,
      }),
    })
  }
}
