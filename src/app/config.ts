/** The configuration: environment variables, judged all at once. Read by src/app, src/cli and scripts. */
import { resolve } from "node:path"
import { z } from "zod"
import { logLevels } from "../shared/log.ts"
import { usualPlanLimits } from "../shared/plans.ts"
import {
  databaseAddress,
  fileAmount,
  flag,
  list,
  missingPartners,
  oneOf,
  planLimitList,
  rateList,
  webAddress,
  wholeNumber,
} from "./environment.ts"
import { smallUploads, uploadBoundsOf } from "./uploadSettings.ts"

const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  PARLEY_SOCKET: z
    .string()
    .optional()
    .describe("Unix socket to listen on, instead of HOST and PORT"),
  DATABASE_URL: databaseAddress.optional(),
  PARLEY_CONTROL_DATABASE_URL: databaseAddress
    .optional()
    .describe("Where migrations, locks, jobs and notifications go; DATABASE_URL unless told"),
  PARLEY_DB_POOL_SIZE: wholeNumber(1, 1_000).default(10).describe("Connections per process"),
  PARLEY_DB_WAIT_MS: wholeNumber(50, 60_000)
    .default(900)
    .describe("Longest wait for a connection; then callers get a 503"),
  PARLEY_PG_PREPARE: flag.default(true).describe("Off behind poolers without prepared statements"),
  PARLEY_PG_BIN: z.string().optional().describe("Folder with postgres and initdb"),
  PARLEY_DATA: z.string().default("./.parley"),
  PARLEY_PUBLIC_URL: webAddress.optional(),
  PARLEY_ALLOWED_ORIGINS: list
    .pipe(z.array(webAddress))
    .default([])
    .describe("Origins whose pages may call the management API"),
  PARLEY_TRUSTED_PROXIES: wholeNumber(0, 100)
    .default(0)
    .describe("How many proxies in front append to X-Forwarded-For"),
  PARLEY_SECRET: z
    .string()
    .refine(
      (secrets) => secrets.split(",").every((secret) => secret.trim().length >= 32),
      "must have at least 32 characters",
    )
    .optional()
    .describe("Several, separated by commas: the first encrypts, all decrypt"),
  PARLEY_BOOTSTRAP_EMAIL: z.email("must be an e-mail address").optional(),
  PARLEY_BOOTSTRAP_TOKEN: z
    .string()
    .regex(/^parley_pat_[0-9A-Za-z]{46}$/, "must have the form of an API token (parley_pat_...)")
    .optional(),
  PARLEY_TOKEN: z.string().optional().describe("API token of commands that call a service"),
  PARLEY_ROLE: oneOf(["all", "management", "chat"])
    .default("all")
    .describe("Which operations to serve; jobs run unless it is chat"),
  PARLEY_WORKERS: wholeNumber(1, 256).default(1).describe("Processes that serve together"),
  PARLEY_MAX_REQUESTS: wholeNumber(1, 1_000_000)
    .default(5_000)
    .describe("Most requests at a time per process; further ones get a 503"),
  PARLEY_RATE_LIMITS: oneOf(["on", "default", "off"]).default("default"),
  PARLEY_RATE_LIMIT_STORE: oneOf(["memory", "postgres"])
    .default("memory")
    .describe("postgres: processes count together, at the price of a statement per counted call"),
  PARLEY_RATES: rateList
    .default({})
    .describe("Other rates: action=perSecond/burst, separated by commas"),
  PARLEY_METRICS_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters")
    .optional()
    .describe("What /metrics asks for; without it only this machine may read them"),
  PARLEY_ALLOW_HOSTS: list.default([]).describe("Private hosts that flows may call all the same"),
  PARLEY_PREVIEW_HTTP: oneOf(["allow", "deny"]).default("deny"),
  PARLEY_ANONYMOUS_PREVIEW: oneOf(["deny", "locked"])
    .default("locked")
    .describe("Whether previews need a token; without one they run locked"),
  PARLEY_BODY_BUDGET_MB: wholeNumber(52, 100_000)
    .default(52)
    .describe("Most memory for request bodies per process, a quarter of it for one address"),
  PARLEY_UPLOAD_MAX_MB: wholeNumber(1, 1_000).default(10).describe("Largest upload"),
  PARLEY_UPLOADS_PER_CHAT: fileAmount.optional().describe("Files/megabytes of one chat"),
  PARLEY_UPLOADS_PER_ADDRESS: fileAmount
    .optional()
    .describe("Files/megabytes that one address may upload in an hour without a token"),
  PARLEY_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an address with smtp:// or smtps://" })
    .optional()
    .describe("Mail server of this service, with name and password in the address"),
  PARLEY_SMTP_FROM: z.email("must be an e-mail address").optional(),
  PARLEY_S3_ENDPOINT: webAddress.optional().describe("Object store for files, without the bucket"),
  PARLEY_S3_REGION: z.string().default("us-east-1"),
  PARLEY_S3_BUCKET: z.string().optional(),
  PARLEY_S3_ACCESS_KEY_ID: z.string().optional(),
  PARLEY_S3_SECRET_ACCESS_KEY: z.string().optional(),
  PARLEY_STRIPE_URL: webAddress
    .optional()
    .describe("Where payments are made, for rehearsals; Stripe itself unless told"),
  PARLEY_GOOGLE_CLIENT_ID: z.string().optional(),
  PARLEY_GOOGLE_CLIENT_SECRET: z.string().optional(),
  PARLEY_GOOGLE_URL: webAddress
    .optional()
    .describe("Where tokens, sheets and Gmail are, for rehearsals; Google itself unless told"),
  PARLEY_DEFAULT_PLAN: oneOf(["FREE", "STARTER", "PRO", "LIFETIME", "UNLIMITED"]).default("FREE"),
  PARLEY_PLAN_LIMITS: planLimitList
    .default({})
    .describe("Other limits: PLAN=chats/seats, separated by commas; - for any number"),
  PARLEY_UNANSWERED_MINUTES: wholeNumber(10, 2_880)
    .default(120)
    .describe("Time for the first answer in chats that were started without a token"),
  PARLEY_RESULT_RETENTION_DAYS: wholeNumber(3, 36_500)
    .optional()
    .describe("Days after which recorded conversations are deleted; absent: never"),
  PARLEY_TURN_TIMEOUT_MS: wholeNumber(100, 600_000)
    .default(150_000)
    .describe("Longest time of a whole turn; one HTTP block alone may take two minutes"),
  PARLEY_STOP_TIMEOUT_MS: wholeNumber(0, 600_000).default(20_000),
  PARLEY_LOG_LEVEL: oneOf(logLevels).default("info"),
})

