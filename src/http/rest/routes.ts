/** The route table: a tree of path segments, built once from the `openapi` meta of procedures. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import { z } from "zod"
import type { ProcedureMeta } from "../../routers/trpc.ts"
import { badRequest } from "../../shared/errors.ts"
import { type CallProcedure, callOf } from "../call.ts"
import { type QueryReader, queryReader } from "./query.ts"

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
  /** Open to every origin; small bodies, no compression. */
  isChat: boolean
  maxBodyBytes: number
  /** Whether the input comes from the body, except for path and query. */
  takesBody: boolean
  /** Whether the whole body is one member of the input. */
  takesWholeBody: boolean
  /** Reads the part of the input that may come in the query: all of it, unless there is a body. */
  readQuery: QueryReader
}

/** A route with the values of its path parameters. */
export type Match = { route: Route; parameters: Record<string, string> }

/** All routes. */
export type RouteTable = {
  routes: Route[]
  /** Returns the route for a method and decoded segments; HEAD finds what GET finds. */
  find(method: string, segments: readonly string[]): Match | undefined
  /** Returns any route with this path, whatever its method. */
  findPath(segments: readonly string[]): Route | undefined
}

type Node = { fixed: Map<string, Node>; free?: Node; routes: Map<string, Route> }

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
    insert(root, route)
    routes.push(route)
    for (const path of metaOf(procedure)?.aliases ?? []) insert(root, { ...route, path })
  }
  return {
    routes,
    find: (method, segments) => {
      const wanted = method === "HEAD" ? "GET" : method
      const accept = (node: Node) => node.routes.get(wanted)
      return search(root, 0, { segments, values: [], accept })
    },
    findPath: (segments) => {
      const accept = (node: Node) => [...node.routes.values()][0]
      return search(root, 0, { segments, values: [], accept })?.route
    },
  }
}

/** Whether an operation belongs to a side; with no side given, all do. */
export function isOnSide(procedure: AnyTRPCProcedure, side: Side | undefined): boolean {
  if (side === undefined) return true
  const isChat = metaOf(procedure)?.openapi?.tags?.includes("Chat") ?? false
  return isChat === (side === "chat")
}

/** The decoded segments of a path. A trailing slash is ignored; a malformed escape is a 400. */
export function splitPath(path: string): string[] {
  const trimmed = path.endsWith("/") ? path.slice(1, -1) : path.slice(1)
  return trimmed.split("/").map((segment) => (segment.includes("%") ? decode(segment) : segment))
}

function decode(segment: string): string {
  let text: string
  try {
    text = decodeURIComponent(segment)
  } catch {
    throw badRequest("The path holds a malformed percent escape")
  }
  if (text.includes("\0")) throw badRequest("The path holds a NUL character")
  return text
}

function routeOf(name: string, procedure: AnyTRPCProcedure): Route | undefined {
  const meta = metaOf(procedure)
  const openapi = meta?.openapi
  if (openapi === undefined || openapi.enabled === false) return undefined
  const { method, path } = openapi
  const parameters = [...path.matchAll(/\{([^}]+)\}/g)].map((found) => found[1] ?? "")
  const isChat = openapi.tags?.includes("Chat") ?? false
  const takesBody = method !== "GET" && method !== "DELETE"
  const shape = Object.entries(inputShape(procedure, parameters))
  const queried = shape.filter(([member]) => !takesBody || meta?.queryMembers?.includes(member))
  return {
    method,
    path,
    procedure: name,
    call: callOf(name, procedure),
    parameters,
    isChat,
    maxBodyBytes: meta?.maxBodyBytes ?? (isChat ? mebibyte : 4 * mebibyte),
    takesWholeBody: meta?.takesWholeBody ?? false,
    takesBody,
    readQuery: queryReader(Object.fromEntries(queried)),
  }
}

function metaOf(procedure: AnyTRPCProcedure): OpenApiMeta<ProcedureMeta> | undefined {
  return procedure._def.meta as OpenApiMeta<ProcedureMeta> | undefined
}

function inputShape(
  procedure: AnyTRPCProcedure,
  parameters: readonly string[],
): Record<string, z.core.$ZodType> {
  const { inputs } = procedure._def as unknown as { inputs: readonly unknown[] }
  const shapes = inputs.flatMap((input) =>
    input instanceof z.core.$ZodObject ? Object.entries(input._zod.def.shape) : [],
  )
  return Object.fromEntries(shapes.filter(([name]) => !parameters.includes(name)))
}

function newNode(): Node {
  return { fixed: new Map(), routes: new Map() }
}

function insert(root: Node, route: Route): void {
  let node = root
  for (const segment of splitPath(route.path)) {
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

type Search = {
  segments: readonly string[]
  /** Positions of the segments that are values, in order. */
  values: number[]
  accept(node: Node): Route | undefined
}

/** Fixed segments take precedence over values; a dead end gives its values back. */
function search(node: Node, depth: number, state: Search): Match | undefined {
  const segment = state.segments[depth]
  if (segment === undefined) {
    const route = state.accept(node)
    return route && { route, parameters: nameValues(route, state) }
  }
  const fixed = node.fixed.get(segment) ?? node.fixed.get(segment.toLowerCase())
  const match = fixed && search(fixed, depth + 1, state)
  if (match !== undefined || node.free === undefined || segment === "") return match
  state.values.push(depth)
  const found = search(node.free, depth + 1, state)
  if (found === undefined) state.values.pop()
  return found
}

function nameValues(
  { parameters }: Route,
  { segments, values }: Pick<Search, "segments" | "values">,
): Record<string, string> {
  const named: Record<string, string> = {}
  for (const [index, name] of parameters.entries())
    named[name] = segments[values[index] ?? -1] ?? ""
  return named
}
