/** Answers REST requests: finds the route, reads the input, calls the procedure, sends the answer. */
import { type AnyTRPCRouter, TRPCError } from "@trpc/server"
import type { z } from "zod"
import { AppError, badRequest } from "../../lib/errors.ts"
import { isMembers } from "../../lib/json.ts"
import { memoize } from "../../lib/memoize.ts"
import { type PageFacts, proofParameter, secretHeader } from "../../people/sessionCookie.ts"
import { createContext, type RequestFacts, type Services } from "../../routers/context.ts"
import {
  addCors,
  callingOrigins,
  prepare,
  sendCompressed,
  sendPreflight,
  sendTagged,
  sendText,
} from "../answer.ts"
import { receiveMembers } from "../bodies/body.ts"
import { readOnce } from "../call.ts"
import { type Exchange, headerOf, requireClient } from "../exchange.ts"
import { compatRoutes } from "./compat.ts"
import { nearestRoute } from "./nearestRoute.ts"
import { queryReader, readNumber } from "./query.ts"
import {
  addRoute,
  buildRoutes,
  type Route,
  type RouteNode,
  type RouteTable,
  type Side,
} from "./routes.ts"

/** Answers a request, or rejects. */
export type Answer = (exchange: Exchange) => Promise<void>

/** The common part of the REST and tRPC surfaces. */
export type Surface = {
  router: AnyTRPCRouter
  services: Services
  /** Which operations are served; absent: all. */
  side?: Side | undefined
  /** Whether Typebot's clients are served under its paths; absent: no. */
  servesCompat?: boolean
}

/** Makes the function that answers REST requests, or rejects. */
export function createRest({ router, services, side, servesCompat }: Surface): Answer {
  const allowedOrigins = callingOrigins(services.settings)
  const { root, routes } = buildRoutes(router, side)
  if (servesCompat) for (const route of compatRoutes(routes)) addRoute(root, route)
  return async (exchange) => {
    const { method } = exchange
    const { segments, malformed } = readPath(exchange.path)
    const match = findRoute(root, segments, method)
    const near = match?.route ?? findRoute(root, segments)?.route
    addCors(exchange, near?.isChat ? "*" : allowedOrigins)
    if (method === "OPTIONS" && near !== undefined) return sendPreflight(exchange)
    if (malformed !== undefined) throw badRequest(malformed)
    if (exchange.isOnChatOrigin && near?.isChat !== true) throw notForChats()
    if (match === undefined) throw unknownRoute(exchange, { root, routes, segments })
    const { route } = match
    const { translation } = route
    exchange.operation = route.procedure
    exchange.placeOf = route.placeOf
    Object.assign(exchange.headers, route.headers)
    const readSent = await receiveInput(exchange, match)
    const readInput = readOnce(() => {
      const sent = readSent()
      const input = translation ? translation.input(sent) : sent
      exchange.input = input
      if (route.members) nameIgnored(exchange, Object.keys(input), route.members)
      if (translation) exchange.sentAt = (path) => translation.sentAt(path, sent)
      return input
    })
    requireClient(exchange)
    const { abortSignal } = exchange
    const ctx = createContext(services, factsOf(exchange))
    const data = await route.call({ ctx, readInput, abortSignal })
    if (route.isConstant) return await sendConstant(exchange, data as object)
    const plain = translation ? translation.answer(data) : data
    // A call of a chat that knows nothing of its body has a log of its own.
    const answer = exchange.search === "" ? plain : withWarning(plain, exchange)
    const text = JSON.stringify(answer) ?? "{}"
    // Chat answers are small and frequent: compressing them costs more than it saves.
    if (route.isChat) sendText(exchange, 200, text)
    else await sendCompressed(exchange, 200, text)
  }
}

/** Answers with the same object every time: it is written and compressed once, and callers may keep it. */
async function sendConstant(exchange: Exchange, data: object): Promise<void> {
  exchange.headers["cache-control"] = "public, max-age=300"
  sendTagged(exchange, await prepareConstant(data))
}

