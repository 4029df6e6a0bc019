/** The context of procedures: the services of the process and the facts of one request. */

import type { RiskWords } from "../authoring/risk/riskWords.ts"
import type { BotListeners } from "../bots/changes/botListeners.ts"
import type { DraftMemory } from "../bots/edits/draftMemory.ts"
import type { HeavyWork } from "../bots/heavy/heavyWork.ts"
import type { Chat } from "../chat/chat.ts"
import type { ChatListeners } from "../chat/conversations/chatListeners.ts"
import type { Sources } from "../chat/conversations/hearChat.ts"
import type { SessionListeners } from "../chat/conversations/sessionListeners.ts"
import type { UploadBounds } from "../chat/uploads/uploadBounds.ts"
import type { Db, SharedDb } from "../db/connection/openDatabase.ts"
import type { Cipher } from "../effects/credentials/cipher.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import type { McpTools } from "../effects/mcp/mcpTools.ts"
import type { Models } from "../effects/models/models.ts"
import type { DomainRecords } from "../effects/network/domainRecords.ts"
import type { SendWebhook } from "../effects/webhooks/sendWebhook.ts"
import type { Complete } from "../engine/turn/run.ts"
import { networkOf } from "../lib/party.ts"
import type { Plan, PlanLimits } from "../lib/plans.ts"
import { type Caller, callerOfCookie, callerOfToken } from "../people/caller.ts"
import { type CookieRequest, isOwnOrigin, knownOrigin } from "../people/sessionCookie.ts"
import type { Log } from "../telemetry/log.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import type { DraftTests } from "../workshop/draftTests.ts"

/** Rate limited actions, by key: address, token id, bot or session. */
export type LimitedAction =
  | "management"
  | "heavyManagement"
  | "startChatByAddress"
  | "startChatByBot"
  | "continueChat"
  | "conversationMessage"
  | "clientLogs"
  | "anonymousPreview"
  | "failedAuthentication"
  | "signIn"
  | "signInByEmail"
  | "unansweredKilobytes"

/** How much of a limit is used. */
type LimitState = {
  limit: number
  remaining: number
  /** Until the whole limit is available again. */
  resetSeconds: number
}

/** The part of the configuration that procedures may know. */
export type Settings = {
  /** Public address of the service, without a trailing slash. */
  publicUrl: string
  /** Origins of first-party pages: the builder, the viewer. */
  allowedOrigins: readonly string[]
  /**
   * Whether an origin is that of a page of another program on this machine, which counts once a user who is
   * signed in has confirmed it. Absent: there are none.
   */
  isLocalPage?: ((origin: string) => boolean) | undefined
  defaultPlan: Plan
  /** Limits by plan; absent: the defaults. */
  planLimits?: PlanLimits
  /** What bots are rated by at publish; absent: they are not rated. */
  riskWords?: RiskWords | undefined
  /** Room for the versions of a workspace; absent: any. */
  maxVersionsBytes?: number
  /** Room for the files of authors in a workspace; absent: any. */
  maxFilesBytes?: number
  /** False: a preview needs a token. Absent: it runs locked without one. */
  allowsAnonymousPreview?: boolean
  /** The origin of chat pages; absent: that of the service. */
  chatUrl?: string | undefined
}

