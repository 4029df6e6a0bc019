/** tRPC at /api/trpc: bounds requests, and passes them to the adapter of @trpc/server. */
import {
  type AnyTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  transformTRPCResponse,
} from "@trpc/server"
import { fetchRequestHandler } from "@trpc/server/adapters/fetch"
import { AppError, retryAfterOf } from "../../lib/errors.ts"
import { createContext } from "../../routers/context.ts"
import { describeRefusal, type Refusal } from "../../routers/refusal.ts"
import { maxBodyBytesOf, metaOf } from "../../routers/trpc.ts"
import {
  addCors,
  addRetryAfter,
  addVary,
  callingOrigins,
  passedOn,
  refuseMethod,
  sendCompressed,
  sendEmpty,
  sendPreflight,
  sendStream,
  sendText,
} from "../answer.ts"
import { limitOf, readText, requireRoom, reserveValues } from "../bodies/body.ts"
import { readOnce } from "../call.ts"
import { type Exchange, requireClient } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { type Answer, factsOf, notForChats, type Surface, splitPath } from "../rest/rest.ts"
import { isOnSide } from "../rest/routes.ts"
import { createBatch } from "./batch.ts"
import { encodeWholeChunks } from "./encodeWholeChunks.ts"
import { createOneMutation } from "./oneMutation.ts"
import { createQueries } from "./queries.ts"
import { rpcRouterOf } from "./rpcRouter.ts"

/** Where tRPC clients find the service. */
export const rpcPath = "/api/trpc/"

const maxBytes = 4 * 1024 * 1024
const maxBatchSize = 20

/** Makes the function that answers tRPC requests, or rejects. */
export function createRpc(surface: Surface): Answer {
  encodeWholeChunks()
  const router = rpcRouterOf(surface.router)
  const answerMutation = createOneMutation(surface)
  const answerQueries = createQueries(surface)
  return async (exchange) => {
    const { method } = exchange
    addCors(exchange, callingOrigins(surface.services.settings))
    if (method === "OPTIONS") return sendPreflight(exchange)
    if (method !== "GET" && method !== "POST" && method !== "HEAD") {
      const words = "Queries are sent by GET, mutations by POST"
      refuseMethod(exchange, "GET, POST, HEAD, OPTIONS", words)
    }
    const path = splitPath(exchange.path.slice(rpcPath.length - 1)).join("/")
    requireFewCalls(path)
    const maxBodyBytes = maxBytesOf(surface, path)
    requireRoom(exchange, limitOf(maxBodyBytes))
    exchange.operation = operationOf(surface, path)
    if (exchange.isOnChatOrigin && !isOfChats(surface, path)) throw notForChats()
    const body = method === "POST" ? await readText(exchange, maxBodyBytes) : undefined
    requireClient(exchange)
    const answered =
      body === undefined ? answerQueries(exchange, path) : answerMutation(exchange, path, body)
    if (answered !== undefined) return await answered
    const request = requestOf(exchange, path, body)
    const reserveInput = readOnce(() => reserveValues(exchange, body ?? ""))
    const called = { ...surface, router }
    await send(exchange, await respond(called, exchange, { request, reserveInput }))
  }
}

/** A batch has the limit of the strictest of its calls, since one of them may hold nearly all of it. */
function maxBytesOf({ router }: Surface, path: string): number {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  const called = path.split(",").flatMap((name) => {
    const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined
    return procedure === undefined ? [] : maxBodyBytesOf(procedure)
  })
  return Math.min(maxBytes, ...called)
}

function requireFewCalls(path: string): void {
  const calls = path.split(",").length
  if (calls <= maxBatchSize) return
  const words = `A request may have at most ${maxBatchSize} calls, not ${calls}: send several`
  throw new AppError("BATCH_TOO_LARGE", words, { data: { limit: maxBatchSize } })
}

