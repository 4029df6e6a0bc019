/** The front door: sends every request to a page, to tRPC or to REST. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "./answer.ts"
import { type BodyBudget, unlimitedBodies } from "./bodies/bodyBudget.ts"
import { refuseBody } from "./bodies/refuseBody.ts"
import { addCors } from "./cors.ts"
import { type Endpoint, type Exchange, openExchange } from "./exchange.ts"
import { logRefusal } from "./logRefusal.ts"
import type { Admit, Observe } from "./observe.ts"
import { createRest, type Surface } from "./rest/rest.ts"
import { createRpc, rpcPath } from "./trpc/rpc.ts"

/** What the front door leads to. */
export type Endpoints = Surface & {
  /** Fixed GET pages by exact path: health, documentation. */
  pages: Readonly<Record<string, (exchange: Exchange) => void | Promise<void>>>
  /** What answers something else than JSON, tried in order after the pages. Absent: nothing does. */
  endpoints?: readonly Endpoint[]
  /** Number of proxies in front that append to X-Forwarded-For. */
  trustedProxies: number
  /** Counts the bodies in memory; absent: nobody does. */
  bodies?: BodyBudget
  /** Counts and traces; absent: nobody does. */
  observe?: Observe
  /** Refuses requests for procedures when there are too many; absent: there never are. */
  admit?: Admit
}

/** Answers one request; resolves when its work is done, and never rejects. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Makes the front door. */
export function createDispatch(doors: Endpoints): Dispatch {
  const { observe = (_exchange, work) => work(), bodies = unlimitedBodies } = doors
  const { trustedProxies } = doors
  const answer = createAnswer(doors)
  return async (request, response) => {
    const exchange = openExchange(request, response, { trustedProxies, bodies })
    await observe(exchange, async () => {
      try {
        await answer(exchange)
      } catch (error) {
        const refusal = sendProblem(exchange, error)
        logRefusal(doors.log, { exchange, operation: undefined, refusal, error })
      } finally {
        exchange.body.close()
      }
    })
  }
}

/** Methods whose bodies nobody reads. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE"])

function createAnswer(doors: Endpoints): (exchange: Exchange) => Promise<void> {
  const { admit = () => () => {}, endpoints: sideDoors = [] } = doors
  const pages = new Map(Object.entries(doors.pages))
  const rest = createRest(doors)
  const rpc = createRpc(doors)
  return async (exchange) => {
    const { method, path } = exchange
    if (bodiless.has(method)) refuseBody(exchange)
    const page = method === "GET" || method === "HEAD" ? pages.get(path) : undefined
    if (page !== undefined) {
      exchange.operation = path
      await page(exchange)
      return
    }
    const aside = workAside(sideDoors, exchange)
    if (aside !== undefined) return await aside
    const leave = letIn(admit, exchange)
    try {
      await (path.startsWith(rpcPath) ? rpc(exchange) : rest(exchange))
    } finally {
      leave()
    }
  }
}

/** Counts a request in; a refusal is one that pages of every origin may read. */
function letIn(admit: Admit, exchange: Exchange): () => void {
  try {
    return admit()
  } catch (error) {
    addCors(exchange, true, [])
    refuseBody(exchange, error)
    throw error
  }
}

function workAside(sideDoors: readonly Endpoint[], exchange: Exchange): Promise<void> | undefined {
  for (const door of sideDoors) {
    const work = door(exchange)
    if (work !== undefined) return work
  }
  return undefined
}
