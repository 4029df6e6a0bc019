/**
 * Answers requests whose calls are all queries, one after the other, until their answers are too large
 * together. Constant answers are serialized once for all callers.
 */
import type { AnyTRPCProcedure } from "@trpc/server"
import { getHTTPStatusCode } from "@trpc/server/http"
import type { TRPCResponse } from "@trpc/server/rpc"
import { retryAfterOf } from "../../lib/errors.ts"
import { memoize } from "../../lib/memoize.ts"
import { maxBytes } from "../../lib/responseSize.ts"
import type { Refusal } from "../../routers/refusal.ts"
import { transformer } from "../../routers/transformer.ts"
import { metaOf } from "../../routers/trpc.ts"
import { addRetryAfter, addVary, sendCompressed, sendShared } from "../answer.ts"
import { type Exchange, requireClient } from "../exchange.ts"
import type { Surface } from "../rest/rest.ts"
import { batchIsFull } from "./batch.ts"
import { createPlainCalls, type PlainAnswer } from "./plainCall.ts"

/** Answers a request to a path. Returns undefined when the adapter has to. */
type AnswerQueries = (exchange: Exchange, path: string) => Promise<void> | undefined

/** Answers that never change are written anew while they are no longer than this together, to be compressed. */
const maxWritten = 524_288

export function createQueries(surface: Surface): AnswerQueries {
  const procedures: Record<string, AnyTRPCProcedure> = surface.router._def.procedures
  const calls = createPlainCalls(surface, "query")
  const isKnown = (name: string) => Object.hasOwn(procedures, name)
  const isConstant = (name: string) => {
    const procedure = isKnown(name) ? procedures[name] : undefined
    return procedure !== undefined && metaOf(procedure).isConstant === true
  }
  const writeOwn = ({ response }: PlainAnswer, path: string): Written => {
    const text = calls.write(response, path)
    return { text, bytes: Buffer.byteLength(text) }
  }
  const writeOnce = memoize((data: object): Written => {
    const text = calls.write({ result: { data } })
    const shared = Buffer.from(text)
    return { text, bytes: shared.length, shared }
  })
  const writeConstant = (answered: PlainAnswer, path: string) =>
    answered.refusal ? writeOwn(answered, path) : writeOnce(answered.data as object)
  const answer = async (exchange: Exchange, { names, inputs }: Asked, isBatch: boolean) => {
    const written: Written[] = []
    const responses: TRPCResponse[] = []
    const refusals: Refusal[] = []
    let bytes = 0
    for (const [at, path] of names.entries()) {
      requireClient(exchange)
      const readInput = () => {
        const input = inputs[at]
        return input === undefined ? undefined : transformer.deserialize(input)
      }
      const isFull = bytes >= maxBytes
      const make = isFull ? { make: () => Promise.reject(batchIsFull()) } : {}
      const answered = await calls.answer(exchange, { path, readInput, ...make })
      const text = isConstant(path) ? writeConstant(answered, path) : writeOwn(answered, path)
      bytes += text.bytes
      written.push(text)
      responses.push(answered.response)
      if (answered.refusal) refusals.push(answered.refusal)
    }
    const waits = refusals.flatMap((refusal) => retryAfterOf(refusal) ?? [])
    if (waits.length > 0) addRetryAfter(exchange, Math.max(...waits))
    addVary(exchange, "trpc-accept, accept")
    exchange.headers["content-type"] = "application/json"
    const [only] = responses
    const status = getHTTPStatusCode(isBatch || only === undefined ? responses : only)
    await send(exchange, status, { written, isBatch })
  }
  return (exchange, path) => {
    const asked = askedFor(exchange, path)
    // The adapter refuses other calls; it treats a name with commas as unknown.
    const isForAdapter = asked?.names.some((name) => isKnown(name) && !calls.has(name)) ?? true
    return asked && !isForAdapter ? answer(exchange, asked, asked.isBatch) : undefined
  }
}

/** An answer as sent; with its bytes, if they are shared. */
type Written = { text: string; bytes: number; shared?: Buffer }

function send(
  exchange: Exchange,
  status: number,
  { written, isBatch }: { written: readonly Written[]; isBatch: boolean },
): Promise<void> | undefined {
  const shared = written.reduce((sum, part) => sum + (part.shared?.length ?? 0), 0)
  if (shared <= maxWritten) {
    const text = written.map((part) => part.text).join(",")
    return sendCompressed(exchange, status, isBatch ? `[${text}]` : text)
  }
  const parts = written.flatMap((part, at) => [
    Buffer.from(at === 0 ? "[" : ","),
    part.shared ?? Buffer.from(part.text),
  ])
  const own = written.reduce((sum, part) => sum + (part.shared ? 0 : part.bytes), 0)
  sendShared(exchange, [...parts, Buffer.from("]")], { status, own })
  return undefined
}

type Asked = { names: readonly string[]; inputs: Record<number, unknown>; isBatch: boolean }

/** The calls of a request without a body; undefined: it wants a stream, or is of no usual form. */
function askedFor({ request, search }: Exchange, path: string): Asked | undefined {
  const { "content-type": type, "trpc-accept": streamed, accept } = request.headers
  if (streamed !== undefined || accept?.includes("jsonl")) return undefined
  if (type !== undefined && type !== "application/json") return undefined
  const query = new URLSearchParams(search)
  if (query.has("connectionParams")) return undefined
  const isBatch = query.get("batch") === "1"
  const names = isBatch ? path.split(",") : [path]
  try {
    const sent: unknown = JSON.parse(query.get("input") || "{}")
    if (!isBatch) return { names, inputs: query.get("input") ? [sent] : [], isBatch }
    const isUsual = typeof sent === "object" && sent !== null && !Array.isArray(sent)
    return isUsual ? { names, inputs: sent as Record<number, unknown>, isBatch } : undefined
  } catch {
    return undefined
  }
}
