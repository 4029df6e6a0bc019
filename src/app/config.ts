/** Reads the configuration of the service and the commands: environment variables, checked together. */
import { resolve } from "node:path"
import { z } from "zod"
import type { UploadBounds } from "../chat/uploads/uploadBounds.ts"
import { plainHost } from "../lib/plainHost.ts"
import { usualPlan, usualPlanLimits } from "../lib/plans.ts"
import { mailAddress } from "../people/mailAddress.ts"
import { logLevels } from "../telemetry/log.ts"
import {
  bareOrigin,
  databaseAddress,
  either,
  fileAmount,
  flag,
  isDecodable,
  list,
  megabyte,
  megabytes,
  missingNeeds,
  missingPartners,
  nameServer,
  nearestWords,
  oneOf,
  planLimitList,
  rateList,
  webAddress,
  webOrigin,
  wholeNumber,
} from "./environment.ts"

const makeSecretWords =
  "make one with `node -p \"crypto.randomBytes(48).toString('base64url')\"` and keep it"

/** Declares a setting, and the environment variable that it is read from. */
const from = <Form extends z.ZodType>(variable: string, form: Form) => form.meta({ variable })

const minuteMs = 60_000

const settingsSchema = z.object({
  host: from("HOST", z.string().default("127.0.0.1")),
  /** 0 takes any free port. */
  port: from("PORT", wholeNumber(0, 65_535).default(3000)),
  /** Unix socket to listen on, instead of host and port. */
  socketPath: from("PARLEY_SOCKET", z.string().optional()),
  /** Absent: the embedded database in `dataFolder`. */
  databaseUrl: from("DATABASE_URL", databaseAddress.optional()),
  /** Where migrations, locks, jobs and notifications go; absent: to `databaseUrl`. */
  controlDatabaseUrl: from("PARLEY_CONTROL_DATABASE_URL", databaseAddress.optional()),
  /** Max connections per process, without those of jobs and notifications. */
  databasePoolSize: from("PARLEY_DB_POOL_SIZE", wholeNumber(1, 1_000).default(10)),
  /** Max wait for a connection, then a 503. */
  databaseWaitMs: from("PARLEY_DB_WAIT_MS", wholeNumber(50, 60_000).default(900)),
  /** To be turned off behind poolers that cannot keep prepared statements. */
  preparesStatements: from("PARLEY_PG_PREPARE", flag.default(true)),
  /** Folder with postgres and initdb; absent: found automatically. */
  postgresBinFolder: from("PARLEY_PG_BIN", z.string().optional()),
  dataFolder: from(
    "PARLEY_DATA",
    z
      .string()
      .default("./.parley")
      .transform((path) => resolve(path)),
  ),
  publicUrl: from("PARLEY_PUBLIC_URL", webAddress.optional()),
  /** An origin of its own for chat pages; absent: they are on that of the service. */
  chatUrl: from("PARLEY_CHAT_URL", bareOrigin.optional()),
  /** Origins whose pages may call the management API. */
  allowedOrigins: from("PARLEY_ALLOWED_ORIGINS", list.pipe(z.array(webOrigin)).default([])),
  /** Addresses of platform admins, who may read all workspaces. */
  adminEmails: from(
    "PARLEY_ADMIN_EMAILS",
    list.pipe(z.array(mailAddress("must be e-mail addresses"))).default([]),
  ),
  /** How many proxies in front append to X-Forwarded-For. */
  trustedProxies: from("PARLEY_TRUSTED_PROXIES", wholeNumber(0, 100).default(0)),
  /**
   * Several, separated by commas: the first encrypts, all decrypt. Absent: made on the first run and
   * kept in `dataFolder`.
   */
  secret: from(
    "PARLEY_SECRET",
    z
      .string()
      .refine(
        (secrets) => secrets.split(",").every((secret) => secret.trim().length >= 32),
        `must have at least 32 characters: ${makeSecretWords}`,
      )
      .optional(),
  ),
  bootstrapEmail: from(
    "PARLEY_BOOTSTRAP_EMAIL",
    mailAddress("must be an e-mail address").optional(),
  ),
  bootstrapToken: from(
    "PARLEY_BOOTSTRAP_TOKEN",
    z
      .string()
      .regex(/^parley_pat_[0-9A-Za-z]{46}$/, "must have the form of an API token (parley_pat_...)")
      .optional(),
  ),
  /** API token for commands that call a service; absent: they need --token. */
  token: from("PARLEY_TOKEN", z.string().optional()),
  /** Which operations this process serves; jobs run unless it is `chat`. */
  role: from("PARLEY_ROLE", oneOf(["all", "management", "chat"]).default("all")),
  /** Whether clients of Typebot are served under its paths. */
  servesCompat: from("PARLEY_COMPAT", flag.default(true)),
  /** Processes that serve together. */
  workers: from("PARLEY_WORKERS", wholeNumber(1, 256).default(1)),
  /** Max concurrent requests per process, then a 503. */
  maxRequests: from("PARLEY_MAX_REQUESTS", wholeNumber(1, 1_000_000).default(5_000)),
  rateLimitMode: from("PARLEY_RATE_LIMITS", oneOf(["on", "default", "off"]).default("default")),
  /** postgres: processes count together, at the price of a statement per counted call. */
  rateLimitStore: from("PARLEY_RATE_LIMIT_STORE", oneOf(["memory", "postgres"]).default("memory")),
  /** Rates that replace the usual ones, by action. */
  rates: from("PARLEY_RATES", rateList.default({})),
  /** The token that /metrics asks for; absent: only this machine may read the metrics. */
  metricsToken: from(
    "PARLEY_METRICS_TOKEN",
    z.string().min(16, "must have at least 16 characters").optional(),
  ),
  /** Private hosts that flows may call nevertheless. */
  allowedHosts: from("PARLEY_ALLOW_HOSTS", list.default([])),
  /** Name servers that are asked about domains of bots; absent: those of the system. */
  nameServers: from("PARLEY_DNS_SERVERS", list.pipe(z.array(nameServer)).optional()),
  /** Whether a preview without a token may make HTTP requests. */
  allowsPreviewHttp: from("PARLEY_PREVIEW_HTTP", either("allow", "deny").default(false)),
  /** Whether a preview may be started without a token; it runs locked then. */
  allowsAnonymousPreview: from("PARLEY_ANONYMOUS_PREVIEW", either("locked", "deny").default(true)),
  /** Max memory for request bodies per process; an address may use a quarter of it. */
  bodyBudgetBytes: from("PARLEY_BODY_BUDGET_MB", megabytes(52, 100_000, 52)),
  /** Max size of the stored versions of a workspace. */
  maxVersionsBytes: from("PARLEY_VERSIONS_MB", megabytes(1, 1_000_000, 1024)),
  /** Max size of the author files of a workspace. */
  maxFilesBytes: from("PARLEY_FILES_MB", megabytes(1, 1_000_000, 1024)),
  /** Max size of handed-out events and their deliveries. */
  maxDeliveriesBytes: from("PARLEY_DELIVERIES_MB", megabytes(1, 100_000_000, 10_240)),
  maxUploadMegabytes: from("PARLEY_UPLOAD_MAX_MB", wholeNumber(1, 1_000).default(10)),
  uploadsPerChat: from("PARLEY_UPLOADS_PER_CHAT", fileAmount.optional()),
  /** What one address may upload in an hour without a token. */
  uploadsPerAddress: from("PARLEY_UPLOADS_PER_ADDRESS", fileAmount.optional()),
  /** The mail server of this service, with user and password in the address. */
  smtpUrl: from(
    "PARLEY_SMTP_URL",
    z
      .url({ protocol: /^smtps?$/, error: "must be an address with smtp:// or smtps://" })
      .refine(isDecodable, "must have %25 for each % in name and password")
      .optional(),
  ),
  smtpFrom: from("PARLEY_SMTP_FROM", mailAddress("must be an e-mail address").optional()),
  /** Address of the object store for files, without the bucket. */
  s3Endpoint: from("PARLEY_S3_ENDPOINT", webAddress.optional()),
  s3Region: from("PARLEY_S3_REGION", z.string().default("us-east-1")),
  s3Bucket: from("PARLEY_S3_BUCKET", z.string().optional()),
  s3AccessKeyId: from("PARLEY_S3_ACCESS_KEY_ID", z.string().optional()),
  s3SecretAccessKey: from("PARLEY_S3_SECRET_ACCESS_KEY", z.string().optional()),
  /** Stands in for Stripe, for rehearsals; absent: Stripe itself. */
  stripeUrl: from("PARLEY_STRIPE_URL", webAddress.optional()),
  /** Signs the events of Stripe about subscriptions; absent: none are received. */
  stripeWebhookSecret: from(
    "PARLEY_STRIPE_WEBHOOK_SECRET",
    z.string().min(16, "must have at least 16 characters").optional(),
  ),
  /** The provider of OpenID Connect with which people sign in; absent: there is none. */
  openIdIssuer: from(
    "PARLEY_OIDC_ISSUER",
    z
      .url({ protocol: /^https?$/, error: "must be an address with https://" })
      .refine(
        (issuer) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(issuer),
        "must be an address with https://, except on this machine",
      )
      .optional(),
  ),
  openIdClientId: from("PARLEY_OIDC_CLIENT_ID", z.string().optional()),
  openIdClientSecret: from("PARLEY_OIDC_CLIENT_SECRET", z.string().optional()),
  /** Addresses in these domains get an account at sign-in; absent: only accounts and invited addresses sign in. */
  openIdDomains: from(
    "PARLEY_OIDC_DOMAINS",
    list
      .transform((domains) => domains.map((domain) => plainHost(domain.replace(/^@/, ""))))
      .optional(),
  ),
  googleClientId: from("PARLEY_GOOGLE_CLIENT_ID", z.string().optional()),
  googleClientSecret: from("PARLEY_GOOGLE_CLIENT_SECRET", z.string().optional()),
  /** Stands in for tokens, sheets and Gmail, for rehearsals; absent: Google itself. */
  googleUrl: from("PARLEY_GOOGLE_URL", webAddress.optional()),
  defaultPlan: from(
    "PARLEY_DEFAULT_PLAN",
    oneOf(["FREE", "STARTER", "PRO", "LIFETIME", "UNLIMITED"]).default(usualPlan),
  ),
  /** Limits that replace the usual ones, by plan. */
  planLimits: from("PARLEY_PLAN_LIMITS", planLimitList.default({})),
  /** File of words and domains of phishing by which bots are rated at publish; absent: they are not rated. */
  riskWordsFile: from(
    "PARLEY_RISK_WORDS",
    z
      .string()
      .transform((path) => resolve(path))
      .optional(),
  ),
  /** Tokens of language models that a workspace may use in a month, unless its plan has a number; 0: any number. */
  modelTokensPerMonth: from("PARLEY_MODEL_TOKENS_PER_MONTH", wholeNumber(0, 1e12).default(0)),
  /** Time for the first answer in chats that were started without a token. */
  unansweredMs: from(
    "PARLEY_UNANSWERED_MINUTES",
    wholeNumber(10, 2_880)
      .default(120)
      .transform((minutes) => minutes * minuteMs),
  ),
  /** Days without activity after which the ADMINs of a workspace are mailed; absent: never. */
  inactiveAfterDays: from("PARLEY_INACTIVE_AFTER_DAYS", wholeNumber(7, 36_500).optional()),
  /** Days after which recorded conversations are deleted; absent: never. */
  resultRetentionDays: from("PARLEY_RESULT_RETENTION_DAYS", wholeNumber(3, 36_500).optional()),
  /** Whether the code of bots runs in the chat page itself, with everything that the page may do. */
  trustsAuthors: from("PARLEY_AUTHOR_CODE", either("trusted", "isolated").default(false)),
  /** Max duration of a turn; one HTTP block alone may take two minutes. */
  turnTimeoutMs: from("PARLEY_TURN_TIMEOUT_MS", wholeNumber(100, 600_000).default(150_000)),
  /** How long running requests may go on after the process is asked to stop. */
  stopTimeoutMs: from("PARLEY_STOP_TIMEOUT_MS", wholeNumber(0, 600_000).default(20_000)),
  /** Whether OpenTelemetry spans have the questions and answers of models. */
  tracesModelContent: from("PARLEY_OTEL_GENAI_CONTENT", flag.default(false)),
  logLevel: from("PARLEY_LOG_LEVEL", oneOf(logLevels).default("info")),
  /** Whether every request is logged at info instead of debug. */
  logsRequests: from("PARLEY_LOG_REQUESTS", flag.default(false)),
})

