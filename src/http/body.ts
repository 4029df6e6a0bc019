/** Reads a JSON request body within its limits: size, type, charset, byte order mark, shape. */
import type { IncomingMessage } from "node:http"
import { AppError, badRequest, tooLarge } from "../errors.ts"
import { decodeLong, longLength } from "../longText.ts"
import { cleanJson, readCleanJson } from "../routers/cleanJson.ts"
import { inSlices } from "../slices.ts"
import { type Exchange, headerOf } from "./exchange.ts"

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

/** The members of the body; none when it is empty. Refuses with 415, 413 or 400. */
export async function readMembers(exchange: Exchange, rules: BodyRules): Promise<Members> {
  const { request } = exchange
  const length = headerOf(request, "content-length")
  const isChunked = request.headers["transfer-encoding"] !== undefined
  if (!isChunked && (length === undefined || length === "0")) return {}
  try {
    if (length !== undefined && !rules.takesAnything) requireJson(request)
    requireSize(Number(length ?? 0), rules.maxBytes)
  } catch (error) {
    refuseBody(exchange)
    throw error
  }
  const text = await readText(exchange, rules.maxBytes)
  if (text !== "" && !rules.takesAnything) requireJson(request)
  if (text.trim() === "") return {}
  try {
    const body = text.length > longLength ? await parseLongJson(text) : parseJson(text)
    return membersOf(body, rules)
  } catch (error) {
    if (rules.takesAnything && error instanceof AppError && error.code === "PARSE_ERROR") return {}
    throw error
  }
}

/** The body as a text, without a byte order mark. Refuses with 413, or 400 when it ends too early. */
export async function readText(exchange: Exchange, maxBytes: number): Promise<string> {
  try {
    allowBody(exchange)
    const { chunks, size } = await readChunks(exchange.request, maxBytes)
    if (size > longLength) return withoutMark(await decodeLong(chunks))
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    return bytes.toString("utf8", hasMark ? 3 : 0)
  } catch (error) {
    drain(exchange.request)
    throw error
  }
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text
}

/** Tells a client that waits for it (`Expect: 100-continue`) to send its body. */
export function allowBody(exchange: Exchange): void {
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

/** Refuses a body of so many bytes with 413 when that is more than allowed. */
export function requireSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw tooLarge(`The body may have at most ${maxBytes} bytes`)
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

type Chunks = { chunks: Buffer[]; size: number }

function readChunks(request: IncomingMessage, maxBytes: number): Promise<Chunks> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (error?: Error) => {
      request.off("data", onData).off("end", onEnd).off("error", stop).off("close", onClose)
      if (error) reject(error)
      else resolve({ chunks, size })
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) stop(tooLarge(`The body may have at most ${maxBytes} bytes`))
      else chunks.push(chunk)
    }
    const onEnd = () => stop()
    const onClose = () => stop(badRequest("The body ended too early"))
    request.on("data", onData).on("end", onEnd).on("error", stop).on("close", onClose)
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
    throw noJson(cause)
  }
  return cleanJson(value, text)
}

/** As `parseJson`, in slices: for texts of more than `longLength` characters. */
export async function parseLongJson(text: string): Promise<unknown> {
  try {
    return await inSlices(readCleanJson(text))
  } catch (cause) {
    throw cause instanceof SyntaxError ? noJson(cause) : cause
  }
}

function noJson(cause: unknown): AppError {
  return new AppError("PARSE_ERROR", "The body is not valid JSON", { cause })
}