/** The services, which live as long as the process. */
export type Services = {
  db: Db
  /** `db.kysely` for the work of one party. */
  kyselyOf: SharedDb["kyselyOf"]
  log: Log
  chat: Chat
  /** Encrypts and decrypts stored credentials. */
  cipher: Cipher
  cursorCipher: Cipher
  /** Works on large flows in worker threads, where it blocks no other request. */
  heavy: HeavyWork
  /** The drafts that were edited last. */
  drafts: DraftMemory
  /** Tests drafts with conversations in files. */
  draftTests: DraftTests
  /** Sends an event to an endpoint that is tested. */
  sendWebhook: SendWebhook
  /** Asks an MCP server for its tools. */
  listMcpTools: McpTools["list"]
  /** Asks a model something that no chat needs. */
  askModel: Models["performer"]
  /** The rule by which requests to an address are blocked; undefined: none. */
  refusalOf: (url: string) => Promise<string | undefined>
  /** Files, and the limits on uploads of visitors. */
  uploads: { files: FileStore; maxMegabytes: number; bounds: UploadBounds }
  settings: Settings
  /** The owner of a token. Resolves to undefined when it is unknown, revoked or expired. */
  findCaller(token: string): Promise<Caller | undefined>
  /** The person whose session a cookie names. Resolves to undefined when it is unknown or has ended. */
  findSignedIn(secret: string): Promise<Caller | undefined>
  /** Makes every process refuse a token or a session that was just revoked, despite its cache. */
  forgetToken(tokenId: string): Promise<void>
  /** Streams to clients. */
  live: Live
  /** Counts chat calls. */
  metrics?: Pick<Metrics, "countTurn" | "countBlock">
  limits: ReadonlyMap<LimitedAction, Limit>
  /** Domains of bots: what proves them, and how requests to them are served. */
  domains: Domains
}

/** What looks at the domains of bots, and has them looked up again. */
type Domains = { records: DomainRecords; sites: { forget(host: string): void } }

/** The services behind streams. */
type Live = Sources & {
  /** Tells listeners of a chat that one side types. */
  sessionEvents: Pick<SessionListeners, "signTyping">
  /** Wakes members who watch chats. */
  chats: Pick<ChatListeners, "hear">
  /** Notifies listeners of changes of bots. */
  bots: BotListeners
  models: Pick<Models, "stream">
  /** Aborts when answers must end at once, well-formed but incomplete. */
  stopping: AbortSignal
  /** Counts an open stream of an address; throws a 429 when there are too many. Returns its end. */
  admit(ip: string): () => void
}

/** Counts points under a key, and returns the state; throws a 429 beyond the limit. */
export type Limit = (
  key: string,
  points: number,
  report?: (state: LimitState) => void,
) => Promise<void>

/** The facts of a request before its procedure runs. */
export type RequestFacts = CookieRequest & {
  /** Identifies this request in answers and in the log. */
  requestId: string
  /** Address of the caller, according to the configured proxies. */
  ip: string
  /** Origin of the page that embeds our viewer (`x-parley-iframe-referrer-origin`). */
  iframeReferrerOrigin?: string | undefined
  /** The bots that are served at the domain to which the request came; undefined: all. */
  onlyBots?: ReadonlySet<string> | undefined
  /** The `Authorization` header as sent: unverified, and ignored by public procedures. */
  authorization?: string | undefined
  /** The `Idempotency-Key` header as sent. */
  idempotencyKey?: string | undefined
  /** Adds a header to the answer, be it a success or an error. */
  setHeader(name: string, value: string): void
  /** Whether the caller has left. */
  hasLeft?: (() => boolean) | undefined
  /** Called before the input is parsed: refuses one with too many values. Absent: it has been looked at. */
  reserveInput?: (() => void) | undefined
}

/** The `ctx` of every procedure. */
export type Context = Services &
  RequestFacts & {
    onlyBots: ReadonlySet<string> | undefined
    /** Counts an action, if it is limited; throws a 429 when there were too many. */
    limit(action: LimitedAction, key: string): Promise<void>
    /**
     * The caller, looked up on first use; undefined without a valid token. Where cookies are taken, people
     * who are signed in are callers, too, unless a token was sent, or `cookieProblem` finds a reason.
     */
    authenticate(takesCookie?: boolean): Promise<Caller | undefined>
  }

