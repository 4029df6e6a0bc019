/** Serves files over HTTP: accepts uploads, sends files, redirects readers of private ones. */
import { giveBackUnused, maySendFile } from "../../chat/uploads/uploadBounds.ts"
import { filesPath } from "../../effects/files/fileAddress.ts"
import { type Download, type UploadPermit, uploadExpired } from "../../effects/files/fileStore.ts"
import { badRequest, notFound, tooLarge } from "../../lib/errors.ts"
import { requireBot } from "../../people/access.ts"
import { createContext, type Services } from "../../routers/context.ts"
import { requireCaller } from "../../routers/trpc.ts"
import {
  addCors,
  callingOrigins,
  redirect,
  requireMethod,
  sendEmpty,
  sendPreflight,
  sendStream,
} from "../answer.ts"
import { bodyParts } from "../bodies/bodyParts.ts"
import { boundaryOf, fileOfForm } from "../bodies/multipart.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { factsOf, splitPath } from "../rest/rest.ts"

/** Room for the parts of a form around the file. */
const formOverheadBytes = 16_384

/** Answers at the paths of all files, and at the permanent addresses of private ones. */
export function createFileEndpoints(services: Services): Endpoint[] {
  const file: Endpoint = {
    path: new RegExp(`^${filesPath}(.*)$`),
    operation: "file",
    isForChats: true,
    origins: "*",
    answer: (exchange, [, key = ""]) => answerFile(services, exchange, key),
  }
  const privateFile: Endpoint = {
    // `results` is in the former form of these addresses. Most other calls of bots match neither word.
    path: /^\/api\/v1\/bots\/[^/]+\/(?:files|results)\//,
    operation: "privateFile",
    answer: (exchange) => {
      const { method, path } = exchange
      if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") return undefined
      const found = services.uploads.files.privatePathOf(path)
      return found && redirectToFile(services, exchange, found)
    },
  }
  return [file, privateFile]
}

async function redirectToFile(
  services: Services,
  exchange: Exchange,
  { botId, key }: { botId: string; key: string },
): Promise<void> {
  addCors(exchange, callingOrigins(services.settings))
  if (exchange.method === "OPTIONS") return sendPreflight(exchange)
  // Refuses ids that the database cannot parse.
  splitPath(exchange.path)
  const context = createContext(services, factsOf(exchange))
  const user = await requireCaller(context, "results:read")
  await requireBot({ db: context.db, user }, botId, "read")
  redirect(exchange, 302, services.uploads.files.signDownload(key))
}

async function answerFile(services: Services, exchange: Exchange, key: string): Promise<void> {
  const { method, search } = exchange
  // A cookie redirected here from a private file allows reading only from named origins.
  addCors(exchange, callingOrigins(services.settings))
  const query = new URLSearchParams(search)
  if (method === "POST" || method === "PUT") return takeUpload(services, exchange, { key, query })
  const words = "Files are read by GET and uploaded by POST or PUT"
  requireMethod(exchange, "GET, HEAD, POST, PUT, OPTIONS", words)
  const download = await services.uploads.files.download(key, query)
  if (!download) throw notFound("File")
  if ("redirectTo" in download) redirect(exchange, 302, download.redirectTo)
  else await sendFile(exchange, download)
}

async function takeUpload(
  { db, log, uploads: { files } }: Services,
  exchange: Exchange,
  { key, query }: { key: string; query: URLSearchParams },
): Promise<void> {
  const permit = files.admitUpload(key, query)
  const { countedIn, maxBytes } = permit
  const mayStay = () => maySendFile(db, countedIn)
  const size = await keepUpload(exchange, permit).catch(async (error: unknown) => {
    // A deletion of the result during the upload deletes the folder of the file.
    throw (await mayStay()) ? error : uploadExpired()
  })
  // Checked last: a concurrent deletion of the result deletes the files stored by then.
  if (!(await mayStay())) {
    await files.deleteFile(key)
    throw uploadExpired()
  }
  await giveBackUnused(db, { countedIn, bytes: maxBytes - size }).catch((err) =>
    log.warn({ err }, "The unused quota of an upload could not be given back now"),
  )
  sendEmpty(exchange, 204)
}

/** Streams the file, from a form or as the body itself, to the store. Returns its size in bytes. */
async function keepUpload(exchange: Exchange, permit: UploadPermit): Promise<number> {
  const { maxBytes } = permit
  const boundary = boundaryOf(headerOf(exchange.request, "content-type") ?? "")
  const isForm = boundary !== undefined
  const refusal = () => tooLarge(`The file may have at most ${maxBytes} bytes`, maxBytes)
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
  await permit.keep(measured())
  return size
}

/** Sends a file as it is read from the disk, so that no reader, however slow, keeps it in memory. */
async function sendFile(exchange: Exchange, file: Extract<Download, { size: number }>) {
  const { headers, response } = exchange
  const { size } = file
  const part = rangeOf(headerOf(exchange.request, "range"), size)
  if (part === "unsatisfiable") {
    headers["content-range"] = `bytes */${size}`
    sendEmpty(exchange, 416)
    return
  }
  if (part) response.statusCode = 206
  const { start, end } = part ?? { start: 0, end: size - 1 }
  const about = {
    "content-type": file.contentType,
    "content-disposition": file.isInline ? "inline" : "attachment",
    // No file may run or load anything on the origin of this service.
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "private, max-age=31536000, immutable",
    "accept-ranges": "bytes",
    "content-length": String(end - start + 1),
    ...(part && { "content-range": `bytes ${start}-${end}/${size}` }),
  }
  await sendStream(exchange, { parts: file.read(part), headers: about })
}

/** Reads a single range, as media players send it (RFC 9110, 14.2); undefined is the whole file. */
function rangeOf(asked: string | undefined, size: number) {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(asked ?? "") ?? []
  if (from === "" && to === "") return undefined
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1)
  return start <= end ? { start, end } : "unsatisfiable"
}
