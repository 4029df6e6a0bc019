/** The front door: sends every request to a page, to tRPC or to REST. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "./answer.ts"
import { type Exchange, openExchange } from "./exchange.ts"
import { logRefusal } from "./logRefusal.ts"
import { createRest, type Surface } from "./rest.ts"
import { createRpc, rpcPath } from "./rpc.ts"
import type { SideDoor } from "./sideDoor.ts"

/** What the front door leads to. */
export type Doors = Surface & {
  /** Fixed GET pages by exact path: health, documentation. */
  pages: Readonly<Record<string, (exchange: Exchange) => void | Promise<void>>>
  /** What answers something else than JSON, tried in order after the pages. Absent: nothing does. */
  sideDoors?: readonly SideDoor[]
  /** Number of proxies in front that append to X-Forwarded-For. */
  trustedProxies: number
}

/** Answers one request; resolves when its work is done, and never rejects. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Makes the front door. */
export function createDispatch(doors: Doors): Dispatch {
  const pages = new Map(Object.entries(doors.pages))
  const rest = createRest(doors)
  const rpc = createRpc(doors)
  return async (request, response) => {
    const exchange = openExchange(request, response, doors.trustedProxies)
    const { method, path } = exchange
    const page = method === "GET" || method === "HEAD" ? pages.get(path) : undefined
    try {
      if (page !== undefined) await page(exchange)
      else if (await opens(doors.sideDoors ?? [], exchange)) return
      else if (path.startsWith(rpcPath)) await rpc(exchange)
      else await rest(exchange)
    } catch (error) {
      const refusal = sendProblem(exchange, error)
      logRefusal(doors.log, { exchange, operation: undefined, refusal, error })
    }
  }
}

async function opens(sideDoors: readonly SideDoor[], exchange: Exchange): Promise<boolean> {
  for (const door of sideDoors) if (await door(exchange)) return true
  return false
}