type Environment = z.output<typeof environmentSchema>

/** What the operator decided, with defaults for the rest. */
export type Config = ReturnType<typeof arrange>

/**
 * Reads the configuration. An empty variable counts as absent. Throws one error whose message lists
 * every problem as a sentence and repeats no value.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(variables).filter(([, value]) => value !== undefined && value !== "")
  const parsed = environmentSchema.safeParse(Object.fromEntries(given))
  const problems = parsed.success ? contradictions(parsed.data) : sentences(parsed.error)
  if (!parsed.success || problems.length > 0) {
    throw new Error(["The configuration cannot be used:", ...problems].join("\n- "))
  }
  return arrange(parsed.data)
}

function sentences(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}.`)
}

function contradictions(environment: Environment): string[] {
  const problems: string[] = []
  if (environment.DATABASE_URL !== undefined && environment.PARLEY_SECRET === undefined) {
    problems.push("PARLEY_SECRET must be set when DATABASE_URL is: it encrypts credentials.")
  }
  if (
    environment.PARLEY_CONTROL_DATABASE_URL !== undefined &&
    environment.DATABASE_URL === undefined
  ) {
    problems.push("PARLEY_CONTROL_DATABASE_URL needs DATABASE_URL.")
  }
  if (
    environment.PARLEY_BOOTSTRAP_TOKEN !== undefined &&
    environment.PARLEY_BOOTSTRAP_EMAIL === undefined
  ) {
    problems.push("PARLEY_BOOTSTRAP_TOKEN needs PARLEY_BOOTSTRAP_EMAIL.")
  }
  return [...problems, ...smallUploads(environment), ...missingPartners(environment)]
}

/** The mail server of this service; absent: mails need an account. */
function mailServerOf({ PARLEY_SMTP_URL: url, PARLEY_SMTP_FROM: email }: Environment) {
  if (url === undefined || email === undefined) return undefined
  const { protocol, hostname, port, username, password } = new URL(url)
  const isTlsEnabled = protocol === "smtps:"
  const [name, secret] = [username, password].map(decodeURIComponent)
  return {
    host: hostname,
    port: Number(port) || (isTlsEnabled ? 465 : 587),
    isTlsEnabled,
    user: name ? { name, password: secret ?? "" } : undefined,
    from: { email },
  }
}

