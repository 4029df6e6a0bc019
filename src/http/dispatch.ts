/** Dispatches each request to a page, an endpoint, tRPC or REST; counts, traces and limits them. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { createCap } from "../lib/caps.ts"
import { AppError, unavailable } from "../lib/errors.ts"
import { networkOf } from "../lib/party.ts"
import { plainHost } from "../lib/plainHost.ts"
import { operatorOf } from "../people/operators.ts"
import { createContext } from "../routers/context.ts"
import { isForOperators, router as routerOf } from "../routers/trpc.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import { inSpan } from "../telemetry/tracing.ts"
import { addCors, addVary, type Origins, sendPreflight, sendProblem } from "./answer.ts"
import type { BodyBudget } from "./bodies/bodyBudget.ts"
import { refuseBody } from "./bodies/refuseBody.ts"
import type { ByteBudget } from "./byteBudget.ts"
import { type Exchange, openExchange } from "./exchange.ts"
import { logRefusal } from "./logRefusal.ts"
import { isForPeople, sendProblemPage } from "./pages/problemPage.ts"
import { type Answer, createRest, factsOf, type Surface } from "./rest/rest.ts"
import { pathAt, type Sites } from "./sites.ts"
import { createRpc, rpcPath, sendRpcError } from "./trpc/rpc.ts"
import { createUnread } from "./unread.ts"

/** A fixed page: health, documentation. */
export type Page = (exchange: Exchange) => void | Promise<void>

/** Targets of the dispatcher. */
export type DispatchOptions = Surface & {
  /** Answer GET and HEAD, by exact path. */
  pages: Readonly<Record<string, Page>>
  /** Answer with something other than JSON; tried in order after the pages. */
  endpoints: readonly Endpoint[]
  /** Number of proxies in front that append to X-Forwarded-For. */
  trustedProxies: number
  /** Limits the bodies in memory. */
  bodies: BodyBudget
  /** Limits the answers that wait to be read; absent: a budget of its own. */
  unread?: ByteBudget
  metrics?: Pick<Metrics, "countRequest">
  /** The host of an origin that serves nothing but chats, with the port unless that is the usual one. */
  chatHost?: string | undefined
  /** The pages that it serves. */
  chatPages?: ReadonlySet<string>
  /** Domains of bots; absent: there are none. */
  sites?: Pick<Sites, "siteOf">
  /** Logs every request at info instead of debug. */
  logsRequests?: boolean
  /** Max concurrent calls of procedures. */
  maxRequests: number
}

/** Answers requests that are not for a procedure. */
export type Endpoint = {
  path: RegExp
  operation: string
  /** True: the origin of chats serves it, too. */
  isForChats?: true
  /** Whose pages may use it, as in `addCors`; their preflights are then answered. Absent: it decides itself. */
  origins?: Origins | "*"
  /**
   * Returns the work that answers a request, or undefined when the request is not for it. A rejection
   * becomes the error document.
   */
  answer(exchange: Exchange, path: RegExpExecArray): Promise<void> | undefined
}

/** Answers one request; resolves when its work is done, and never rejects. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createDispatch(options: DispatchOptions): Dispatch {
  const { trustedProxies, bodies, metrics, services, chatHost, unread = createUnread() } = options
  const { log } = services
  const requestLevel = options.logsRequests ? "info" : "debug"
  const answer = createAnswer(options)
  return (request, response) => {
    const startedAt = performance.now()
    const exchange = openExchange(request, response, { trustedProxies, bodies, unread })
    if (chatHost !== undefined && plainHost(request.headers.host ?? "") === chatHost) {
      exchange.isOnChatOrigin = true
    }
    const { method, requestId } = exchange
    const attributes = { "http.request.method": method, "parley.request_id": requestId }
    return inSpan({ name: method, attributes, headers: request.headers }, async (annotate) => {
      try {
        const site = options.sites?.siteOf(request)
        if (site !== undefined) await enterSite(exchange, site)
        await answer(exchange)
      } catch (error) {
        refuseBody(exchange, error)
        const refusal = await sendRefusal(options, exchange, error)
        logRefusal(log, { exchange, refusal, error })
      } finally {
        exchange.body.close()
      }
      const { operation = "unknown" } = exchange
      const status = response.statusCode
      const seconds = (performance.now() - startedAt) / 1_000
      metrics?.countRequest({ operation, status, seconds })
      if (log.isLevelEnabled(requestLevel)) {
        const ms = Math.round(seconds * 10_000) / 10
        log[requestLevel]({ requestId, method, operation, status, ms }, "A request")
      }
      annotate({ "http.response.status_code": status }, `${method} ${operation}`)
    })
  }
}

/** Confines a request to what is served at a domain of bots, if its host is one. */
async function enterSite(exchange: Exchange, found: ReturnType<Sites["siteOf"]>): Promise<void> {
  const site = await found
  if (site === undefined) return
  exchange.site = site
  exchange.isOnChatOrigin = true
}

