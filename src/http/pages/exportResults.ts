/** Streams the results of a bot as a file. */
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { openCap } from "../../caps.ts"
import { unavailable } from "../../errors.ts"
import { requireBot } from "../../routers/access.ts"
import { type Context, createContext, type Services } from "../../routers/context.ts"
import {
  type ExportRequest,
  exportFormats,
  exportInputSchema,
  exportResults,
} from "../../routers/result/exportResults.ts"
import { requireCaller } from "../../routers/trpc.ts"
import { addCors } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { botReader, factsOf } from "../rest/rest.ts"

/** Most exports at a time: each keeps the database busy, and a slow reader keeps its place. */
const mostExports = { process: 8, workspace: 2, caller: 2 }
/** A client may keep an export waiting for as long as this in all, plus time per byte. */
const mostPatienceMs = 60_000
/** A client that stays slower than this loses its export. */
const leastBytesPerSecond = 20_000

const read = botReader(exportInputSchema)

/** Answers `GET /api/v1/bots/{botId}/results/export`, and the same below `typebots` for Typebot's clients. */
export function createExportEndpoint(services: Services, servesCompat: boolean): Endpoint {
  const admit = openCap()
  return {
    path: new RegExp(`^/api/v1/${servesCompat ? "(?:type)?bots" : "bots"}/[^/]+/results/export/?$`),
    operation: "result.export",
    isOpen: false,
    answer: (exchange) => {
      // Preflights and refused methods are left to the route `results/{resultId}`.
      if (exchange.method !== "GET" && exchange.method !== "HEAD") return undefined
      return open(services, exchange, admit)
    },
  }
}

async function open(
  services: Services,
  exchange: Exchange,
  admit: ReturnType<typeof openCap>,
): Promise<void> {
  addCors(exchange, services.settings.allowedOrigins)
  const context = createContext(services, factsOf(exchange))
  const user = await requireCaller(context, "results:read")
  await context.limit("management", user.tokenId)
  await context.limit("heavyManagement", user.tokenId)
  const request = read(exchange)
  const { workspaceId } = await requireBot({ ...context, user }, request.botId, "read")
  const bounds = [
    { name: "process", most: mostExports.process, whose: "" },
    { name: `workspace ${workspaceId}`, most: mostExports.workspace, whose: " of this workspace" },
    { name: `caller ${user.id}`, most: mostExports.caller, whose: " of yours" },
  ]
  const release = admit(bounds, ({ whose }) =>
    unavailable(`Too many exports${whose} are under way`, 10),
  )
  try {
    const pieces = await exportResults({ ...context, user }, request)
    const admitted = whileAdmitted(pieces, async () => {
      const again = createContext(services, factsOf(exchange))
      const reader = await requireCaller(again, "results:read")
      await requireBot({ ...again, user: reader }, request.botId, "read")
    })
    await send(exchange, { context, pieces: admitted, format: request.format })
  } finally {
    release()
  }
}

/** Breaks off once the reader has lost the bot or the token: an export may take minutes. */
async function* whileAdmitted(
  pieces: AsyncGenerator<string>,
  requireReader: () => Promise<unknown>,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece
    await requireReader()
  }
}

type ExportStream = {
  context: Context
  pieces: AsyncGenerator<string>
  format: ExportRequest["format"]
}

/** A slow reader delays only itself: nothing more is read from the database until it has caught up. */
async function send(exchange: Exchange, { context, pieces, format }: ExportStream): Promise<void> {
  // Reading the first piece may still fail with a status of its own.
  const first = await pieces.next()
  const { live, log } = context
  const { response, headers } = exchange
  headers["content-type"] = `${exportFormats[format]}; charset=utf-8`
  headers["content-disposition"] = `attachment; filename="results.${format}"`
  response.writeHead(200, headers)
  const left = exchange.abortSignal()
  let patience = mostPatienceMs
  try {
    if (exchange.method === "HEAD") return void response.end()
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      if (left.aborted) return
      if (live.stopping.aborted) throw new Error("The service stops")
      patience += (1_000 * Buffer.byteLength(piece.value)) / leastBytesPerSecond
      if (!response.write(piece.value)) patience -= await drained(response, patience, left)
    }
    response.end()
  } catch (error) {
    // The status is sent: only a broken connection can show that the file is incomplete.
    response.destroy()
    if (left.aborted) return
    log.warn({ err: error }, "An export broke off")
  } finally {
    await pieces.return(undefined)
  }
}

/** Resolves, once the client has read what was written or is gone, to the milliseconds it took. */
async function drained(response: ServerResponse, mostMs: number, left: AbortSignal) {
  const since = performance.now()
  const late = setTimeout(() => response.destroy(), mostMs)
  await once(response, "drain", { signal: left }).catch(() => {})
  clearTimeout(late)
  return performance.now() - since
}