/** The origins of the page that sends a request and of the page around that, as `knownOrigin` returns them. */
export function originsOf(
  place: { publicUrl: string },
  {
    origin,
    iframeReferrerOrigin: around,
    onlyBots,
    host,
  }: Pick<RequestFacts, "origin" | "iframeReferrerOrigin" | "onlyBots" | "host">,
) {
  // At a domain of theirs, the pages of bots are pages of the service, too.
  const isAtDomain = onlyBots !== undefined && origin?.replace(/^https?:\/\//, "") === host
  return {
    origin: isAtDomain
      ? new URL(place.publicUrl).origin
      : origin && knownOrigin(place, { origin, host }),
    onlyBots,
    iframeReferrerOrigin: around && knownOrigin(place, { origin: around, host }),
  }
}

/** Creates the context of one request. All lookups are lazy. */
export function createContext(services: Services, facts: RequestFacts): Context {
  let caller: Promise<Caller | undefined> | undefined
  let person: Promise<Caller | undefined> | undefined
  let tightest = Number.POSITIVE_INFINITY
  const { origin, iframeReferrerOrigin, onlyBots } = originsOf(services.settings, facts)
  // Listed one by one: spreading costs many times as much. A missing member does not compile.
  return {
    db: services.db,
    kyselyOf: services.kyselyOf,
    log: services.log,
    chat: services.chat,
    cipher: services.cipher,
    cursorCipher: services.cursorCipher,
    heavy: services.heavy,
    drafts: services.drafts,
    draftTests: services.draftTests,
    sendWebhook: services.sendWebhook,
    listMcpTools: services.listMcpTools,
    askModel: services.askModel,
    refusalOf: services.refusalOf,
    uploads: services.uploads,
    live: services.live,
    settings: services.settings,
    findCaller: services.findCaller,
    findSignedIn: services.findSignedIn,
    forgetToken: services.forgetToken,
    metrics: services.metrics,
    limits: services.limits,
    domains: services.domains,
    requestId: facts.requestId,
    ip: facts.ip,
    origin,
    iframeReferrerOrigin,
    onlyBots,
    authorization: facts.authorization,
    host: facts.host,
    cookie: facts.cookie,
    pageFacts: facts.pageFacts,
    idempotencyKey: facts.idempotencyKey,
    setHeader: facts.setHeader,
    hasLeft: facts.hasLeft,
    reserveInput: facts.reserveInput,
    limit: (action, key) => {
      const limit = services.limits.get(action)
      if (!limit) return unlimited
      return limit(key, 1, (state) => {
        // If several limits apply, callers see the one that they will reach first.
        if (state.remaining >= tightest) return
        tightest = state.remaining
        reportLimit(facts, state)
      })
    },
    authenticate: (takesCookie = false) => {
      if (takesCookie && facts.authorization === undefined && facts.cookie !== undefined) {
        person ??= callerOfCookie(services, facts)
        return person
      }
      caller ??= callerOfToken(services, facts)
      return caller
    },
  } satisfies Complete<Context>
}

const unlimited = Promise.resolve()

function reportLimit(facts: RequestFacts, { limit, remaining, resetSeconds }: LimitState): void {
  facts.setHeader("X-RateLimit-Limit", String(limit))
  facts.setHeader("X-RateLimit-Remaining", String(remaining))
  facts.setHeader("X-RateLimit-Reset", String(resetSeconds))
}

type Sender = Pick<Context, "limit" | "settings" | "ip" | "origin" | "host">

/**
 * The address of the caller, as it is counted. What pages of other origins make a browser send counts on its
 * own: they must not use up what its user may do here.
 */
export function countedAddress(ctx: Omit<Sender, "limit">): string {
  const { settings, ip, origin, host } = ctx
  const isForeign = origin !== undefined && !isOwnOrigin(settings, { origin, host })
  return isForeign ? `${networkOf(ip)} by pages of other origins` : ip
}

/** Counts an action against the address of the caller; throws a 429 when there were too many. */
export async function limitAddress(ctx: Sender, action: LimitedAction): Promise<void> {
  await ctx.limit(action, countedAddress(ctx))
}
