/** Dispatches every request to a page, to tRPC or to REST. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "./answer.ts"
import { type BodyBudget, unlimitedBodies } from "./bodies/bodyBudget.ts"
import { refuseBody } from "./bodies/refuseBody.ts"
import { addCors } from "./cors.ts"
import { type Endpoint, type Exchange, openExchange } from "./exchange.ts"
import { logRefusal } from "./logRefusal.ts"
import type { Admit, Observe } from "./observeRequests.ts"
import { createRest, type Surface } from "./rest/rest.ts"
import { createRpc, rpcPath } from "./trpc/rpc.ts"

/** What requests are dispatched to. */
export type DispatchOptions = Surface & {
  /** Fixed GET pages by exact path: health, documentation. */
  pages: Readonly<Record<string, (exchange: Exchange) => void | Promise<void>>>
  /** What answers something other than JSON, tried in order after the pages. */
  endpoints?: readonly Endpoint[]
  /** Number of proxies in front that append to X-Forwarded-For. */
  trustedProxies: number
  /** Counts the bodies in memory; absent: they are unlimited. */
  bodies?: BodyBudget
  /** Counts and traces requests. */
  observe?: Observe
  /** Refuses requests for procedures when there are too many; absent: they are unlimited. */
  admit?: Admit
}

/** Answers one request; resolves when its work is done, and never rejects. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Makes the dispatcher. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { observe = (_exchange, work) => work(), bodies = unlimitedBodies } = options
  const { trustedProxies } = options
  const answer = createAnswer(options)
  return async (request, response) => {
    const exchange = openExchange(request, response, { trustedProxies, bodies })
    await observe(exchange, async () => {
      try {
        await answer(exchange)
      } catch (error) {
        const refusal = sendProblem(exchange, error)
        logRefusal(options.log, { exchange, operation: undefined, refusal, error })
      } finally {
        exchange.body.close()
      }
    })
  }
}

/** Methods whose bodies nobody reads. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE"])

function createAnswer(options: DispatchOptions): (exchange: Exchange) => Promise<void> {
  const { admit = () => () => {}, endpoints = [] } = options
  const pages = new Map(Object.entries(options.pages))
  const rest = createRest(options)
  const rpc = createRpc(options)
  return async (exchange) => {
    const { method, path } = exchange
    if (bodiless.has(method)) refuseBody(exchange)
    const page = method === "GET" || method === "HEAD" ? pages.get(path) : undefined
    if (page !== undefined) {
      exchange.operation = path
      await page(exchange)
      return
    }
    const work = firstWork(endpoints, exchange)
    if (work !== undefined) return await work
    const release = admitOrRefuse(admit, exchange)
    try {
      await (path.startsWith(rpcPath) ? rpc(exchange) : rest(exchange))
    } finally {
      release()
    }
  }
}

/** Admits a request; pages of every origin may read the refusal. */
function admitOrRefuse(admit: Admit, exchange: Exchange): () => void {
  try {
    return admit()
  } catch (error) {
    addCors(exchange, true, [])
    refuseBody(exchange, error)
    throw error
  }
}

function firstWork(endpoints: readonly Endpoint[], exchange: Exchange): Promise<void> | undefined {
  for (const endpoint of endpoints) {
    const work = endpoint(exchange)
    if (work !== undefined) return work
  }
  return undefined
}
