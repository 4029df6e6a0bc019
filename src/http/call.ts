/** Calls procedures: straight through their schemas, or along tRPC's chain where there is middleware. */
import { type AnyTRPCProcedure, TRPCError, type TRPCProcedureType } from "@trpc/server"
import type { Context } from "../routers/context.ts"

/** What a procedure is called with. */
export type Asked = {
  ctx: Context
  /** The input as it was sent. */
  input: unknown
  /** A signal that aborts when the client leaves; made when somebody asks for it. */
  leaving(): AbortSignal
}

/** Calls one procedure; rejects with what it throws, or with what its schemas refuse. */
export type Call = (asked: Asked) => Promise<unknown>

/**
 * Prepares the calls of one procedure. tRPC's chain copies all its options at every link; where the
 * only links are the schemas and the resolver, they are called one after the other instead.
 */
export function callOf(path: string, procedure: AnyTRPCProcedure): Call {
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

/** Undefined: there are other links, or the definition is not what tRPC 11 makes. */
function linksOf(procedure: AnyTRPCProcedure): Links | undefined {
  const { resolver, inputs, middlewares, ...rest } = procedure._def as unknown as Partial<Links>
  if (!resolver || !inputs || !middlewares || inputs.length > 1) return undefined
  const others = middlewares.filter(({ _type }) => _type !== "input" && _type !== "output")
  const { type } = procedure._def
  if (others.length > 1) return undefined
  return { type, meta: undefined, ...rest, resolver, inputs, middlewares }
}

/**
 * What a resolver gets. A class, because every literal with a getter has a hidden class of its own:
 * a megabyte of them outlived each collection of young objects (Node 20).
 */
class Options {
  readonly ctx: Context
  readonly input: unknown
  readonly path: string
  readonly type: TRPCProcedureType
  readonly meta: unknown
  readonly #leaving: () => AbortSignal

  constructor({ ctx, input, leaving }: Asked, { type, meta }: Links, path: string) {
    this.ctx = ctx
    this.input = input
    this.path = path
    this.type = type
    this.meta = meta
    this.#leaving = leaving
  }

  get signal(): AbortSignal {
    return this.#leaving()
  }
}

function straight(path: string, links: Links): Call {
  const { inputs, output, resolver } = links
  const [schema] = inputs
  return async ({ ctx, input: sent, leaving }) => {
    const input = schema && read(schema, sent)
    const data = await resolver(new Options({ ctx, input, leaving }, links, path))
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

function chained(path: string, procedure: AnyTRPCProcedure): Call {
  const { type } = procedure._def
  return ({ ctx, input, leaving }) =>
    procedure({
      ctx,
      getRawInput: async () => input,
      path,
      type,
      signal: leaving(),
      batchIndex: 0,
    })
}
