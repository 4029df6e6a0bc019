/** Discards unread request bodies, or ends their connection. */
import type { IncomingMessage } from "node:http"
import { AppError } from "../../lib/errors.ts"
import { awaitsContinue, type Exchange, hasBody } from "../exchange.ts"
import { hadTooManyParts, isTooFine } from "./bodyBudget.ts"

// The rest of a refused body is read, or else the client might see a reset instead of the answer.
const maxDrainedBytes = 32 * 1024 * 1024
/** Of a connection that ends, so much may have been on its way already. */
const maxCutBytes = 256 * 1024
const maxDrainMs = 5_000

const refused = new WeakSet<IncomingMessage>()

/**
 * Discards a body that is not read, because of an error or because none is expected. When memory for
 * bodies is short, when the body is in too many parts, or when too many are being discarded, the
 * connection ends with the answer instead, as it does for a client that still waits for permission to
 * send its body.
 */
export function refuseBody(exchange: Exchange, error?: unknown): void {
  const { request, body } = exchange
  if (!hasBody(request) || request.complete || request.destroyed || refused.has(request)) return
  refused.add(request)
  // Node's parser alone takes up to 10 ms for the small parts of one read: there must be no second one.
  const isCut = isOverload(error) || hadTooManyParts(error) || awaitsContinue(request)
  const endDrain = isCut ? undefined : body.drain()
  if (endDrain === undefined) {
    exchange.headers.connection = "close"
    readAway(request, maxCutBytes)
    return
  }
  readAway(request, maxDrainedBytes)
  const timer = setTimeout(() => request.destroy(), maxDrainMs)
  timer.unref()
  request.once("close", () => {
    clearTimeout(timer)
    endDrain()
  })
}

/** Never paused: parts read already would stay in memory. */
function readAway(request: IncomingMessage, maxBytes: number): void {
  let bytes = 0
  let parts = 0
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    parts += 1
    if (bytes > maxBytes || isTooFine(parts, bytes)) request.destroy()
  })
}

function isOverload(error: unknown): boolean {
  return error instanceof AppError && error.code === "SERVICE_UNAVAILABLE"
}
