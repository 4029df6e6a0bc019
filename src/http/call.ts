/**
 * Calls procedures directly: their middleware, their schemas, their resolver. tRPC's own chain copies all
 * options at every link and wants an abort signal for every request, which costs the HTTP layer 1.3 to 1.9
 * times the processor time.
 */
import { type AnyTRPCProcedure, TRPCError } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import { flowKeyPrefix } from "../effects/httpRequest.ts"
import type { Log } from "../engine/schema/log.ts"
import { badRequest } from "../lib/errors.ts"
import type { Context, RequestFacts } from "../routers/context.ts"
import { requirePlain } from "../routers/input.ts"
import { metaOf, type ProcedureMeta } from "../routers/trpc.ts"

type ProcedureRequest = {
  ctx: Context
  /** Parses and cleans the input as it was sent, once; only called for callers who may make the call. */
  readInput(): unknown
  /** Aborts when the client leaves; created on first use. */
  abortSignal(): AbortSignal
}

/** Calls one procedure; rejects with its error or that of its schemas. */
export type CallProcedure = (asked: ProcedureRequest) => Promise<unknown>

type Schema = { parse(value: unknown): unknown; shape?: object }

/** Continues after a middleware, with more context. */
type Next = (more: { ctx: object }) => Promise<{ ok: true; data: unknown }>

/** Middlewares of schemas have a type; the resolver is the last one. */
type Middleware = ((options: object) => Promise<{ data: unknown }>) & { _type?: string }

/** The part of a procedure's definition (tRPC 11) that is needed to call it. */
type Definition = {
  inputs: readonly Schema[]
  output?: Schema
  resolver(options: object): unknown
  middlewares: readonly Middleware[]
  type: string
  meta?: OpenApiMeta<ProcedureMeta>
}

/** Prepares calls of a procedure. Throws when it has more than one input or middleware. */
export function callOf(path: string, procedure: AnyTRPCProcedure): CallProcedure {
  const call = plainCallOf(path, procedure)
  const { openapi, takesKey, takesWholeBody } = metaOf(procedure)
  // Other systems send headers of their own, and pages of former releases a key with every call.
  const isForeign = takesWholeBody || openapi?.protect === false
  if (openapi?.method !== "POST" || takesKey || isForeign) return call
  return async (asked) => {
    refuseKey(openapi.operationId ?? path, asked.ctx)
    return await call(asked)
  }
}

/**
 * Throws a 400 for a request with an `Idempotency-Key` to an operation that would carry it out again. The
 * keys that flows add to all their requests are promised to no caller.
 */
function refuseKey(operation: string, { idempotencyKey: key }: RequestFacts): void {
  if (key === undefined || key.startsWith(flowKeyPrefix)) return
  throw badRequest(
    `${operation} does not take the header Idempotency-Key: a repeated request is carried out again. ` +
      "Leave the header out, and look before you repeat the request",
  )
}

function plainCallOf(path: string, procedure: AnyTRPCProcedure): CallProcedure {
  const definition = procedure._def as unknown as Definition
  const { inputs, middlewares, type, meta } = definition
  const own = middlewares.filter(({ _type }) => _type !== "input" && _type !== "output")
  const [middleware] = own.slice(0, -1)
  if (inputs.length > 1 || own.length > 2)
    throw new Error(`${path} has more than one input or middleware: http/call.ts cannot call it`)
  const resolve = resolverOf(path, definition)
  if (middleware === undefined) return (asked) => resolve(asked, asked.ctx)
  return async (asked) => {
    const { ctx } = asked
    const next: Next = async (more) => {
      return { ok: true, data: await resolve(asked, { ...ctx, ...more.ctx }) }
    }
    const { data } = await middleware({
      ctx,
      next,
      type,
      meta,
      getRawInput: async () => asked.readInput(),
    })
    return data
  }
}

/** Creates the steps after the middleware: input schema, resolver, output schema. */
function resolverOf(path: string, { inputs, output, resolver, meta }: Definition) {
  const [schema] = inputs
  const { takesPlainInput, isTrusted, inPath, admitsCaller } = meta ?? {}
  const parse = meta?.readInput ?? schema?.parse.bind(schema)
  const shape = schema?.shape
  return async (asked: ProcedureRequest, ctx: Context): Promise<unknown> => {
    if (admitsCaller) await admitsCaller(ctx)
    const isRead = parse !== undefined || inPath !== undefined
    const reading = isRead ? asked.readInput() : undefined
    const sent = reading instanceof Promise ? await reading : reading
    if (takesPlainInput) requirePlain(sent)
    const input = parse && read(parse, sent)
    const { abortSignal } = asked
    const data = await resolver(new ResolverOptions({ ctx, abortSignal }, { input, path }))
    const answer = isTrusted || output === undefined ? data : output.parse(data)
    if (inPath === undefined || shape === undefined) return answer
    return warnUnknownFields(answer as Step, sent as object, { shape, inPath })
  }
}

function read(parse: (sent: unknown) => unknown, sent: unknown): unknown {
  try {
    return parse(sent)
  } catch (cause) {
    throw new TRPCError({ code: "BAD_REQUEST", cause })
  }
}

type Step = { logs?: Log[] | undefined }

/** Adds a log when no member that was sent is known to the call, as in `{"text": "Hi"}`. */
function warnUnknownFields(
  step: Step,
  sent: object,
  { shape, inPath }: { shape: object; inPath: readonly string[] },
): Step {
  const unknown: string[] = []
  for (const name in sent) {
    if (inPath.includes(name)) continue
    if (Object.hasOwn(shape, name)) return step
    unknown.push(name)
  }
  if (unknown.length === 0) return step
  const names = unknown.slice(0, 5).map((name) => `\`${name.slice(0, 50)}\``)
  const description = `Nothing in the request is known to this call: ${names.join(", ")}. What the user says goes into \`message\``
  return { ...step, logs: [...(step.logs ?? []), { status: "info", description }] }
}

/**
 * The argument of a resolver. It is a class because every object literal with a getter gets a hidden class of
 * its own, and a megabyte of those survived every scavenge (Node 20).
 */
class ResolverOptions {
  readonly ctx: Context
  readonly input: unknown
  readonly path: string
  readonly #abortSignal: () => AbortSignal

  constructor(
    { ctx, abortSignal }: Pick<ProcedureRequest, "ctx" | "abortSignal">,
    { input, path }: { input: unknown; path: string },
  ) {
    this.ctx = ctx
    this.input = input
    this.path = path
    this.#abortSignal = abortSignal
  }

  get signal(): AbortSignal {
    return this.#abortSignal()
  }
}

/** Reads at most once, on the first call; a failure is thrown again. `result` returns the value read. */
export function readOnce<T>(read: () => T): { (): T; result(): T | undefined } {
  let outcome: { value: T } | { error: unknown } | undefined
  const get = (): T => {
    outcome ??= attempt(read)
    if ("error" in outcome) throw outcome.error
    return outcome.value
  }
  const result = () => (outcome && "value" in outcome ? outcome.value : undefined)
  return Object.assign(get, { result })
}

function attempt<T>(read: () => T): { value: T } | { error: unknown } {
  try {
    return { value: read() }
  } catch (error) {
    return { error }
  }
}
