/** Serves the components over HTTP: procedures, pages, files, streams and sockets. */
import { existsSync } from "node:fs"
import { readFile, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Db } from "../db/connection/openDatabase.ts"
import { hasUsers } from "../db/people/users.ts"
import { schemaFolder } from "../db/schema/migrate.ts"
import { type BodyBudget, createBodyBudget } from "../http/bodies/bodyBudget.ts"
import type { ByteBudget } from "../http/byteBudget.ts"
import { type Listener, listen, requestMsFor } from "../http/connections/listen.ts"
import { openSockets } from "../http/connections/sockets.ts"
import { createDispatch, type DispatchOptions, type Endpoint } from "../http/dispatch.ts"
import { createDocs } from "../http/openapi/docs.ts"
import webhooks from "../http/openapi/openapi.webhooks.json" with { type: "json" }
import { createBotIcon } from "../http/pages/botIcon.ts"
import { createBotToolEndpoint } from "../http/pages/botToolEndpoint.ts"
import { type ChatPageOptions, createChatPage } from "../http/pages/chatPage.ts"
import { createConsole } from "../http/pages/consolePages.ts"
import { createEmbedPages, iconPage } from "../http/pages/embedEndpoint.ts"
import { createEventEndpoint } from "../http/pages/eventsEndpoint.ts"
import { createExportEndpoint } from "../http/pages/exportEndpoint.ts"
import { createFileEndpoints } from "../http/pages/filesEndpoint.ts"
import { answerHealth, createReady } from "../http/pages/health.ts"
import { createMcpEndpoint } from "../http/pages/mcpEndpoint.ts"
import { createMetricsPage } from "../http/pages/metricsEndpoint.ts"
import { createRootPage } from "../http/pages/root.ts"
import { createStreamEndpoint } from "../http/pages/streamEndpoint.ts"
import { createStripeEndpoint } from "../http/pages/stripeEndpoint.ts"
import { createTlsPage } from "../http/pages/tlsPage.ts"
import { createTokenStreams } from "../http/pages/tokenStreams.ts"
import { createSignInEndpoint } from "../http/signIn/signInEndpoint.ts"
import { createUnread } from "../http/unread.ts"
import { plainHost } from "../lib/plainHost.ts"
import { appRouter } from "../routers/app.ts"
import type { Log } from "../telemetry/log.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import type { Components } from "./compose.ts"
import type { Config } from "./config.ts"
import { demoPublicId } from "./demo.ts"

const root = dirname(schemaFolder())

/** Makes the function that reads the metrics; `own` are those of this process. Called once. */
export type CreateMetricsReader = (own: Metrics["registry"]) => () => Promise<string>

type ServeOptions = {
  config: Config
  components: Components
  createMetricsReader: CreateMetricsReader
}

type ApiDocument = Record<string, unknown> & { info: { version: string } }

export async function serve(options: ServeOptions): Promise<Listener> {
  const { config } = options
  const { services, calls, streams, metrics, sites } = options.components
  const { trustedProxies, host, port, socketPath, role } = config
  const embed = createEmbedPages(join(root, "dist/pages"))
  const document: ApiDocument = JSON.parse(await readFile(join(root, "openapi.json"), "utf8"))
  let listener: Listener | undefined
  const unread = watchedUnread(options)
  const dispatch = createDispatch({
    router: appRouter,
    services,
    trustedProxies,
    side: role === "all" ? undefined : role,
    servesCompat: config.servesCompat,
    metrics,
    bodies: watchedBodies(options),
    unread,
    maxRequests: config.maxRequests,
    chatHost: config.chatUrl && plainHost(new URL(config.chatUrl).host),
    chatPages: new Set([...Object.keys(embed.pages), "/healthz", "/readyz"]),
    logsRequests: config.logsRequests,
    sites,
    endpoints: endpointsOf(options, document.info.version, embed.scriptAddress),
    pages: {
      ...pagesOf(options, document, () => listener?.isStopping() ?? false),
      ...(role === "management" ? iconPage : embed.pages),
    },
  })
  const { log, live } = services
  const { admit: cap } = live
  const sockets = openSockets({
    calls,
    cap,
    log,
    unread,
    publicUrl: config.publicUrl,
    trustedProxies,
    sites,
  })
  listener = await listen({
    dispatch,
    host,
    port,
    socketPath,
    limits: { requestMs: requestMsFor(config.maxUploadMegabytes) },
    abortStreams: () => streams.abort(),
    ...(role !== "management" && { sockets }),
  })
  return listener
}

