/** Reads a JSON request body within its limits: size, type, charset, byte order mark, shape. */
import type { IncomingMessage } from "node:http"
import { setImmediate as nextRound } from "node:timers/promises"
import { AppError, badRequest, callerLeft, tooLarge } from "../../lib/errors.ts"
import { notUtf8, readUtf8 } from "../../lib/utf8.ts"
import { cleanJson } from "../../routers/input.ts"
import { awaitsContinue, type Exchange, hasBody, headerOf } from "../exchange.ts"
import { requireParts } from "./bodyBudget.ts"

export type Members = Record<string, unknown>

/** Which bodies an operation accepts. */
type BodyRules = {
  maxBytes: number
  /** A body that is not JSON counts as an empty object. Absent: it is refused. */
  takesAnything?: boolean
}

/** A body without an announced length that grows beyond this reserves the most that it may become. */
const openEndedBytes = 32 * 1024
/** Larger bodies are handled one at a time; to parse this one takes about half a millisecond. */
const largeBytes = 64 * 1024

/** The members of the body; none when it is empty. Refuses with 415, 413 or 400. */
export async function readMembers(exchange: Exchange, rules: BodyRules): Promise<Members> {
  const parse = await receiveMembers(exchange, rules)
  return parse()
}

/** The same in two steps: receives the body, and returns what parses and cleans it. */
export async function receiveMembers(exchange: Exchange, rules: BodyRules): Promise<() => Members> {
  const { request } = exchange
  if (!hasBody(request)) return () => ({})
  const isAnnounced = headerOf(request, "content-length") !== undefined
  if (isAnnounced && !rules.takesAnything) requireJson(request)
  const text = await readText(exchange, rules.maxBytes).catch((error: unknown) => {
    if (rules.takesAnything && !isJson(request) && isParseError(error)) return ""
    throw error
  })
  if (text !== "" && !rules.takesAnything) requireJson(request)
  return () => parseMembers(exchange, text, rules)
}

function parseMembers(exchange: Exchange, text: string, rules: BodyRules): Members {
  if (text.trim() === "") return {}
  try {
    return membersOf(parseJson(exchange, text))
  } catch (error) {
    if (rules.takesAnything && isParseError(error)) return {}
    throw error
  }
}

function isParseError(error: unknown): boolean {
  return error instanceof AppError && error.code === "PARSE_ERROR"
}

/**
 * The body as text, without a byte order mark. Refuses with 413 or 503; large bodies take turns. What parses it
 * first calls `reserveValues`, for callers who may make the request.
 */
export async function readText(exchange: Exchange, maxBytes: number): Promise<string> {
  const limit = limitOf(maxBytes)
  requireRoom(exchange, limit)
  allowBody(exchange)
  const { chunks, size } = await collect(exchange, limit)
  if (size > largeBytes) await waitForTurn(exchange)
  return decoded(chunks)
}

/** Reserves memory for the values of a JSON body: 413 when it has too many, 503 when too little is left. */
export function reserveValues({ body }: Exchange, text: string): void {
  body.take(jsonWeight(text))
}

function decoded(chunks: readonly Buffer[]): string {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  return readUtf8(bytes, (position) => new AppError("PARSE_ERROR", notUtf8("The body", position)))
}

/** Refuses a caller that left meanwhile, which is noticed only after its last bytes were read. */
async function waitForTurn(exchange: Exchange): Promise<void> {
  await exchange.body.turn()
  await nextRound()
  await nextRound()
  if (exchange.hasLeft()) throw callerLeft()
}

/** The limit of a body that is JSON. */
export function limitOf(maxBytes: number): BodyLimit {
  const refusal = () => tooLarge(`The body may have at most ${maxBytes} bytes`, maxBytes)
  return { maxBytes, refusal }
}

/** The largest body that is accepted, and how a larger one is refused. */
export type BodyLimit = { maxBytes: number; refusal: () => AppError }

/**
 * Reserves memory for a body by the length that it announces: 413 when it is too large, 503 when too little
 * is left. No body is read that could not be kept.
 */
export function requireRoom(exchange: Exchange, { maxBytes, refusal }: BodyLimit): void {
  const announced = Number(headerOf(exchange.request, "content-length") ?? 0)
  if (announced > maxBytes) throw refusal()
  exchange.body.reserve(announced)
}

/** Answers `Expect: 100-continue`, so that the client sends its body. */
export function allowBody({ request, response }: Exchange): void {
  if (awaitsContinue(request)) response.writeContinue()
}

function isJson(request: IncomingMessage): boolean {
  const [type = ""] = (headerOf(request, "content-type") ?? "").split(";")
  return /^application\/(?:[\w.+-]+\+)?json$/i.test(type.trim())
}

function requireJson(request: IncomingMessage): void {
  const [, ...parameters] = (headerOf(request, "content-type") ?? "").split(";")
  if (!isJson(request)) {
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

type Parts = { chunks: Buffer[]; size: number }

/** Reads a body in parts; 503 when it exceeds the memory left. */
function collect({ request, body }: Exchange, limit: BodyLimit): Promise<Parts> {
  const { maxBytes, refusal } = limit
  const isAnnounced = headerOf(request, "content-length") !== undefined
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
        if (size > maxBytes) throw refusal()
        // Otherwise hundreds would be read side by side, though only a few could be kept.
        if (size > openEndedBytes && !isAnnounced) body.reserve(maxBytes)
        body.take(chunk.length)
        chunks.push(chunk)
        requireParts(chunks.length, size)
      } catch (error) {
        stop(error)
      }
    }
    const onEnd = () => stop()
    const onLoss = (cause?: Error) => stop(callerLeft(cause))
    // If the client has left already, none of these events follows.
    if (request.destroyed && !request.complete) return reject(callerLeft())
    request.on("data", onData).on("end", onEnd).on("error", onLoss).on("close", onLoss)
  })
}

function membersOf(body: unknown): Members {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw badRequest("The body must be a JSON object")
  }
  return body as Members
}

/** Parses and cleans a JSON text; 400 when it is not valid. */
function parseJson(exchange: Exchange, text: string): unknown {
  reserveValues(exchange, text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AppError("PARSE_ERROR", "The body is not valid JSON", { cause })
  }
  return cleanJson(value, text)
}

/** More than the largest bots have: 5,000 blocks in 4 MB have 90,000. */
const maxValues = 120_000
/** An empty object is two bytes of text and some fifty of memory, and more once it is validated. */
const valueBytes = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b

/**
 * The bytes that a JSON text takes beside its own once it is parsed; 413 when it has too many values. It
 * counts commas and opening brackets outside of strings.
 */
export function jsonWeight(text: string): number {
  let values = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at += 1
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === comma || code === bracket || code === brace) values += 1
  }
  if (values > maxValues)
    throw tooLarge(`The body may hold at most ${maxValues} values`, maxValues, "values")
  return values * valueBytes
}
