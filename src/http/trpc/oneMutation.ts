/**
 * Answers requests that call one mutation, as every turn of a chat does, without the web objects of the
 * adapter. README.md has the figures, and says why all others go through the adapter.
 */
import {
  type AnyTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  transformTRPCResponse,
} from "@trpc/server"
import { getHTTPStatusCode } from "@trpc/server/http"
import type { TRPCResponse } from "@trpc/server/rpc"
import { createContext } from "../../routers/context.ts"
import { describeRefusal } from "../../routers/refusal.ts"
import { transformer } from "../../routers/transformer.ts"
import { addRetryAfter, addVary, sendCompressed } from "../answer.ts"
import { type CallProcedure, callOf } from "../call.ts"
import type { Exchange } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { factsOf, type Surface } from "../rest/rest.ts"

/** Answers a request to a path, with its body. Returns undefined when the adapter has to. */
type AnswerMutation = (exchange: Exchange, path: string, body: string) => Promise<void> | undefined

/** Prepares the calls of all mutations. */
export function createOneMutation({ router, services }: Surface): AnswerMutation {
  const { _config: config, procedures } = router._def
  const calls = new Map<string, CallProcedure>()
  for (const [path, procedure] of Object.entries<AnyTRPCProcedure>(procedures)) {
    if (procedure._def.type === "mutation") calls.set(path, callOf(path, procedure))
  }
  const respond = async (exchange: Exchange, path: string, input: unknown) => {
    const { abortSignal } = exchange
    const ctx = createContext(services, factsOf(exchange))
    try {
      const data = await calls.get(path)?.({ ctx, input, abortSignal })
      return { result: { data } }
    } catch (cause) {
      const error = getTRPCErrorFromUnknown(cause)
      const refusal = describeRefusal(error, { input })
      addRetryAfter(exchange, refusal)
      logRefusal(services.log, { exchange, operation: path, refusal, error })
      return { error: getTRPCErrorShape({ config, error, type: "mutation", path, input, ctx }) }
    }
  }
  return (exchange, path, body) => {
    if (!calls.has(path) || !isPlain(exchange)) return undefined
    const isBatch = exchange.search !== ""
    const sent = inputIn(body, isBatch)
    if (sent === undefined) return undefined
    return respond(exchange, path, transformer.deserialize(sent)).then((response: TRPCResponse) => {
      addVary(exchange, "trpc-accept, accept")
      exchange.headers["content-type"] = "application/json"
      const answer = transformTRPCResponse(config, response)
      const text = JSON.stringify(isBatch ? [answer] : answer)
      return sendCompressed(exchange, getHTTPStatusCode(response), text)
    })
  }
}

/** Whether a request has one input in its body, and wants one answer, which is not streamed. */
function isPlain({ request, search }: Exchange): boolean {
  const { "content-type": type, "trpc-accept": streamed, accept } = request.headers
  if (search !== "" && search !== "batch=1") return false
  return type === "application/json" && streamed === undefined && !accept?.includes("jsonl")
}

/** Returns what was sent for the one call; undefined when nothing was, or the body is of another form. */
function inputIn(body: string, isBatch: boolean): unknown {
  try {
    const sent: unknown = JSON.parse(body)
    if (!isBatch) return sent
    const isObject = typeof sent === "object" && sent !== null && !Array.isArray(sent)
    return isObject ? (sent as Record<string, unknown>)[0] : undefined
  } catch {
    return undefined
  }
}
