/** Opens all effects. */
import { join } from "node:path"
import type { Db } from "../db/connection/openDatabase.ts"
import { findSecretUse, readNamingKey } from "../db/people/secrets.ts"
import type { PlanLimits } from "../lib/plans.ts"
import type { Log } from "../telemetry/log.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import type { Outages } from "../telemetry/outages.ts"
import { type Cipher, createCipher } from "./credentials/cipher.ts"
import { createCredentials } from "./credentials/credentials.ts"
import { deriveKey, loadSecrets } from "./credentials/secret.ts"
import { checkSecrets, countLostCredentials } from "./credentials/secretCheck.ts"
import { createHistory, createInboundCalls, createLinkedBots } from "./databaseCalls.ts"
import { createFileStore, type FileStore } from "./files/fileStore.ts"
import { createLocalStorage } from "./files/localStorage.ts"
import { createReadFile } from "./files/readFile.ts"
import { type Bucket, createS3Storage } from "./files/s3Storage.ts"
import { watchStore } from "./files/watchStore.ts"
import { createGoogleAuth, type GoogleClient } from "./google/googleAuth.ts"
import { createJwt } from "./google/jwt.ts"
import { createSheets } from "./google/sheets.ts"
import { createEmail } from "./mail/email.ts"
import { createResolveHost, type MailServer } from "./mail/smtp.ts"
import { createMcpTools, type McpTools } from "./mcp/mcpTools.ts"
import { createModelSpans, type DescribeModelCall } from "./models/modelSpan.ts"
import { createModels, type Models } from "./models/models.ts"
import { openTokenCounts, type TokenCounts } from "./models/tokenCounts.ts"
import { createHttp } from "./network/http.ts"
import { type Outbound, openOutbound } from "./network/outbound.ts"
import { createPayments } from "./payment.ts"
import { combinePerformers, type Effects, type Performers } from "./perform.ts"
import { createQrCode } from "./qrCode.ts"
import { openSandbox, type Sandbox } from "./sandbox/sandbox.ts"
import { createScripts } from "./scripts.ts"
import type { Snapshots } from "./snapshots.ts"
import { createWebhookSender, type SendWebhook } from "./webhooks/sendWebhook.ts"

/** The part of the configuration that effects use. */
type EffectsSettings = {
  publicUrl: string
  dataFolder: string
  /** Absent: created on the first run and kept in the data folder. */
  secret?: string | undefined
  /** Private hosts that flows may call. */
  allowedHosts: readonly string[]
  /** Whether anonymous previews may make requests. */
  allowsPreviewHttp: boolean
  /** Root of the payment provider's API; absent: Stripe itself. */
  stripeUrl?: string | undefined
  /** Absent: mails need a credential of the workspace. */
  mailServer?: MailServer | undefined
  /** Absent: files are kept in the data folder. */
  bucket?: Bucket | undefined
  /** Absent: access tokens of Google are only renewed for credentials that name a client. */
  googleClient?: GoogleClient | undefined
  planLimits: PlanLimits
  /** Tokens of language models for workspaces whose plans have no number; 0: any number. */
  modelTokensPerMonth: number
  /** Whether spans have the questions and answers of models. */
  tracesModelContent: boolean
  /** Replaces Google's roots for tokens, Sheets and Gmail; absent: Google itself. */
  googleUrl?: string | undefined
}

/** All effects, and services that share their dependencies. */
export type OpenEffects = Effects & {
  models: Models
  mcp: McpTools
  files: FileStore
  cipher: Cipher
  /** Encrypts cursors, with which callers continue a list. */
  cursorCipher: Cipher
  /** For hashes of codes that are short enough to be guessed. */
  codeKey: Buffer
  sendWebhook: SendWebhook
  /** The rule by which requests to an address are blocked; undefined: none. */
  refusalOf: Outbound["refusalOf"]
  sandbox: Pick<Sandbox, "run">
  close(): Promise<void>
}

type EffectsDeps = {
  config: EffectsSettings
  db: Db
  snapshots: Snapshots
  log: Log
  metrics: Pick<Metrics, "countCall" | "countModel">
  outages: Pick<Outages, "note" | "clear">
}