/** The 404 of everything but chats on their origin. */
export function notForChats(): AppError {
  return new AppError("NOT_FOUND", "This origin serves chats alone: ask that of PARLEY_PUBLIC_URL")
}

const prepareConstant = memoize((data: object) => prepare(JSON.stringify(data)))

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** Returns a 405 for a path that has other methods, else a 404 with the path probably meant. */
function unknownRoute(
  exchange: Exchange,
  { root, routes, segments }: RouteTable & { segments: readonly string[] },
): AppError {
  const { method, headers } = exchange
  const allowed = methods.filter((each) => findRoute(root, segments, each))
  if (allowed.length > 0) {
    headers.allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
    const message = `This path does not take ${method}, but ${allowed.join(", ")}`
    return new AppError("METHOD_NOT_SUPPORTED", message)
  }
  const nearest = nearestRoute(routes, { method, segments })
  const hint = nearest === undefined ? "/docs lists all paths" : `did you mean ${nearest}?`
  return new AppError("NOT_FOUND", `Unknown path: ${hint}`)
}

export function factsOf(exchange: Exchange): RequestFacts {
  const { request, requestId, ip, headers } = exchange
  const { cookie, host } = request.headers
  return {
    requestId,
    ip,
    origin: headerOf(request, "origin"),
    iframeReferrerOrigin: headerOf(request, "x-parley-iframe-referrer-origin"),
    onlyBots: exchange.site?.botIds,
    authorization: headerOf(request, "authorization"),
    host,
    cookie: exchange.isOnChatOrigin ? undefined : cookie,
    pageFacts: () => pageFactsOf(exchange),
    idempotencyKey: headerOf(request, "idempotency-key"),
    setHeader: (name, value) => {
      headers[name.toLowerCase()] = value
    },
    hasLeft: exchange.hasLeft,
  }
}

function pageFactsOf({ request, method, path, search }: Exchange): PageFacts {
  const isRead = method === "GET" || method === "HEAD"
  const proof = isRead ? new URLSearchParams(search).get(proofParameter) : null
  return {
    site: headerOf(request, "sec-fetch-site"),
    referrer: isRead ? headerOf(request, "referer") : undefined,
    secret: headerOf(request, secretHeader),
    ...(proof !== null && { link: { path, proof } }),
  }
}

/** Decodes the segments of a path, ignoring a trailing slash; 400 for a malformed escape. */
export function splitPath(path: string): string[] {
  const { segments, malformed } = readPath(path)
  if (malformed !== undefined) throw badRequest(malformed)
  return segments
}

/** The same for a malformed path, to find the route that it was meant for. */
function readPath(path: string): { segments: string[]; malformed?: string } {
  const segments = (path.endsWith("/") ? path.slice(1, -1) : path.slice(1)).split("/")
  if (!path.includes("%")) return { segments }
  try {
    const decoded = segments.map(decodeURIComponent)
    if (!decoded.some((segment) => segment.includes("\0"))) return { segments: decoded }
    return { segments, malformed: "The path holds a NUL character" }
  } catch {
    return { segments, malformed: "The path holds a malformed percent escape" }
  }
}

/** Creates the reader of input at a path without a route; it refuses what the schema refuses. */
export function inputReader<Asked extends z.ZodObject>(path: string, schema: Asked) {
  const readQuery = queryReader(schema.shape)
  const names = splitPath(path).map((segment) => /^\{(.*)\}$/.exec(segment)?.[1])
  return (exchange: Exchange): z.output<Asked> => {
    const input: Record<string, unknown> = readQuery(exchange.search)
    for (const [index, segment] of splitPath(exchange.path).entries()) {
      const name = names[index]
      if (name !== undefined) input[name] = segment
    }
    exchange.input = input
    exchange.placeOf = (member) => (names.includes(String(member)) ? "path" : "query")
    const { success, data, error } = schema.safeParse(exchange.input)
    if (!success) throw new TRPCError({ code: "BAD_REQUEST", cause: error })
    return data
  }
}