type Settings = z.output<typeof settingsSchema>

const variableNames = Object.fromEntries(
  Object.entries(settingsSchema.shape).map(([name, form]) => [name, String(form.meta()?.variable)]),
)

/** A sentence for each environment variable that looks like a setting but is none. */
export function unknownVariables(
  variables: Readonly<Record<string, string | undefined>>,
): string[] {
  const known = Object.values(variableNames)
  return Object.keys(variables)
    .filter((name) => /^PARLEY_/i.test(name) && !known.includes(name))
    .map((name) => `There is no setting ${name}: ${nearestWords(name, known)}`)
}

/** A sentence for each setting that is allowed, and safe only together with another one. */
export function riskySettings({ trustsAuthors, chatUrl }: Config): string[] {
  if (!trustsAuthors || chatUrl !== undefined) return []
  return [
    "PARLEY_AUTHOR_CODE=trusted runs the code of bots on the origin on which people sign in: set PARLEY_CHAT_URL " +
      "to an origin of its own for chats, unless you trust every author with every account.",
  ]
}

/** The settings of the operator, with defaults for the rest. */
export type Config = ReturnType<typeof arrange>

/**
 * Reads the configuration. A variable that is empty or blank counts as absent. Throws one error whose message lists
 * every problem as a sentence and repeats no value.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(variableNames).map(([name, variable]) => [
    name,
    // Files of variables that were written on Windows have line ends that their readers keep.
    variables[variable]?.trim() || undefined,
  ])
  const parsed = settingsSchema.safeParse(Object.fromEntries(given))
  const problems = parsed.success
    ? [
        ...missingSecret(parsed.data),
        ...missingNeeds(variables),
        ...smallUploads(parsed.data),
        ...sharedOrigins(arrange(parsed.data)),
        ...missingPartners(variables),
      ]
    : sentences(parsed.error)
  if (!parsed.success || problems.length > 0) {
    throw new Error(["The configuration cannot be used:", ...problems].join("\n- "))
  }
  return arrange(parsed.data)
}

function sentences(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${variableNames[String(path[0])]} ${message}.`)
}

function missingSecret({ databaseUrl, secret }: Settings): string[] {
  if (databaseUrl === undefined || secret !== undefined) return []
  const words = "PARLEY_SECRET must be set when DATABASE_URL is, because it encrypts credentials"
  return [`${words}: ${makeSecretWords}.`]
}

/** A sentence for each origin of pages of the service that is that of chats, too, which keep nothing apart then. */
function sharedOrigins({ chatUrl, publicUrl, allowedOrigins }: Config): string[] {
  if (chatUrl === undefined) return []
  const others = {
    PARLEY_PUBLIC_URL: [new URL(publicUrl).origin],
    PARLEY_ALLOWED_ORIGINS: allowedOrigins,
  }
  return Object.entries(others)
    .filter(([, origins]) => origins.includes(chatUrl))
    .map(([name]) => `PARLEY_CHAT_URL must be another origin than that of ${name}.`)
}

