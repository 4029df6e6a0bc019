/** Reads a JSON request body within its limits: size, type, charset, byte order mark, shape. */
import type { IncomingMessage } from "node:http"
import { setImmediate as nextRound } from "node:timers/promises"
import { cleanJson } from "../../routers/cleanJson.ts"
import { AppError, badRequest, callerLeft, tooLarge } from "../../shared/errors.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { openJsonWeight, type WeighJson } from "./jsonWeight.ts"

/** The members of a request body. */
export type Members = Record<string, unknown>

/** What a body may be. */
export type BodyRules = {
  maxBytes: number
  /** An empty array counts as an empty object: PHP cannot tell one from the other. */
  takesEmptyArray: boolean
  /** Whatever its type says, a body that is no JSON counts as an empty object. Absent: refused. */
  takesAnything?: boolean
}

// After a refusal the rest is read away, or else the client would see a reset instead of the answer.
const maxDrainedBytes = 32 * 1024 * 1024
const maxDrainMs = 5_000

/** From here on work for a caller that has left is worth a look; about a millisecond of JSON.parse. */
const longBytes = 256 * 1024

/** The members of the body; none when it is empty. Refuses with 415, 413 or 400. */
export async function readMembers(exchange: Exchange, rules: BodyRules): Promise<Members> {
  const { request } = exchange
  const length = headerOf(request, "content-length")
  const isChunked = request.headers["transfer-encoding"] !== undefined
  if (!isChunked && (length === undefined || length === "0")) return {}
  try {
    if (length !== undefined && !rules.takesAnything) requireJson(request)
  } catch (error) {
    refuseBody(exchange)
    throw error
  }
  const text = await readText(exchange, rules.maxBytes)
  if (text !== "" && !rules.takesAnything) requireJson(request)
  if (text.trim() === "") return {}
  try {
    return membersOf(parseJson(text), rules)
  } catch (error) {
    if (rules.takesAnything && error instanceof AppError && error.code === "PARSE_ERROR") return {}
    throw error
  }
}

/** The body as a text, without a byte order mark. Refuses with 413 or 503. */
export async function readText(exchange: Exchange, maxBytes: number): Promise<string> {
  const weigh = openJsonWeight()
  const { chunks, size } = await readChunks(exchange, { ...limitOf(maxBytes), weigh })
  if (size > longBytes) await seeWhoLeft()
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString("utf8", hasMark ? 3 : 0)
}

/** Waits until a caller that left after its last bytes is known to have: that is read after them. */
async function seeWhoLeft(): Promise<void> {
  await nextRound()
  await nextRound()
}

/** The limit of a body that is JSON. */
export function limitOf(maxBytes: number): BodyLimit {
  return { maxBytes, refusal: tooLarge(`The body may have at most ${maxBytes} bytes`) }
}

/** The largest body that is taken, and how a larger one is refused. */
export type BodyLimit = {
  maxBytes: number
  refusal: AppError
  /** What a part will take beside its bytes, once it is parsed. Absent: nothing. */
  weigh?: WeighJson
}

/** The parts of a body. */
export type Chunks = { chunks: Buffer[]; size: number }

/**
 * Reads a body as it comes. Refuses with 503 when too much is in memory: at once, when its length is
 * announced. Only what has come is counted, since announcing costs nothing.
 */
export async function readChunks(exchange: Exchange, limit: BodyLimit): Promise<Chunks> {
  requireRoom(exchange, limit)
  allowBody(exchange)
  try {
    return await collect(exchange, limit)
  } catch (error) {
    // There is no room for it, and no time to read it away while hundreds of others come.
    if (error instanceof AppError && error.code === "SERVICE_UNAVAILABLE") cut(exchange)
    else drain(exchange.request)
    throw error
  }
}

/** Reads no more of a body, and ends the connection with the answer. */
function cut({ request, headers }: Exchange): void {
  request.pause()
  headers.connection = "close"
}

/** Tells a client that waits for it (`Expect: 100-continue`) to send its body. */
function allowBody(exchange: Exchange): void {
  if (awaitsContinue(exchange)) exchange.response.writeContinue()
}

/** Gets rid of a body that was not asked for; a client that still waits for leave keeps it. */
export function refuseBody(exchange: Exchange): void {
  if (awaitsContinue(exchange)) exchange.headers.connection = "close"
  else drain(exchange.request)
}

function awaitsContinue(exchange: Exchange): boolean {
  return headerOf(exchange.request, "expect")?.toLowerCase() === "100-continue"
}

/** Reads the rest of a body away, or ends the connection when that takes too much. */
function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let bytes = 0
  const timer = setTimeout(() => request.destroy(), maxDrainMs)
  timer.unref()
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxDrainedBytes) request.destroy()
  })
  request.once("close", () => clearTimeout(timer))
}

function requireJson(request: IncomingMessage): void {
  const [type = "", ...parameters] = (headerOf(request, "content-type") ?? "").split(";")
  if (!/^application\/(?:[\w.+-]+\+)?json$/i.test(type.trim())) {
    throw unsupported("The body must be JSON: send Content-Type: application/json")
  }
  const charset = parameters
    .map((each) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(each)?.[1])
    .find(Boolean)
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw unsupported("The body must be encoded in UTF-8")
  }
  const coding = headerOf(request, "content-encoding") ?? "identity"
  if (coding.toLowerCase() !== "identity") throw unsupported("The body must not be compressed")
}

function unsupported(message: string): AppError {
  return new AppError("UNSUPPORTED_MEDIA_TYPE", message)
}

/** Refuses a body by the length that it announces. */
export function requireRoom(exchange: Exchange, { maxBytes, refusal }: BodyLimit): void {
  const announced = Number(headerOf(exchange.request, "content-length") ?? 0)
  try {
    if (announced > maxBytes) throw refusal
    exchange.body.announce(announced)
  } catch (error) {
    refuseBody(exchange)
    throw error
  }
}

function collect({ request, body }: Exchange, limit: BodyLimit): Promise<Chunks> {
  const { maxBytes, refusal, weigh } = limit
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (error?: unknown) => {
      request.off("data", onData).off("end", onEnd).off("error", onLoss).off("close", onLoss)
      if (error) reject(error)
      else resolve({ chunks, size })
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      try {
        if (size > maxBytes) throw refusal
        body.take(chunk.length + (weigh?.(chunk) ?? 0))
        chunks.push(chunk)
      } catch (error) {
        stop(error)
      }
    }
    const onEnd = () => stop()
    const onLoss = (cause?: Error) => stop(callerLeft(cause))
    // It may have left before anybody looked; then nothing would be told of it.
    if (request.destroyed && !request.complete) return reject(callerLeft())
    request.on("data", onData).on("end", onEnd).on("error", onLoss).on("close", onLoss)
  })
}

function membersOf(body: unknown, rules: BodyRules): Members {
  if (Array.isArray(body) && body.length === 0 && rules.takesEmptyArray) return {}
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw badRequest("The body must be a JSON object")
  }
  return body as Members
}

/** Parses and cleans a JSON text; a 400 when it is none. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AppError("PARSE_ERROR", "The body is not valid JSON", { cause })
  }
  return cleanJson(value, text)
}