/** Answers with an error, for programs and for people. */
async function sendRefusal(options: DispatchOptions, exchange: Exchange, error: unknown) {
  if (exchange.path.startsWith(rpcPath)) return sendRpcError(options, exchange, error)
  if (exchange.method === "GET" || exchange.method === "HEAD") addVary(exchange, "accept")
  return isForPeople(exchange)
    ? await sendProblemPage(exchange, error)
    : sendProblem(exchange, error)
}

/** Methods whose bodies are never read. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE"])

function createAnswer(options: DispatchOptions): Answer {
  const { endpoints, maxRequests, chatPages } = options
  const isPart = (path: string) => isEmbedded.test(path) && chatPages?.has(path) === true
  const pages = new Map(Object.entries(options.pages))
  // One test instead of one per endpoint, because nearly all requests are for procedures.
  const endpointPath = new RegExp(endpoints.map(({ path }) => path.source).join("|"))
  // Only with the first operator: turns take 5 % longer once the functions of a door exist twice.
  let everything: Doors | undefined
  const open = createDoors({ ...options, router: withoutOperators(options.router) })
  const doorsOf = async (exchange: Exchange) => {
    const ctx = createContext(options.services, factsOf(exchange))
    if ((await operatorOf(ctx)) === undefined) return open
    everything ??= createDoors(options)
    return everything
  }
  const admit = createCap("requests", { places: maxRequests })
  return async (exchange) => {
    const { method, site } = exchange
    if (site !== undefined) exchange.path = pathAt(site, exchange, isPart)
    const { path } = exchange
    if (bodiless.has(method)) refuseBody(exchange)
    // One that an author's code registers would read all pages of the origin. No page of ours has any.
    if (exchange.request.headers["service-worker"] !== undefined) {
      throw new AppError("NOT_FOUND", "There are no service workers here")
    }
    const { isOnChatOrigin } = exchange
    if (exchange.unread.heldBytes > 0 && !watched.test(path)) requireReader(exchange)
    const page = method === "GET" || method === "HEAD" ? pages.get(path) : undefined
    if (page !== undefined && (!isOnChatOrigin || chatPages?.has(path))) {
      exchange.operation = path
      return await page(exchange)
    }
    if (endpointPath.test(path)) {
      for (const endpoint of endpoints) {
        if (isOnChatOrigin && !endpoint.isForChats) continue
        const work = workOf(endpoint, exchange)
        if (work !== undefined) return await work
      }
    }
    const leave = admit({ address: networkOf(exchange.ip) }, () => {
      // Pages of every origin may read this refusal.
      addCors(exchange, "*")
      return unavailable("The service has too much to do", 1)
    })
    exchange.onStream = leave
    try {
      const isOpen = !mayBeForOperators.test(path) || isOnChatOrigin
      const { rpc, rest } = isOpen ? open : await doorsOf(exchange)
      await (path.startsWith(rpcPath) ? rpc(exchange) : rest(exchange))
    } finally {
      leave()
    }
  }
}

type Doors = { rest: Answer; rpc: Answer }

function createDoors(surface: Surface): Doors {
  return { rest: createRest(surface), rpc: createRpc(surface) }
}

/** Paths of operations for operators, and of batches with one. To all others, paths like these are unknown. */
const mayBeForOperators = /^\/api\/(?:v1\/operator\/|trpc\/(?:.*,)?operator\.)/

/** The router of those who must not learn that there are operations for operators. */
function withoutOperators(router: AnyTRPCRouter): AnyTRPCRouter {
  const procedures = Object.entries<AnyTRPCProcedure>(router._def.procedures)
  return routerOf(Object.fromEntries(procedures.filter(([, each]) => !isForOperators(each))))
}

/** The parts of chat pages. */
const isEmbedded = /^\/embed[./]/

/** Paths of monitoring: always answered, and small. */
const watched = /^(?:\/api)?\/(?:healthz|readyz|metrics)$/

/** Throws a 503 early for an address with too many unread answers. */
function requireReader(exchange: Exchange): void {
  try {
    exchange.unread.requireRoom(exchange.ip)
  } catch (error) {
    // Pages of every origin may read this refusal.
    addCors(exchange, "*")
    throw error
  }
}

function workOf(endpoint: Endpoint, exchange: Exchange): Promise<void> | undefined {
  const found = endpoint.path.exec(exchange.path)
  if (found === null) return undefined
  if (endpoint.origins) addCors(exchange, endpoint.origins)
  const isPreflight = endpoint.origins && exchange.method === "OPTIONS"
  const work = isPreflight
    ? Promise.resolve(sendPreflight(exchange))
    : endpoint.answer(exchange, found)
  if (work !== undefined) exchange.operation = endpoint.operation
  return work
}
