/** The route table: a tree of path segments, built once from the `openapi` meta of procedures. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import { z } from "zod"
import type { Issue } from "../../errors.ts"
import type { ProcedureMeta } from "../../routers/trpc.ts"
import type { Members } from "../bodies/body.ts"
import { type CallProcedure, callOf } from "../call.ts"
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
  /** Open to every origin; small bodies, no compression. */
  isChat: boolean
  maxBodyBytes: number
  /** Whether the input comes from the body, except for path and query. */
  takesBody: boolean
  /** Whether the whole body is one member of the input. */
  takesWholeBody: boolean
  /** Reads the part of the input that may come in the query: all of it, unless there is a body. */
  readQuery: QueryReader
  /** Where a member of the input stands: in the path, the query or the body. */
  placeOf: (member: string) => string
  /** For clients that use other names; absent: they use ours. */
  translation?: Translation
}

/** How a client that uses other names for members is understood and answered. */
export type Translation = {
  /** What the client sent, in our names. */
  input(sent: Members): Members
  /** Where the client sent what stands at a path of that input. */
  sentAt(path: Issue["path"], sent: Members): Issue["path"]
  /** What the procedure answers, in the names of the client. */
  answer(data: unknown): unknown
}

/** The routes that begin with the same segments: what may follow, and those that end here by method. */
export type RouteNode = {
  /** By segments in lower case. */
  fixed: Map<string, RouteNode>
  /** What follows a value. */
  free?: RouteNode
  routes: Map<string, Route>
}

/** All routes, as a tree and without their aliases. */
export type RouteTable = { root: RouteNode; routes: Route[] }

const mebibyte = 1024 * 1024

/** The two sides of the service, which may run in separate processes. */
export type Side = "management" | "chat"

/** Collects the routes of a router, of one side or all. Throws when two have the same method and path. */
export function buildRoutes(router: AnyTRPCRouter, side?: Side): RouteTable {
  const root = newNode()
  const routes: Route[] = []
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  for (const [name, procedure] of Object.entries(procedures)) {
    const route = routeOf(name, procedure)
    if (route === undefined || !isOnSide(procedure, side)) continue
    addRoute(root, route)
    routes.push(route)
    for (const path of metaOf(procedure)?.aliases ?? []) addRoute(root, { ...route, path })
  }
  return { root, routes }
}

/** Whether an operation belongs to a side; with no side given, all do. */
export function isOnSide(procedure: AnyTRPCProcedure, side: Side | undefined): boolean {
  if (side === undefined) return true
  const meta = metaOf(procedure)
  const isChat = meta?.isChat ?? false
  return isChat === (side === "chat")
}

function routeOf(name: string, procedure: AnyTRPCProcedure): Route | undefined {
  const meta = metaOf(procedure)
  const openapi = meta?.openapi
  if (openapi === undefined || openapi.enabled === false) return undefined
  const { method, path } = openapi
  const parameters = [...path.matchAll(/\{([^}]+)\}/g)].map((found) => found[1] ?? "")
  const isChat = openapi.tags?.includes("Chat") ?? false
  const takesBody = method !== "GET" && method !== "DELETE"
  const shape = inputShape(procedure)
  const queried = Object.entries(shape).filter(
    ([member]) =>
      !parameters.includes(member) && (!takesBody || meta?.queryMembers?.includes(member)),
  )
  return {
    method,
    path,
    procedure: name,
    call: callOf(name, procedure),
    parameters,
    numbers: parameters.filter((name) => isNumeric(shape[name])),
    isChat,
    maxBodyBytes: meta?.maxBodyBytes ?? (isChat ? mebibyte : 4 * mebibyte),
    takesWholeBody: meta?.takesWholeBody ?? false,
    takesBody,
    readQuery: queryReader(Object.fromEntries(queried)),
    placeOf: (member) => (parameters.includes(member) ? "path" : takesBody ? "body" : "query"),
  }
}

function metaOf(procedure: AnyTRPCProcedure): OpenApiMeta<ProcedureMeta> | undefined {
  return procedure._def.meta as OpenApiMeta<ProcedureMeta> | undefined
}

/** The members of the input of a procedure, by name. */
export function inputShape(procedure: AnyTRPCProcedure): Record<string, z.core.$ZodType> {
  const { inputs } = procedure._def as unknown as { inputs: readonly unknown[] }
  const shapes = inputs.flatMap((input) =>
    input instanceof z.core.$ZodObject ? Object.entries(input._zod.def.shape) : [],
  )
  return Object.fromEntries(shapes)
}

function newNode(): RouteNode {
  return { fixed: new Map(), routes: new Map() }
}

/** Adds a route to a tree. Throws when another one has its method and path. */
export function addRoute(root: RouteNode, route: Route): void {
  let node = root
  for (const segment of route.path.slice(1).split("/")) {
    if (segment.startsWith("{")) {
      node.free ??= newNode()
      node = node.free
    } else {
      const next = node.fixed.get(segment.toLowerCase()) ?? newNode()
      node.fixed.set(segment.toLowerCase(), next)
      node = next
    }
  }
  if (node.routes.has(route.method)) {
    throw new Error(`Two operations claim ${route.method} ${route.path}`)
  }
  node.routes.set(route.method, route)
}