function watchedBodies({ config, components }: ServeOptions): BodyBudget {
  const bodies = createBodyBudget(config.bodyBudgetBytes)
  components.metrics.watch({
    name: "parley_http_body_bytes",
    help: "Bytes of request bodies in memory",
    label: "state",
    read: () => ({ held: bodies.heldBytes() }),
  })
  return bodies
}

function watchedUnread({ components }: ServeOptions): ByteBudget {
  const unread = createUnread()
  components.metrics.watch({
    name: "parley_http_unread_bytes",
    help: "Bytes of answers that wait to be read",
    label: "state",
    read: () => ({ held: unread.heldBytes }),
  })
  return unread
}

function endpointsOf(
  { config, components }: ServeOptions,
  version: string,
  scriptAddress: ChatPageOptions["scriptAddress"],
): Endpoint[] {
  const { services } = components
  const { db, chat, live } = services
  const files = createFileEndpoints(services)
  const exports = createExportEndpoint(services, config.servesCompat)
  const signIn = createSignInEndpoint({ services, ...components.signIn })
  const pageFolders = ["src/engine", "dist/engine"].map((folder) => join(root, folder))
  const mcp = createMcpEndpoint({ router: appRouter, services, pageFolders, version })
  const { stripeWebhookSecret: secret } = config
  const stripe = secret === undefined ? [] : [createStripeEndpoint({ ...services, secret })]
  const folder = join(root, "dist/pages/console")
  const builder = createConsole({ services, folder, build: consoleBuilder(services.log) })
  const streams = createTokenStreams(services)
  const management = [exports, ...streams, signIn, mcp, builder, ...stripe]
  if (config.role === "management") return [...files, ...management]
  const { trustsAuthors, chatUrl } = config
  return [
    ...files,
    ...(config.role === "all" ? management : []),
    createStreamEndpoint(services),
    createBotToolEndpoint({ services, version }),
    createEventEndpoint({ ...live, publicUrl: config.publicUrl }),
    createBotIcon({ db }),
    createChatPage({ db, snapshots: chat.snapshots, scriptAddress, trustsAuthors, chatUrl }),
  ]
}

/** Builds the console from its sources, when it is first opened; undefined in an installation without them. */
function consoleBuilder(log: Log): (() => Promise<void>) | undefined {
  const script = join(root, "scripts/buildConsole.mjs")
  if (!existsSync(script) || !existsSync(join(root, "src/pages/console"))) return undefined
  return async () => {
    log.info("Building the console, because it is opened for the first time")
    await (await import(pathToFileURL(script).href)).buildConsole()
  }
}

/** Asks whether there are users until there are. */
function rememberUsers(db: Db): () => Promise<boolean> {
  let isKnown = false
  return async () => {
    isKnown ||= await hasUsers(db)
    return isKnown
  }
}

/** Whether a disk has less room than the database needs to write one more file of its log. */
async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < 16 * 1024 * 1024
}

/** The folder of the guide: among the sources, or in the built product. */
function guideFolder(): string {
  const folders = ["src/http/guide", "dist/docs/guide"].map((folder) => join(root, folder))
  return folders.find((folder) => existsSync(folder)) ?? ""
}

function pagesOf(
  { config, components, createMetricsReader }: ServeOptions,
  document: ApiDocument,
  isStopping: () => boolean,
): DispatchOptions["pages"] {
  const { database, metrics, outages } = components
  const { publicUrl, metricsToken: token } = config
  const { registry } = metrics
  const { services } = components
  const readText = createMetricsReader(registry)
  const read = async () => ({ text: await readText(), contentType: registry.contentType })
  return {
    "/": createRootPage({ version: document.info.version, services, demoPublicId }),
    "/healthz": answerHealth,
    "/api/healthz": answerHealth,
    "/readyz": createReady({
      checkDatabase: database.check,
      hasUsers: rememberUsers(database),
      isStopping,
      isDiskFull: async () => config.databaseUrl === undefined && (await isFull(config.dataFolder)),
      unavailable: outages.list,
    }),
    "/metrics": createMetricsPage({ read, token, publicUrl }),
    "/tls/allowed": createTlsPage(components.sites),
    ...createDocs({
      documents: { document, webhooks },
      router: appRouter,
      services,
      bundleFolder: join(root, "dist/docs"),
      guideFolder: guideFolder(),
    }),
  }
}
