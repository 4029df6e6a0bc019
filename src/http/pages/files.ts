/** Files over HTTP: accepts uploads, serves files, and redirects readers of private ones. */
import { giveBackUnused } from "../../chat/uploads/uploadBounds.ts"
import { filesPath } from "../../effects/files/fileAddress.ts"
import type { Download, FileStore, UploadPermit } from "../../effects/files/fileStore.ts"
import { AppError, badRequest, notFound, tooLarge } from "../../errors.ts"
import { requireBot } from "../../routers/access.ts"
import { type Caller, type Context, createContext, type Services } from "../../routers/context.ts"
import { refusedToken } from "../../routers/trpc.ts"
import { sendEmpty } from "../answer.ts"
import { bodyParts } from "../bodies/bodyParts.ts"
import { boundaryOf, fileOfForm } from "../bodies/multipart.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** What files are served with. */
type FileEndpointOptions = { files: FileStore; services: Services }

/** Room for the parts of a form around the file. */
const formOverheadBytes = 16_384

/** Answers what concerns files: at the paths of all of them, and at the permanent ones of private ones. */
export function createFileEndpoints(options: FileEndpointOptions): Endpoint[] {
  const file: Endpoint = {
    path: new RegExp(`^${filesPath}(.*)$`),
    operation: "file",
    isOpen: true,
    answer: (exchange, [, key = ""]) => answerFile(options, exchange, key),
  }
  const privateFile: Endpoint = {
    // In its former form, too. Most other calls of bots have no such word in their path.
    path: /^\/api\/v1\/bots\/[^/]+\/(?:files|results)\//,
    operation: "privateFile",
    isOpen: false,
    answer: (exchange) => {
      const isRead = exchange.method === "GET" || exchange.method === "HEAD"
      const found = isRead ? options.files.privatePathOf(exchange.path) : undefined
      return found && redirectToFile(options, exchange, found)
    },
  }
  return [file, privateFile]
}

async function redirectToFile(
  options: FileEndpointOptions,
  exchange: Exchange,
  { botId, key }: { botId: string; key: string },
): Promise<void> {
  const context = createContext(options.services, factsOf(exchange))
  const caller = await callerOf(context)
  await requireBot({ db: context.db, user: caller }, botId, "read")
  redirect(exchange, options.files.signDownload(key))
}

async function callerOf(context: Context): Promise<Caller> {
  const caller = await context.authenticate()
  if (caller) return caller
  throw await refusedToken(context)
}

async function answerFile(
  options: FileEndpointOptions,
  exchange: Exchange,
  key: string,
): Promise<void> {
  const { method, search } = exchange
  const query = new URLSearchParams(search)
  if (method === "POST" || method === "PUT") return takeUpload(options, exchange, { key, query })
  if (method !== "GET" && method !== "HEAD") {
    exchange.headers.allow = "GET, HEAD, POST, PUT, OPTIONS"
    throw new AppError("METHOD_NOT_SUPPORTED", "Files are read or uploaded")
  }
  const download = await options.files.download(key, query)
  if (!download) throw notFound("File")
  if ("redirectTo" in download) redirect(exchange, download.redirectTo)
  else sendFile(exchange, download)
}

function redirect(exchange: Exchange, address: string): void {
  exchange.headers.location = address
  sendEmpty(exchange, 302)
}

async function takeUpload(
  { files, services: { db, log } }: FileEndpointOptions,
  exchange: Exchange,
  { key, query }: { key: string; query: URLSearchParams },
): Promise<void> {
  const leave = files.admitUpload(key, query)
  const size = await keepUpload(exchange, leave)
  const { countedIn, maxBytes } = leave
  await giveBackUnused(db, { countedIn, bytes: maxBytes - size }).catch((err) =>
    log.warn({ err }, "What an upload did not need stays counted for a while"),
  )
  sendEmpty(exchange, 204)
}

/** Keeps the file of a form, or a body that is the file itself, while it comes. Returns its bytes. */
async function keepUpload(exchange: Exchange, leave: UploadPermit): Promise<number> {
  const { maxBytes } = leave
  const boundary = boundaryOf(headerOf(exchange.request, "content-type") ?? "")
  const isForm = boundary !== undefined
  const refusal = () => tooLarge(`The file may have at most ${maxBytes} bytes`)
  const limit = isForm ? maxBytes + formOverheadBytes : maxBytes
  const body = bodyParts(exchange, { maxBytes: limit, refusal })
  let size = 0
  const measured = async function* () {
    for await (const bytes of isForm ? fileOfForm(body, boundary) : body) {
      size += bytes.length
      if (size > maxBytes) throw refusal()
      yield bytes
    }
    if (size === 0) throw badRequest("The file is empty")
  }
  await leave.keep(measured())
  return size
}

function sendFile(exchange: Exchange, file: Extract<Download, { bytes: unknown }>): void {
  const { headers, response, method } = exchange
  const { bytes } = file
  Object.assign(headers, {
    "content-type": file.contentType,
    "content-disposition": file.isInline ? "inline" : "attachment",
    // Whatever it is, it must not run or load anything in the name of this service.
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "private, max-age=31536000, immutable",
    "accept-ranges": "bytes",
  })
  const range = rangeOf(headerOf(exchange.request, "range"), bytes.length)
  if (range === "unsatisfiable") {
    headers["content-range"] = `bytes */${bytes.length}`
    sendEmpty(exchange, 416)
    return
  }
  const part = range ? bytes.subarray(range.first, range.last + 1) : bytes
  if (range) headers["content-range"] = `bytes ${range.first}-${range.last}/${bytes.length}`
  headers["content-length"] = String(part.length)
  response.writeHead(range ? 206 : 200, headers)
  response.end(method === "HEAD" ? undefined : part)
}

/** One range, as media players ask for it (RFC 9110, 14.2). Returns undefined for the whole file. */
function rangeOf(
  asked: string | undefined,
  size: number,
): { first: number; last: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(asked ?? "") ?? []
  if (from === "" && to === "") return undefined
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1)
  return first <= last ? { first, last } : "unsatisfiable"
}
