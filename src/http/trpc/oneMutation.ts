/**
 * Answers requests that call one mutation, as every turn of a chat does, without the web objects of the
 * adapter. README.md has the figures, and the reason why all others use the adapter.
 */
import { getHTTPStatusCode } from "@trpc/server/http"
import { AppError, retryAfterOf } from "../../lib/errors.ts"
import { cleanJson } from "../../routers/input.ts"
import { revive } from "../../routers/transformer.ts"
import { addRetryAfter, addVary, sendCompressed } from "../answer.ts"
import { reserveValues } from "../bodies/body.ts"
import type { Exchange } from "../exchange.ts"
import type { Surface } from "../rest/rest.ts"
import { createPlainCalls } from "./plainCall.ts"

/** Answers a request to a path, with its body. Returns undefined when the adapter has to. */
type AnswerMutation = (exchange: Exchange, path: string, body: string) => Promise<void> | undefined

export function createOneMutation(surface: Surface): AnswerMutation {
  const calls = createPlainCalls(surface, "mutation")
  return (exchange, path, body) => {
    if (!calls.has(path) || !isPlain(exchange) || !mayBeObject(body)) return undefined
    const isBatch = exchange.search !== ""
    const readInput = () => inputIn(exchange, body)
    return calls.answer(exchange, { path, readInput }).then(({ response, refusal }) => {
      if (refusal) addRetryAfter(exchange, retryAfterOf(refusal))
      addVary(exchange, "trpc-accept, accept")
      exchange.headers["content-type"] = "application/json"
      const text = calls.write(response, path)
      return sendCompressed(exchange, getHTTPStatusCode(response), isBatch ? `[${text}]` : text)
    })
  }
}

/** Whether a request has one input in its body, and wants one answer, which is not streamed. */
function isPlain({ request, search }: Exchange): boolean {
  const { "content-type": type, "trpc-accept": streamed, accept } = request.headers
  if (search !== "" && search !== "batch=1") return false
  return type === "application/json" && streamed === undefined && !accept?.includes("jsonl")
}

/** A glance instead of parsing, which has to wait until the caller is known. */
function mayBeObject(body: string): boolean {
  return body.startsWith("{") && body.endsWith("}")
}

/** Parses and cleans the input of the one call. Throws a 413 for too many values, a 400 for invalid JSON. */
function inputIn(exchange: Exchange, body: string): unknown {
  reserveValues(exchange, body)
  const sent = parse(body)
  const input = exchange.search === "" ? sent : sent[0]
  return input === undefined ? undefined : revive(cleanJson(input, body))
}

function parse(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch (cause) {
    throw new AppError("PARSE_ERROR", "The body is not valid JSON", { cause })
  }
}