/** Sends the error of a request that reached no procedure, which clients take for that of each call. */
export function sendRpcError(
  { router, services }: Surface,
  exchange: Exchange,
  cause: unknown,
): Refusal {
  const { _config: config } = router._def
  const refusal = describeRefusal(cause)
  addRetryAfter(exchange, retryAfterOf(refusal))
  const error = getTRPCErrorFromUnknown(cause)
  const ctx = createContext(services, factsOf(exchange))
  const call = { type: "unknown", path: undefined, input: undefined } as const
  const shape = getTRPCErrorShape({ ...call, config, error, ctx })
  const answer = transformTRPCResponse(config, { error: shape })
  sendText(exchange, refusal.status, JSON.stringify(answer))
  return refusal
}

/** Whether all the called procedures belong to chats, and not to those who watch them. */
function isOfChats({ router }: Surface, path: string): boolean {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  return path.split(",").every((name) => {
    const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined
    const { isChat, openapi } = procedure ? metaOf(procedure) : {}
    return isChat === true && !openapi?.tags?.includes("Conversations")
  })
}

/** The name of the called procedure, or `batch`; throws a 404 when another process serves it. */
function operationOf({ router, side }: Surface, path: string): string {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  const names = path.split(",").filter((name) => Object.hasOwn(procedures, name))
  if (names.some((name) => procedures[name] && !isOnSide(procedures[name], side))) {
    throw new AppError("NOT_FOUND", "This operation is not served here")
  }
  const [only = "batch", ...others] = names
  return others.length === 0 ? only : "batch"
}

/** The request for the adapter; procedures get headers from their context. */
const passedHeaders = ["accept", "content-type", "last-event-id", "trpc-accept"]

function requestOf(exchange: Exchange, path: string, body: string | undefined): Request {
  const { method, search, request } = exchange
  const headers = passedHeaders.flatMap((name): [string, string][] => {
    const value = request.headers[name]
    return typeof value === "string" ? [[name, value]] : []
  })
  // Encoded as one segment, so that the name checked above is the name that is called.
  const url = `http://trpc.invalid${rpcPath}${encodeURIComponent(path)}?${search}`
  return new Request(url, {
    // tRPC answers every HEAD with 204.
    method: method === "HEAD" ? "GET" : method,
    headers,
    signal: exchange.abortSignal(),
    ...(body !== undefined && { body }),
  })
}

type Passed = { request: Request; reserveInput: () => void }

function respond(
  { router, services }: Surface,
  exchange: Exchange,
  { request: req, reserveInput }: Passed,
): Promise<Response> {
  return fetchRequestHandler({
    endpoint: rpcPath,
    req,
    router,
    // Headers that procedures set are sent unless the stream has begun by then.
    createContext: ({ info }) => ({
      ...createContext(services, { ...factsOf(exchange), reserveInput }),
      ...(info.calls.length > 1 && { batch: createBatch() }),
    }),
    responseMeta: ({ errors }) => {
      const waits = errors.flatMap((error) => retryAfterOf(describeRefusal(error)) ?? [])
      if (waits.length > 0) addRetryAfter(exchange, Math.max(...waits))
      return {}
    },
    onError: ({ error, path: operation, input }) => {
      const refusal = describeRefusal(error, { input })
      logRefusal(services.log, { exchange, operation, refusal, error })
    },
  })
}

async function send(exchange: Exchange, response: Response): Promise<void> {
  const { status, headers, body } = response
  for (const [name, value] of headers) {
    if (name === "vary") addVary(exchange, value)
    // The service itself decides how bytes travel, and that nothing is cached on the way.
    else if (name !== "transfer-encoding" && name !== "connection" && name !== "cache-control") {
      exchange.headers[name] = value
    }
  }
  if (body === null) return sendEmpty(exchange, status)
  const isEvents = headers.get("content-type")?.startsWith("text/event-stream") ?? false
  // The calls are still running; each answers when it is done.
  if (isEvents || headers.get("transfer-encoding") === "chunked") {
    if (isEvents) exchange.onStream?.()
    exchange.response.statusCode = status
    if (exchange.method === "HEAD") await body.cancel()
    return await sendStream(exchange, { parts: body, headers: passedOn })
  }
  await sendCompressed(exchange, status, await response.text())
}