/** Opens all effects. Throws if the secret is lost, wrong, too short, or cannot be stored. */
export async function openEffects(deps: EffectsDeps): Promise<OpenEffects> {
  const { config } = deps
  const { dataFolder, secret: configured } = config
  const findUse = () => findSecretUse(deps.db)
  const secrets = await loadSecrets({ dataFolder, configured, findUse })
  await checkSecrets(deps.db, secrets)
  const lost = await countLostCredentials(deps.db, secrets)
  if (lost > 0) deps.log.warn({ credentials: lost }, "Credentials need a secret that is not named")
  const cipher = createCipher(secrets)
  const { storage, stopWatching } = openStorage(config, deps.outages)
  const folderKey = await readNamingKey(deps.db)
  const keys = secrets.map((secret) => deriveKey(secret, "files"))
  const files = createFileStore({ storage, publicUrl: config.publicUrl, keys, folderKey })
  const outbound = openOutbound({ allowHosts: config.allowedHosts })
  const sandbox = openSandbox({ log: deps.log })
  const describeModelCall = createModelSpans({ hasContent: config.tracesModelContent })
  const { planLimits, modelTokensPerMonth: perMonth } = config
  const counts = openTokenCounts({ db: deps.db, log: deps.log, planLimits, perMonth })
  const opened = { ...deps, cipher, files, outbound, sandbox, describeModelCall, counts }
  const { models, mcp, performers } = createPerformers(opened)
  return {
    ...combinePerformers(performers, deps.metrics, describeModelCall),
    models,
    mcp,
    files,
    cipher,
    cursorCipher: createCipher(secrets, "cursors"),
    codeKey: deriveKey(secrets[0] ?? "", "codes"),
    sendWebhook: createWebhookSender(outbound),
    refusalOf: outbound.refusalOf,
    sandbox,
    async close() {
      stopWatching()
      sandbox.close()
      await counts.close()
      await outbound.close()
    },
  }
}

type OpenedDeps = EffectsDeps & {
  cipher: Cipher
  files: FileStore
  outbound: Outbound
  sandbox: Sandbox
  describeModelCall: DescribeModelCall
  counts: TokenCounts
}

function createPerformers(deps: OpenedDeps) {
  const { config, db, snapshots, cipher, files, outbound, sandbox, metrics } = deps
  const { describeModelCall, counts } = deps
  const { googleClient: client, googleUrl } = config
  const { fetch } = outbound
  const tokenUrl = googleUrl && `${googleUrl}/token`
  const refreshTokens = createGoogleAuth({ fetch, client, tokenUrl })
  const credentials = createCredentials({ db, cipher, refreshTokens })
  const readFile = createReadFile({ files, fetch })
  const allowsRestricted = config.allowsPreviewHttp
  const script = createScripts({ sandbox, outbound, allowsRestricted })
  const meter = { metrics, describeModelCall, counts }
  const mcp = createMcpTools({ credentials, fetch })
  const models = createModels({ credentials, readFile, fetch, script, mcp, meter })
  const resolveHost = createResolveHost(config.allowedHosts)
  const performers: Performers = {
    script,
    bot: createLinkedBots({ db, snapshots }),
    history: createHistory(db),
    ...createPayments({ credentials, fetch, baseUrl: config.stripeUrl }),
    http: createHttp({ outbound, credentials, readFile, files, allowsRestricted }),
    sheet: createSheets({ outbound, credentials, allowsRestricted, rootUrl: googleUrl }),
    email: createEmail({
      credentials,
      readFile,
      fetch,
      resolveHost,
      defaultServer: config.mailServer,
      gmailUrl: googleUrl && `${googleUrl}/gmail/v1`,
    }),
    model: models.performer,
    mcpTool: mcp.performer,
    qrCode: createQrCode(files),
    inboundCall: createInboundCalls(db),
    jwt: createJwt(credentials),
  }
  return { models, mcp, performers }
}

/** Opens the storage of files; an object store is watched. */
function openStorage({ bucket, dataFolder }: EffectsSettings, outages: EffectsDeps["outages"]) {
  if (!bucket)
    return { storage: createLocalStorage(join(dataFolder, "files")), stopWatching: () => {} }
  // Readiness is public: it names no address.
  const what = "object store"
  const onAnswer = (problem?: unknown) =>
    problem === undefined ? outages.clear(what) : outages.note(what, problem)
  const storage = createS3Storage(bucket, { onAnswer })
  return { storage, stopWatching: watchStore(storage) }
}