/** A sentence for each bound that is below the largest upload, which could then never be used. */
function smallUploads(settings: Settings): string[] {
  const { maxUploadMegabytes: largest, uploadsPerChat, uploadsPerAddress } = settings
  return Object.entries({
    PARLEY_UPLOADS_PER_CHAT: uploadsPerChat,
    PARLEY_UPLOADS_PER_ADDRESS: uploadsPerAddress,
  })
    .filter(([, bound]) => bound && bound.bytes < largest * megabyte)
    .map(([name]) => `${name} must allow at least the ${largest} MB of PARLEY_UPLOAD_MAX_MB.`)
}

/** By default, ten of the largest uploads in a chat, and 200 from one address in an hour. */
function uploadBoundsOf(settings: Settings): UploadBounds {
  const largest = settings.maxUploadMegabytes * megabyte
  return {
    perChat: settings.uploadsPerChat ?? { files: 50, bytes: 10 * largest },
    perAddress: settings.uploadsPerAddress ?? { files: 1_000, bytes: 200 * largest },
  }
}

/** The mail server of this service; absent: mails need an account. */
function mailServerOf({ smtpUrl, smtpFrom: email }: Settings) {
  if (smtpUrl === undefined || email === undefined) return undefined
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  // That port is only for connections that begin encrypted (RFC 8314).
  const isTlsEnabled = protocol === "smtps:" || port === "465"
  const [name, secret] = [username, password].map(decodeURIComponent)
  return {
    host: hostname,
    port: Number(port) || (isTlsEnabled ? 465 : 587),
    isTlsEnabled,
    user: name ? { name, password: secret ?? "" } : undefined,
    from: { email },
  }
}

