/** Streams the results of a bot as a file. */
import type { ServerResponse } from "node:http"
import { TRPCError } from "@trpc/server"
import { unavailable } from "../../errors.ts"
import { type Context, createContext, type Services } from "../../routers/context.ts"
import {
  type ExportRequest,
  exportFormats,
  exportInputSchema,
  exportResults,
} from "../../routers/result/exportResults.ts"
import { refusedToken } from "../../routers/trpc.ts"
import { addCors } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { queryReader } from "../rest/query.ts"
import { factsOf, splitPath } from "../rest/rest.ts"

/** What exports are served with. */
type ExportEndpointOptions = {
  services: Services
  /** Aborts when answers are to end at once. */
  abortSignal: AbortSignal
  /** How long a client may read nothing, 60 seconds by default. */
  stallMs?: number
}

/** Exports of one process at a time: each keeps the database busy. */
const mostExports = 4
const usualStallMs = 60_000

const readQuery = queryReader(exportInputSchema.shape)

/** Answers `GET /api/v1/bots/{botId}/results/export`. */
export function createExportEndpoint(options: ExportEndpointOptions): Endpoint {
  let running = 0
  return {
    path: /^\/api\/v1\/bots\/[^/]+\/results\/export\/?$/,
    operation: "result.export",
    isOpen: false,
    answer: (exchange) => {
      // Preflights and refusals of other methods are those of the path with an id in this place.
      if (exchange.method !== "GET") return undefined
      return open(options, exchange, () => {
        if (running >= mostExports) throw unavailable("Too many exports are under way", 10)
        running += 1
        return () => {
          running -= 1
        }
      })
    },
  }
}

async function open(
  options: ExportEndpointOptions,
  exchange: Exchange,
  /** Throws a 503 when too many are under way. Returns the end. */
  admit: () => () => void,
): Promise<void> {
  const { services } = options
  addCors(exchange, services.settings.allowedOrigins)
  const context = createContext(services, factsOf(exchange))
  const user = await context.authenticate()
  if (!user) throw await refusedToken(context)
  await context.limit("management", user.tokenId)
  await context.limit("heavyManagement", user.tokenId)
  const request = read(exchange)
  const release = admit()
  try {
    const pieces = await exportResults({ ...context, user }, request)
    await send(exchange, { ...options, context, pieces, format: request.format })
  } finally {
    release()
  }
}

function read(exchange: Exchange): ExportRequest {
  const botId = splitPath(exchange.path)[3]
  exchange.input = { ...readQuery(exchange.search), botId }
  exchange.placeOf = (member) => (member === "botId" ? "path" : "query")
  const { success, data, error } = exportInputSchema.safeParse(exchange.input)
  if (!success) throw new TRPCError({ code: "BAD_REQUEST", cause: error })
  return data
}

type Sending = ExportEndpointOptions & {
  context: Context
  pieces: AsyncGenerator<string>
  format: ExportRequest["format"]
}

/** A slow reader delays only itself: nothing more is read from the database until it catches up. */
async function send(
  exchange: Exchange,
  { context, pieces, format, abortSignal, stallMs = usualStallMs }: Sending,
): Promise<void> {
  // The first one may still be refused.
  const first = await pieces.next()
  const { response, headers } = exchange
  headers["content-type"] = `${exportFormats[format]}; charset=utf-8`
  headers["content-disposition"] = `attachment; filename="results.${format}"`
  response.writeHead(200, headers)
  const left = exchange.abortSignal()
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      if (left.aborted) return
      if (abortSignal.aborted) throw new Error("The service stops")
      if (!response.write(piece.value)) await drained(response, stallMs)
    }
    response.end()
  } catch (error) {
    // The status has gone: only a broken connection can show that the file is incomplete.
    response.destroy()
    if (left.aborted) return
    context.log.warn({ err: error }, "An export broke off")
  } finally {
    await pieces.return(undefined)
  }
}

/** Resolves once the client has read what was written, or is gone. */
function drained(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), stallMs)
    const end = () => {
      clearTimeout(stalled)
      response.off("drain", end).off("close", end)
      resolve()
    }
    response.once("drain", end).once("close", end)
  })
}
