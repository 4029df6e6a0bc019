/** Makes one call of a tRPC request as the adapter of @trpc/server does, without its web objects. */
import {
  type AnyTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  transformTRPCResponse,
} from "@trpc/server"
import type { TRPCResponse } from "@trpc/server/rpc"
import { createContext } from "../../routers/context.ts"
import { describeRefusal, type Refusal } from "../../routers/refusal.ts"
import { metaOf } from "../../routers/trpc.ts"
import { type CallProcedure, callOf, readOnce } from "../call.ts"
import type { Exchange } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { factsOf, type Surface } from "../rest/rest.ts"

export type PlainCall = {
  path: string
  /** Parses and cleans its input; called only for admitted callers. */
  readInput(): unknown
  /** Makes it in this way; absent: calls the procedure. */
  make?: CallProcedure
}

/** Result of a call: its answer for the client, and what the procedure returned or threw. */
export type PlainAnswer = { response: TRPCResponse; data?: unknown; refusal?: Refusal }

export type PlainCalls = {
  has(path: string): boolean
  answer(exchange: Exchange, call: PlainCall): Promise<PlainAnswer>
  /** The JSON text of a response to a call. */
  write(response: TRPCResponse, path?: string): string
}

export function createPlainCalls(
  { router, services }: Surface,
  type: "query" | "mutation",
): PlainCalls {
  const { _config: config, procedures } = router._def
  const calls = new Map<string, CallProcedure>()
  const trusted = new Set<string>()
  for (const [path, procedure] of Object.entries<AnyTRPCProcedure>(procedures)) {
    if (procedure._def.type !== type) continue
    calls.set(path, callOf(path, procedure))
    if (metaOf(procedure).isTrusted) trusted.add(path)
  }
  return {
    has: (path) => calls.has(path),
    write(response, path = "") {
      // What was made as JSON need not be searched for what is none: a bot may be 4 MB.
      const isPlain = "result" in response && trusted.has(path)
      return JSON.stringify(
        isPlain
          ? { result: { data: { json: response.result.data } } }
          : transformTRPCResponse(config, response),
      )
    },
    async answer(exchange, { path, readInput, make = calls.get(path) }) {
      const { abortSignal } = exchange
      const ctx = createContext(services, factsOf(exchange))
      const read = readOnce(readInput)
      try {
        if (make === undefined) throw noProcedure(path)
        const data = await make({ ctx, readInput: read, abortSignal })
        return { response: { result: { data } }, data }
      } catch (cause) {
        const error = getTRPCErrorFromUnknown(cause)
        const input = read.result()
        const refusal = describeRefusal(error, { input })
        logRefusal(services.log, { exchange, operation: path, refusal, error })
        const known = calls.has(path) ? type : "unknown"
        const shape = getTRPCErrorShape({ config, error, type: known, path, input, ctx })
        return { response: { error: shape }, refusal }
      }
    },
  }
}

function noProcedure(path: string): TRPCError {
  const message = `No procedure found on path "${path}"`
  return new TRPCError({ code: "NOT_FOUND", message })
}
