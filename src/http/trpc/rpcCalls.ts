/** tRPC as plain JSON, one call or a batch: the answers of @trpc/server's adapter, at the cost of REST. */
import {
  type AnyTRPCProcedure,
  type AnyTRPCRouter,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  transformTRPCResponse,
} from "@trpc/server"
import { getHTTPStatusCode } from "@trpc/server/http"
import { createContext } from "../../routers/context.ts"
import { describeRefusal } from "../../routers/refusal.ts"
import { revive, transformer } from "../../routers/transformer.ts"
import { badRequest } from "../../shared/errors.ts"
import { addVary, sendCompressed, sendText } from "../answer.ts"
import { parseJson, readText } from "../bodies/body.ts"
import { refuseBody } from "../bodies/refuseBody.ts"
import { type CallProcedure, callOf } from "../call.ts"
import { type Exchange, headerOf, requireClient } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { factsOf, type Surface } from "../rest/rest.ts"
import { isOnSide } from "../rest/routes.ts"

/** A procedure that may be called as plain JSON. */
export type Callable = {
  name: string
  type: "query" | "mutation"
  /** Its answers are plain JSON, so that superjson need not look at them. */
  isChat: boolean
  call: CallProcedure
}

/** The calls of one request. */
export type Calls = { callables: Callable[]; isBatch: boolean; search: URLSearchParams }

/** Every query and mutation of a router by its path. */
export function callablesOf(router: AnyTRPCRouter): Map<string, Callable> {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  const callables = new Map<string, Callable>()
  for (const [name, procedure] of Object.entries(procedures)) {
    const { type } = procedure._def
    if (type === "subscription") continue
    const isChat = isOnSide(procedure, "chat")
    callables.set(name, { name, type, isChat, call: callOf(name, procedure) })
  }
  return callables
}

/** What a request calls. Returns undefined for what only the adapter answers: streams, odd requests. */
export function findCalls(
  exchange: Exchange,
  path: string,
  { callables, maxBatchSize }: { callables: ReadonlyMap<string, Callable>; maxBatchSize: number },
): Calls | undefined {
  if (!isPlainJson(exchange)) return undefined
  const search = exchange.search === "" ? noSearch : new URLSearchParams(exchange.search)
  const isBatch = search.get("batch") === "1"
  const names = isBatch ? path.split(",") : [path]
  if (names.length > maxBatchSize) return undefined
  const wanted = exchange.method === "GET" ? "query" : "mutation"
  const found = names.map((name) => callables.get(name))
  if (!found.every((callable) => callable?.type === wanted)) return undefined
  return { callables: found.filter((callable) => callable !== undefined), isBatch, search }
}

const noSearch = new URLSearchParams()

function isPlainJson({ method, request }: Exchange): boolean {
  if (request.headers["trpc-accept"] !== undefined) return false
  if (request.headers.accept?.includes("application/jsonl")) return false
  if (method === "GET") return true
  const type = headerOf(request, "content-type")?.toLowerCase()
  return method === "POST" && type?.split(";", 1)[0]?.trim() === "application/json"
}

/** Runs the calls concurrently and sends their outcomes. */
export async function answerCalls(
  surface: Surface,
  exchange: Exchange,
  { calls, maxBodyBytes }: { calls: Calls; maxBodyBytes: number },
): Promise<void> {
  const config = surface.router._def._config
  const ctx = createContext(surface.services, factsOf(exchange))
  const inputOf = await inputReader(exchange, calls, maxBodyBytes)
  const run = async (callable: Callable, index: number): Promise<Outcome> => {
    let input: unknown
    try {
      requireClient(exchange)
      const sent = inputOf(index)
      input = sent === undefined ? undefined : revive(sent)
      const data = await callable.call({ ctx, input, abortSignal: exchange.abortSignal })
      return { status: 200, text: writeResult(callable, data) }
    } catch (cause) {
      const error = getTRPCErrorFromUnknown(cause)
      const { name: path, type } = callable
      const { retryAfterSeconds, ...refusal } = describeRefusal(error, { input })
      logRefusal(surface.services.log, { exchange, operation: path, refusal, error: cause })
      const response = { error: getTRPCErrorShape({ config, error, type, path, input, ctx }) }
      const text = JSON.stringify(transformTRPCResponse(config, response))
      return { status: getHTTPStatusCode(response), text, retryAfterSeconds }
    }
  }
  const outcomes = await Promise.all(calls.callables.map(run))
  addHeaders(exchange, outcomes)
  const [first] = outcomes
  const isUniform = outcomes.every(({ status }) => status === first?.status)
  const status = first && isUniform ? first.status : 207
  const texts = outcomes.map((outcome) => outcome.text)
  const text = calls.isBatch ? `[${texts.join(",")}]` : (first?.text ?? "")
  // Chat answers are small and frequent: compressing them costs more than it saves.
  if (calls.callables.every(({ isChat }) => isChat)) sendText(exchange, status, text)
  else await sendCompressed(exchange, status, text)
}

/** The result of a call as it is sent. */
function writeResult({ isChat }: Callable, data: unknown): string {
  return JSON.stringify({ result: { data: isChat ? { json: data } : transformer.serialize(data) } })
}

/** The outcome of one call: its part of the answer, as JSON. */
type Outcome = { status: number; text: string; retryAfterSeconds?: number | undefined }

function addHeaders(exchange: Exchange, outcomes: readonly Outcome[]): void {
  const waits = outcomes.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0)
  const longest = Math.ceil(Math.max(...waits))
  if (longest > 0) exchange.headers["retry-after"] = String(longest)
  exchange.headers["content-type"] = "application/json"
  addVary(exchange, "trpc-accept, accept")
}

/** Reads the inputs. The returned function gives the input of each call, or throws why there is none. */
async function inputReader(
  exchange: Exchange,
  { isBatch, search }: Calls,
  maxBodyBytes: number,
): Promise<(index: number) => unknown> {
  try {
    const isGet = exchange.method === "GET"
    const text = isGet ? search.get("input") : await readText(exchange, maxBodyBytes)
    if (!text) return () => undefined
    const sent = parseJson(text)
    if (!isBatch) return () => sent
    if (typeof sent !== "object" || sent === null) throw badRequest("A batch needs an object")
    const inputs = new Map(Object.entries(sent))
    return (index) => inputs.get(String(index))
  } catch (error) {
    refuseBody(exchange, error)
    return () => {
      throw error
    }
  }
}