/** The bucket for files; absent: files are kept in the data folder. */
function bucketOf({ s3Endpoint: endpoint, s3Region: region, s3Bucket: name, ...keys }: Settings) {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = keys
  if (!endpoint || !name || !accessKeyId || !secretAccessKey) return undefined
  return { endpoint, region, name, accessKeyId, secretAccessKey }
}

/** The provider with which people sign in. */
function openIdProviderOf(settings: Settings) {
  const { openIdIssuer: issuer, openIdClientId: clientId, openIdDomains: domains } = settings
  const { openIdClientSecret: clientSecret } = settings
  return issuer && clientId && clientSecret
    ? { issuer, clientId, clientSecret, domains }
    : undefined
}

/** The client that renews the tokens of Google accounts without a client of their own. */
function googleClientOf({ googleClientId: id, googleClientSecret: secret }: Settings) {
  return id && secret ? { id, secret } : undefined
}

function arrange(settings: Settings) {
  const { rateLimitMode: mode, rateLimitStore: store, rates } = settings
  return {
    ...settings,
    controlDatabaseUrl: settings.controlDatabaseUrl ?? settings.databaseUrl,
    /** Absent: people reach the service where it listens. */
    givenUrl: settings.publicUrl,
    /** Without a slash at the end. */
    publicUrl: settings.publicUrl ?? `http://localhost:${settings.port}`,
    rateLimits: { mode, store, rates },
    uploadBounds: uploadBoundsOf(settings),
    mailServer: mailServerOf(settings),
    bucket: bucketOf(settings),
    googleClient: googleClientOf(settings),
    openIdProvider: openIdProviderOf(settings),
    planLimits: { ...usualPlanLimits, ...settings.planLimits },
  }
}
