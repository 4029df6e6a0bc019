/** tRPC at /api/trpc: plain JSON is answered here, the rest by the adapter of @trpc/server. */
import type { AnyTRPCProcedure } from "@trpc/server"
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http"
import { createContext } from "../../routers/context.ts"
import { describeRefusal } from "../../routers/refusal.ts"
import { AppError } from "../../shared/errors.ts"
import { addCors, sendPreflight } from "../answer.ts"
import { limitOf, readText, requireRoom } from "../bodies/body.ts"
import { type Exchange, requireClient } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { factsOf, type Surface, splitPath } from "../rest/rest.ts"
import { isOnSide } from "../rest/routes.ts"
import { answerCalls, callablesOf, findCalls } from "./rpcCalls.ts"

/** Where tRPC clients find the service. */
export const rpcPath = "/api/trpc/"

const maxBodyBytes = 4 * 1024 * 1024
const maxBatchSize = 20

/** Makes the function that answers tRPC requests, or rejects. */
export function createRpc(surface: Surface): (exchange: Exchange) => Promise<void> {
  const callables = callablesOf(surface.router)
  return async (exchange) => {
    addCors(exchange, surface.services.settings.allowedOrigins)
    if (exchange.method === "OPTIONS") return sendPreflight(exchange)
    const path = splitPath(exchange.path.slice(rpcPath.length - 1)).join("/")
    requireRoom(exchange, limitOf(maxBodyBytes))
    exchange.operation = operationOf(surface, path)
    const calls = findCalls(exchange, path, { callables, maxBatchSize })
    if (calls) await answerCalls(surface, exchange, { calls, maxBodyBytes })
    else await forward(surface, exchange, path)
  }
}

/** The name of the called procedure, or `batch`; throws a 404 when another process serves it. */
function operationOf({ router, side }: Surface, path: string): string {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  const names = path.split(",").filter((name) => Object.hasOwn(procedures, name))
  for (const name of names) {
    const procedure = procedures[name]
    if (procedure !== undefined && !isOnSide(procedure, side)) {
      throw new AppError("NOT_FOUND", "This operation is not served here")
    }
  }
  return names.length === 1 && names[0] !== undefined ? names[0] : "batch"
}

async function forward(surface: Surface, exchange: Exchange, path: string): Promise<void> {
  const { request: req, response: res } = exchange
  // The adapter itself counts no bytes, and waits forever for a client that has left.
  if (exchange.method !== "GET") {
    Object.assign(req, { body: await readText(exchange, maxBodyBytes) })
  }
  requireClient(exchange)
  const facts = {
    ...factsOf(exchange),
    setHeader: (name: string, value: string) => {
      // In a stream the headers have been sent before the calls are over.
      if (!res.headersSent) res.setHeader(name, value)
    },
  }
  for (const [name, value] of Object.entries(exchange.headers)) res.setHeader(name, value)
  await nodeHTTPRequestHandler({
    router: surface.router,
    req,
    res,
    path,
    maxBodySize: maxBodyBytes,
    maxBatchSize,
    createContext: async () => createContext(surface.services, facts),
    responseMeta: ({ errors }) => {
      const waits = errors.map((error) => describeRefusal(error).retryAfterSeconds ?? 0)
      const longest = Math.ceil(Math.max(0, ...waits))
      return longest > 0 ? { headers: new Headers({ "retry-after": String(longest) }) } : {}
    },
    onError: ({ error, path: operation, input }) => {
      const refusal = describeRefusal(error, { input })
      logRefusal(surface.services.log, { exchange, operation, refusal, error })
    },
  })
}
