/** REST: matches a route, reads the input, calls the procedure, sends the answer. */
import type { AnyTRPCRouter } from "@trpc/server"
import type { Context, RequestFacts } from "../../routers/context.ts"
import { AppError } from "../../shared/errors.ts"
import type { Log } from "../../shared/log.ts"
import { sendCompressed, sendEmpty, sendProblem, sendText } from "../answer.ts"
import { type Members, readMembers } from "../bodies/body.ts"
import { refuseBody } from "../bodies/refuseBody.ts"
import { addCors, addPreflight } from "../cors.ts"
import { type Exchange, headerOf, requireClient } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { buildRoutes, type Match, type Side, splitPath } from "./routes.ts"

/** What the REST and tRPC surfaces share. */
export type Surface = {
  router: AnyTRPCRouter
  createContext(facts: RequestFacts): Context
  log: Log
  /** Origins whose pages may use the management routes. */
  allowedOrigins: readonly string[]
  /** Which operations are served; absent: all of them. */
  side?: Side | undefined
}

/** Makes the function that answers REST requests. It never rejects. */
export function createRest(surface: Surface): (exchange: Exchange) => Promise<void> {
  const table = buildRoutes(surface.router, surface.side)
  return async (exchange) => {
    let match: Match | undefined
    let input: unknown
    try {
      const segments = splitPath(exchange.path)
      match = table.find(exchange.method, segments)
      const near = match?.route ?? table.findPath(segments)
      addCors(exchange, near?.isChat ?? false, surface.allowedOrigins)
      if (exchange.method === "OPTIONS" && near !== undefined) return answerPreflight(exchange)
      if (match === undefined) throw new AppError("NOT_FOUND", "Unknown path or method")
      exchange.operation = match.route.procedure
      input = await readInput(exchange, match)
      requireClient(exchange)
      const ctx = surface.createContext(factsOf(exchange))
      const data = await match.route.call({ ctx, input, abortSignal: exchange.abortSignal })
      const sending = answer(exchange, match.route, data)
      if (sending) await sending
    } catch (error) {
      if (match === undefined) refuseBody(exchange, error)
      const refusal = sendProblem(exchange, error, input)
      logRefusal(surface.log, { exchange, operation: match?.route.procedure, refusal, error })
    }
  }
}

/** What procedures may know about a request. */
export function factsOf(exchange: Exchange): RequestFacts {
  const { request, requestId, ip, headers } = exchange
  return {
    requestId,
    ip,
    origin: headerOf(request, "origin"),
    iframeReferrerOrigin: headerOf(request, "x-parley-iframe-referrer-origin"),
    authorization: headerOf(request, "authorization"),
    idempotencyKey: headerOf(request, "idempotency-key"),
    setHeader: (name, value) => {
      headers[name.toLowerCase()] = value
    },
    hasLeft: exchange.hasLeft,
  }
}

function answerPreflight(exchange: Exchange): void {
  addPreflight(exchange)
  sendEmpty(exchange, 204)
}

async function readInput(exchange: Exchange, { route, parameters }: Match): Promise<Members> {
  const query = route.readQuery(exchange.search)
  if (!route.takesBody) return { ...query, ...parameters }
  const { isChat, maxBodyBytes: maxBytes, takesWholeBody } = route
  const rules = { maxBytes, takesEmptyArray: isChat, takesAnything: takesWholeBody }
  const members = await readMembers(exchange, rules)
  if (exchange.search === "" && route.parameters.length === 0 && !takesWholeBody) return members
  return { ...query, ...(takesWholeBody ? { body: members } : members), ...parameters }
}

/** Sends an answer, synchronously unless a promise is returned. */
function answer(
  exchange: Exchange,
  route: Match["route"],
  data: unknown,
): Promise<void> | undefined {
  const text = JSON.stringify(data) ?? "{}"
  // Chat answers are small and frequent: compressing them costs more than it saves.
  if (route.isChat) return void sendText(exchange, 200, text)
  return sendCompressed(exchange, 200, text)
}