/** A route with the values of its path parameters. */
type Match = { route: Route; parameters: Record<string, unknown> }

/** Finds the route for a method, or for any when none is given; HEAD counts as GET. */
function findRoute(root: RouteNode, segments: readonly string[], method?: string) {
  const wanted = method === "HEAD" ? "GET" : method
  const values: string[] = []
  const route = search(root, 0, { segments, values, method: wanted })
  if (route === undefined) return undefined
  const parameters: Record<string, unknown> = {}
  for (const [index, name] of route.parameters.entries()) {
    const text = values[index] ?? ""
    parameters[name] = route.numbers.includes(name) ? readNumber(text) : text
  }
  return { route, parameters }
}

type Search = {
  segments: readonly string[]
  /** The segments so far that are path parameters. */
  values: string[]
  method: string | undefined
}

/** Fixed segments take precedence over parameters; a dead end is backtracked. */
function search(node: RouteNode, depth: number, wanted: Search): Route | undefined {
  const { segments, values, method } = wanted
  const segment = segments[depth]
  if (segment === undefined) {
    return method === undefined ? [...node.routes.values()][0] : node.routes.get(method)
  }
  const fixed = node.fixed.get(segment) ?? node.fixed.get(segment.toLowerCase())
  const route = fixed && search(fixed, depth + 1, wanted)
  if (route !== undefined || node.free === undefined) return route
  // An empty id names nothing, but the page that sent it may read so.
  if (segment === "" && method !== undefined) return undefined
  values.push(segment)
  const found = search(node.free, depth + 1, wanted)
  if (found === undefined) values.pop()
  return found
}

/** Receives the input. Returns a function that parses and cleans it. */
async function receiveInput(exchange: Exchange, { route, parameters }: Match) {
  const { search: text } = exchange
  if (text !== "") nameIgnored(exchange, new URLSearchParams(text).keys(), route.takenByQuery)
  if (!route.takesBody) return () => ({ ...(text !== "" && route.readQuery(text)), ...parameters })
  const { maxBodyBytes: maxBytes, takesWholeBody } = route
  const rules = { maxBytes, takesAnything: takesWholeBody }
  const parse = await receiveMembers(exchange, rules)
  return () => {
    const members = parse()
    if (text === "" && route.parameters.length === 0 && !takesWholeBody) return members
    const query = text === "" ? {} : route.readQuery(text)
    // A few members are allowed in both; the body takes precedence.
    if (text !== "") {
      exchange.placeOf = (member) =>
        member in query && !(member in members) ? "query" : route.placeOf(member)
    }
    return { ...query, ...(takesWholeBody ? { body: members } : members), ...parameters }
  }
}

/** The header of the answer that names what an operation does not know of a query or a body. */
const ignoredHeader = "parley-ignored"

const maxNamed = 5
const maxNameLength = 50

/** Adds the unknown ones of some names to the header: a few, as it can hold them. */
function nameIgnored(
  { headers }: Exchange,
  names: Iterable<string>,
  known: ReadonlySet<string>,
): void {
  const unknown = [...new Set(names)].filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const named = unknown.slice(0, maxNamed).map(inHeader)
  if (unknown.length > maxNamed) named.push("...")
  headers[ignoredHeader] = [headers[ignoredHeader] ?? [], named].flat().join(", ")
}

/** A name as a header can hold it. */
function inHeader(name: string): string {
  return encodeURIComponent(name.slice(0, maxNameLength).toWellFormed())
}

/** Adds the same to the logs of a chat answer, for its author. */
function withWarning(answer: unknown, { headers }: Exchange): unknown {
  const names = headers[ignoredHeader]
  if (names === undefined || !isMembers(answer) || !("messages" in answer)) return answer
  const logs = Array.isArray(answer.logs) ? answer.logs : []
  const description = `Unknown query parameters were ignored: ${names}`
  return { ...answer, logs: [...logs, { status: "info", description }] }
}
