/**
 * Calls procedures straight: their middleware, their schemas, their resolver. tRPC's own chain copies
 * all its options at every link, and wants a signal for each request: the HTTP layer then takes 1.3 to
 * 1.9 times the processor time per request (`npm run bench http`).
 */
import { type AnyTRPCProcedure, TRPCError } from "@trpc/server"
import type { Audit } from "../routers/audit.ts"
import type { Context } from "../routers/context.ts"
import { stepOfWork } from "../stepOfWork.ts"

/** One call of a procedure. */
type ProcedureRequest = {
  ctx: Context
  /** The input as it was sent. */
  input: unknown
  /** Aborts when the client leaves; made on first use. */
  abortSignal(): AbortSignal
}

/** Calls one procedure; rejects with what it throws, or what its schemas refuse. */
export type CallProcedure = (asked: ProcedureRequest) => Promise<unknown>

/** A context whose audit entry, if any, is written once the change has succeeded. */
type Audited = Context & { audit?: Pick<Audit, "finish"> | undefined }

type Schema = { parse(value: unknown): unknown }

/** Schemas say what they are; the resolver comes last. */
type Middleware = ((options: object) => Promise<{ ctx: Audited }>) & { _type?: string }

/** The definition of a procedure (tRPC 11), as far as it is needed to call it. */
type Definition = {
  inputs: readonly Schema[]
  output?: Schema
  resolver(options: object): unknown
  middlewares: readonly Middleware[]
  type: string
  meta?: object
}

/** Prepares the calls of one procedure. Throws when it has several inputs or middlewares. */
export function callOf(path: string, procedure: AnyTRPCProcedure): CallProcedure {
  const { inputs, output, resolver, middlewares, type, meta } =
    procedure._def as unknown as Definition
  const own = middlewares.filter(({ _type }) => _type !== "input" && _type !== "output")
  const [middleware] = own.slice(0, -1)
  if (inputs.length > 1 || own.length > 2) throw new Error(`${path} has too many parts to call it`)
  const [schema] = inputs
  return async (asked) => {
    const ctx: Audited = middleware
      ? await contextAfter(middleware, { ...asked, type, meta })
      : asked.ctx
    const input = schema && (await stepOfWork(() => read(schema, asked.input)))
    const data = await resolver(new Options({ ctx, input, abortSignal: asked.abortSignal }, path))
    await ctx.audit?.finish(asked.ctx.db, data)
    return output === undefined ? data : output.parse(data)
  }
}

/** The context that a middleware goes on with. What it does after that is left out. */
async function contextAfter(
  middleware: Middleware,
  { ctx, input, type, meta }: ProcedureRequest & Pick<Definition, "type" | "meta">,
): Promise<Audited> {
  const next = async (more: { ctx: object }) => ({ ctx: { ...ctx, ...more.ctx } })
  return (await middleware({ ctx, next, type, meta, getRawInput: async () => input })).ctx
}

function read(schema: Schema, sent: unknown): unknown {
  try {
    return schema.parse(sent)
  } catch (cause) {
    throw new TRPCError({ code: "BAD_REQUEST", cause })
  }
}

/**
 * What a resolver gets. A class, because each object literal with a getter gets a hidden class of its
 * own: a megabyte of them survived every scavenge (Node 20).
 */
class Options {
  readonly ctx: Context
  readonly input: unknown
  readonly path: string
  readonly #abortSignal: () => AbortSignal

  constructor({ ctx, input, abortSignal }: ProcedureRequest, path: string) {
    this.ctx = ctx
    this.input = input
    this.path = path
    this.#abortSignal = abortSignal
  }

  get signal(): AbortSignal {
    return this.#abortSignal()
  }
}
