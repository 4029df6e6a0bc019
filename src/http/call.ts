/**
 * Calls procedures: straight through their schemas, or along tRPC's chain where there is middleware.
 * The chain copies all its options at every link, and wants a signal for each request: the HTTP layer
 * then takes 1.3 to 1.9 times the processor time per request (`npm run bench http`).
 */
import { type AnyTRPCProcedure, TRPCError, type TRPCProcedureType } from "@trpc/server"
import type { Context } from "../routers/context.ts"

/** One call of a procedure. */
export type ProcedureRequest = {
  ctx: Context
  /** The input as it was sent. */
  input: unknown
  /** Aborts when the client leaves; made on first use. */
  abortSignal(): AbortSignal
}

/** Calls one procedure; rejects with what it throws, or what its schemas refuse. */
export type CallProcedure = (asked: ProcedureRequest) => Promise<unknown>

/** Prepares the calls of one procedure. */
export function callOf(path: string, procedure: AnyTRPCProcedure): CallProcedure {
  const links = linksOf(procedure)
  return links ? straight(path, links) : chained(path, procedure)
}

/** Whether a procedure is called without tRPC's chain. */
export function isStraight(procedure: AnyTRPCProcedure): boolean {
  return linksOf(procedure) !== undefined
}

type Schema = { parse(value: unknown): unknown }

/** The part of a procedure's definition (tRPC 11) that is needed to call it. */
type Links = {
  type: TRPCProcedureType
  meta: unknown
  inputs: readonly Schema[]
  output?: Schema
  resolver(options: object): unknown
  /** Schemas say what they are; the last one is the resolver. */
  middlewares: readonly { _type?: string }[]
}

/** Returns undefined when there are other links, or the definition is not one of tRPC 11. */
function linksOf(procedure: AnyTRPCProcedure): Links | undefined {
  const { resolver, inputs, middlewares, ...rest } = procedure._def as unknown as Partial<Links>
  if (!resolver || !inputs || !middlewares || inputs.length > 1) return undefined
  const others = middlewares.filter(({ _type }) => _type !== "input" && _type !== "output")
  const { type } = procedure._def
  if (others.length > 1) return undefined
  return { type, meta: undefined, ...rest, resolver, inputs, middlewares }
}

/**
 * What a resolver gets. A class, because each object literal with a getter gets a hidden class of its
 * own: a megabyte of them survived every scavenge (Node 20).
 */
class Options {
  readonly ctx: Context
  readonly input: unknown
  readonly path: string
  readonly type: TRPCProcedureType
  readonly meta: unknown
  readonly #abortSignal: () => AbortSignal

  constructor({ ctx, input, abortSignal }: ProcedureRequest, { type, meta }: Links, path: string) {
    this.ctx = ctx
    this.input = input
    this.path = path
    this.type = type
    this.meta = meta
    this.#abortSignal = abortSignal
  }

  get signal(): AbortSignal {
    return this.#abortSignal()
  }
}

function straight(path: string, links: Links): CallProcedure {
  const { inputs, output, resolver } = links
  const [schema] = inputs
  return async ({ ctx, input: sent, abortSignal }) => {
    const input = schema && read(schema, sent)
    const data = await resolver(new Options({ ctx, input, abortSignal }, links, path))
    return output === undefined ? data : output.parse(data)
  }
}

function read(schema: Schema, sent: unknown): unknown {
  try {
    return schema.parse(sent)
  } catch (cause) {
    throw new TRPCError({ code: "BAD_REQUEST", cause })
  }
}

function chained(path: string, procedure: AnyTRPCProcedure): CallProcedure {
  const { type } = procedure._def
  return ({ ctx, input, abortSignal }) =>
    procedure({
      ctx,
      getRawInput: async () => input,
      path,
      type,
      signal: abortSignal(),
      batchIndex: 0,
    })
}