/** The bucket for files; absent: they lie in the data folder. */
function bucketOf(environment: Environment) {
  const { PARLEY_S3_ENDPOINT: endpoint, PARLEY_S3_BUCKET: name } = environment
  const { PARLEY_S3_ACCESS_KEY_ID: accessKeyId } = environment
  const { PARLEY_S3_SECRET_ACCESS_KEY: secretAccessKey } = environment
  if (!endpoint || !name || !accessKeyId || !secretAccessKey) return undefined
  return { endpoint, region: environment.PARLEY_S3_REGION, name, accessKeyId, secretAccessKey }
}

/** The client by which tokens of Google accounts are renewed that name none. */
function googleClientOf(environment: Environment) {
  const { PARLEY_GOOGLE_CLIENT_ID: id, PARLEY_GOOGLE_CLIENT_SECRET: secret } = environment
  return id && secret ? { id, secret } : undefined
}

function arrange(environment: Environment) {
  return {
    host: environment.HOST,
    /** 0 takes any free port. */
    port: environment.PORT,
    socketPath: environment.PARLEY_SOCKET,
    /** Absent: the embedded database in `dataFolder`. */
    databaseUrl: environment.DATABASE_URL,
    /** Absent: the same as `databaseUrl`. */
    controlDatabaseUrl: environment.PARLEY_CONTROL_DATABASE_URL ?? environment.DATABASE_URL,
    /** Most connections of each process, those of jobs and notifications aside. */
    databasePoolSize: environment.PARLEY_DB_POOL_SIZE,
    databaseWaitMs: environment.PARLEY_DB_WAIT_MS,
    preparesStatements: environment.PARLEY_PG_PREPARE,
    /** Absent: found by itself. */
    postgresBinFolder: environment.PARLEY_PG_BIN,
    dataFolder: resolve(environment.PARLEY_DATA),
    /** Without a slash at the end. */
    publicUrl: environment.PARLEY_PUBLIC_URL ?? `http://localhost:${environment.PORT}`,
    allowedOrigins: environment.PARLEY_ALLOWED_ORIGINS,
    trustedProxies: environment.PARLEY_TRUSTED_PROXIES,
    /** Absent: made on the first run and kept in `dataFolder`. */
    secret: environment.PARLEY_SECRET,
    bootstrapEmail: environment.PARLEY_BOOTSTRAP_EMAIL,
    bootstrapToken: environment.PARLEY_BOOTSTRAP_TOKEN,
    /** Absent: commands that call a service need one by --token. */
    token: environment.PARLEY_TOKEN,
    /** Which operations this process serves. */
    role: environment.PARLEY_ROLE,
    /** Processes that answer requests. */
    workers: environment.PARLEY_WORKERS,
    maxRequests: environment.PARLEY_MAX_REQUESTS,
    rateLimits: {
      mode: environment.PARLEY_RATE_LIMITS,
      store: environment.PARLEY_RATE_LIMIT_STORE,
      rates: environment.PARLEY_RATES,
    },
    /** Absent: only this machine may read the metrics. */
    metricsToken: environment.PARLEY_METRICS_TOKEN,
    /** Hosts that the network guard lets flows call although they are private. */
    allowedHosts: environment.PARLEY_ALLOW_HOSTS,
    /** Whether a preview without a token may call out. */
    allowsPreviewHttp: environment.PARLEY_PREVIEW_HTTP === "allow",
    /** Whether a preview may be started without a token. */
    allowsAnonymousPreview: environment.PARLEY_ANONYMOUS_PREVIEW === "locked",
    /** Most bytes of request bodies that this process holds. */
    bodyBudgetBytes: environment.PARLEY_BODY_BUDGET_MB * 1024 * 1024,
    maxUploadMegabytes: environment.PARLEY_UPLOAD_MAX_MB,
    uploadBounds: uploadBoundsOf(environment),
    mailServer: mailServerOf(environment),
    bucket: bucketOf(environment),
    /** Absent: Stripe itself. */
    stripeUrl: environment.PARLEY_STRIPE_URL,
    googleClient: googleClientOf(environment),
    /** Absent: Google itself. */
    googleUrl: environment.PARLEY_GOOGLE_URL,
    defaultPlan: environment.PARLEY_DEFAULT_PLAN,
    planLimits: { ...usualPlanLimits, ...environment.PARLEY_PLAN_LIMITS },
    unansweredMs: environment.PARLEY_UNANSWERED_MINUTES * 60_000,
    /** Absent: recorded conversations are kept. */
    resultRetentionDays: environment.PARLEY_RESULT_RETENTION_DAYS,
    turnTimeoutMs: environment.PARLEY_TURN_TIMEOUT_MS,
    /** How long running requests may go on after the process was asked to stop. */
    stopTimeoutMs: environment.PARLEY_STOP_TIMEOUT_MS,
    logLevel: environment.PARLEY_LOG_LEVEL,
  }
}
