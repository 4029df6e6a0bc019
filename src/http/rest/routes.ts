/** Builds the route table, a tree of path segments, from the `openapi` meta of procedures. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { z } from "zod"
import type { Issue } from "../../lib/errors.ts"
import { proofParameter } from "../../people/sessionCookie.ts"
import { maxBodyBytesOf, metaOf } from "../../routers/trpc.ts"
import type { Members } from "../bodies/body.ts"
import { type CallProcedure, callOf } from "../call.ts"
import { deprecationHeaders } from "./deprecation.ts"
import { isNumeric, type QueryReader, queryReader } from "./query.ts"

/** One REST operation and the procedure behind it. */
export type Route = {
  method: string
  /** The path with its parameters in braces. */
  path: string
  /** Path of the procedure in the router: `bot.get`. */
  procedure: string
  call: CallProcedure
  /** Names of the path parameters, in order. */
  parameters: string[]
  /** Which of them are numbers. */
  numbers: readonly string[]
  /** Whether it is open to every origin, with small bodies and no compression. */
  isChat: boolean
  /** Whether it answers with one object as long as the process lives. */
  isConstant: boolean
  maxBodyBytes: number
  /** Whether the input comes from the body, except for path and query. */
  takesBody: boolean
  /** Whether the whole body is one member of the input. */
  takesWholeBody: boolean
  /** The names that a query may have: the whole input, unless there is a body, and a proof of the session. */
  takenByQuery: ReadonlySet<string>
  /** The members of the input; absent: it takes any. */
  members?: ReadonlySet<string> | undefined
  /** Headers of every answer. */
  headers: Readonly<Record<string, string>>
  /** Reads them. */
  readQuery: QueryReader
  /** Whether a member of the input is in the path, the query or the body. */
  placeOf: (member: string) => string
  /** For clients that use other names than ours; absent: they use ours. */
  translation?: Translation
}

/** Translates requests and answers of a client that has other names for members. */
export type Translation = {
  /** Translates the input of the client into our names. */
  input(sent: Members): Members
  /** Translates a path of that input into the names of the client. */
  sentAt(path: Issue["path"], sent: Members): Issue["path"]
  /** Translates the answer of the procedure into the names of the client. */
  answer(data: unknown): unknown
}

/** The routes with a common prefix: the next segments, and the routes that end here. */
export type RouteNode = {
  /** Children, by segment in lower case. */
  fixed: Map<string, RouteNode>
  /** The child for a parameter. */
  free?: RouteNode
  /** By method. */
  routes: Map<string, Route>
}

/** All routes: as a tree, and as a list without aliases. */
export type RouteTable = { root: RouteNode; routes: Route[] }

/** The two sides of the service, which may run in processes of their own. */
export type Side = "management" | "chat"

/** Collects the routes of one side, or all. Throws when two have the same method and path. */
export function buildRoutes(router: AnyTRPCRouter, side?: Side): RouteTable {
  const root = newNode()
  const routes: Route[] = []
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  for (const [name, procedure] of Object.entries(procedures)) {
    const route = routeOf(name, procedure)
    if (route === undefined || !isOnSide(procedure, side)) continue
    addRoute(root, route)
    routes.push(route)
    for (const path of metaOf(procedure).aliases ?? []) addRoute(root, { ...route, path })
  }
  return { root, routes }
}

/** Whether an operation belongs to a side; without a side, all do. */
export function isOnSide(procedure: AnyTRPCProcedure, side: Side | undefined): boolean {
  const isChat = metaOf(procedure).isChat ?? false
  return side === undefined || isChat === (side === "chat")
}

function routeOf(name: string, procedure: AnyTRPCProcedure): Route | undefined {
  const meta = metaOf(procedure)
  const { openapi } = meta
  if (openapi === undefined || openapi.enabled === false) return undefined
  const { method, path } = openapi
  const parameters = [...path.matchAll(/\{([^}]+)\}/g)].map((found) => found[1] ?? "")
  const isChat = openapi.tags?.includes("Chat") ?? false
  const takesBody = method !== "GET" && method !== "DELETE"
  const shape = inputShape(procedure)
  const queried = Object.entries(shape).filter(
    ([member]) =>
      !parameters.includes(member) && (!takesBody || meta.queryMembers?.includes(member)),
  )
  return {
    method,
    path,
    procedure: name,
    call: callOf(name, procedure),
    parameters,
    numbers: parameters.filter((name) => isNumeric(shape[name])),
    isChat,
    isConstant: meta.isConstant ?? false,
    maxBodyBytes: maxBodyBytesOf(procedure),
    takesWholeBody: meta.takesWholeBody ?? false,
    takesBody,
    takenByQuery: new Set([...queried.map(([member]) => member), proofParameter]),
    members: takesAnyMember(procedure) ? undefined : new Set(Object.keys(shape)),
    headers: meta.deprecated ? deprecationHeaders(meta.deprecated) : {},
    readQuery: queryReader(Object.fromEntries(queried)),
    placeOf: (member) => (parameters.includes(member) ? "path" : takesBody ? "body" : "query"),
  }
}

/** The schemas of a procedure's input members, by name. */
export function inputShape(procedure: AnyTRPCProcedure): Record<string, z.core.$ZodType> {
  const shapes = inputsOf(procedure).flatMap((input) =>
    input instanceof z.core.$ZodObject ? Object.entries(input._zod.def.shape) : [],
  )
  return Object.fromEntries(shapes)
}

/** Whether an input keeps members that its schema does not list. */
function takesAnyMember(procedure: AnyTRPCProcedure): boolean {
  return inputsOf(procedure).some(
    (input) => !(input instanceof z.core.$ZodObject) || input._zod.def.catchall !== undefined,
  )
}

function inputsOf(procedure: AnyTRPCProcedure): readonly unknown[] {
  return (procedure._def as unknown as { inputs: readonly unknown[] }).inputs
}

function newNode(): RouteNode {
  return { fixed: new Map(), routes: new Map() }
}

/** Adds a route to a tree. Throws when another has the same method and path. */
export function addRoute(root: RouteNode, route: Route): void {
  let node = root
  for (const segment of route.path.slice(1).split("/")) {
    if (segment.startsWith("{")) {
      node.free ??= newNode()
      node = node.free
    } else {
      const name = segment.toLowerCase()
      const next = node.fixed.get(name) ?? newNode()
      node.fixed.set(name, next)
      node = next
    }
  }
  if (node.routes.has(route.method)) {
    throw new Error(`Two operations claim ${route.method} ${route.path}`)
  }
  node.routes.set(route.method, route)
}
