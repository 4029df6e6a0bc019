/** Streams a large body, so that it is not kept in memory. */
import { callerLeft } from "../../lib/errors.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { allowBody, type BodyLimit } from "./body.ts"
import { requireParts } from "./bodyBudget.ts"

/** Max bytes in memory of a streamed body: read ahead, and being written. */
const passingBytes = 128 * 1024

/**
 * The parts of a body. Refuses with 413 when it is too large, with 503 when too little memory is left, and
 * fails when the caller leaves.
 */
export async function* bodyParts(
  exchange: Exchange,
  { maxBytes, refusal }: BodyLimit,
): AsyncGenerator<Buffer> {
  const { request } = exchange
  if (Number(headerOf(request, "content-length") ?? 0) > maxBytes) throw refusal()
  exchange.body.reserve(passingBytes)
  allowBody(exchange)
  let size = 0
  let parts = 0
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      size += part.length
      if (size > maxBytes) throw refusal()
      parts += 1
      requireParts(parts, size)
      yield part
    }
  } catch (error) {
    throw request.destroyed && !request.complete ? callerLeft(error) : error
  }
}
