/** Streams the results of a bot as a file. */
import type { ServerResponse } from "node:http"
import { createCap } from "../../lib/caps.ts"
import { unavailable } from "../../lib/errors.ts"
import { requireBot } from "../../people/access.ts"
import { createContext, type Services } from "../../routers/context.ts"
import {
  exportFormats,
  exportInputSchema,
  exportResults,
} from "../../routers/result/exportOperation.ts"
import { requireCaller } from "../../routers/trpc.ts"
import { addCors, callingOrigins, sendStream } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { factsOf, inputReader } from "../rest/rest.ts"

/** A client may keep an export waiting for as long as this in all, plus time per byte. */
const maxPatienceMs = 60_000
/** A client that stays slower than this loses its export. */
const minBytesPerSecond = 20_000

const read = inputReader("/api/v1/bots/{botId}/results/export", exportInputSchema)

/** Answers `GET /api/v1/bots/{botId}/results/export`, and the same below `typebots` for Typebot's clients. */
export function createExportEndpoint(services: Services, servesCompat: boolean): Endpoint {
  // Each keeps the database busy, and a slow reader keeps its place.
  const admit = createCap("exports")
  return {
    path: new RegExp(`^/api/v1/${servesCompat ? "(?:type)?bots" : "bots"}/[^/]+/results/export/?$`),
    operation: "result.export",
    answer: (exchange) => {
      // Preflights and refused methods are left to the route `results/{resultId}`.
      if (exchange.method !== "GET" && exchange.method !== "HEAD") return undefined
      return open(services, exchange, admit)
    },
  }
}

const whoseExports = { all: "", workspace: " of this workspace", user: " of yours" }

async function open(
  services: Services,
  exchange: Exchange,
  admit: ReturnType<typeof createCap<"exports">>,
): Promise<void> {
  addCors(exchange, callingOrigins(services.settings))
  const context = createContext(services, factsOf(exchange))
  const user = await requireCaller(context, "results:read")
  await context.limit("management", user.tokenId)
  await context.limit("heavyManagement", user.tokenId)
  const request = read(exchange)
  const { workspaceId } = await requireBot({ ...context, user }, request.botId, "read")
  const release = admit({ workspace: workspaceId, user: user.id }, (full) =>
    unavailable(`Too many exports${whoseExports[full]} are under way`, 10),
  )
  try {
    const pieces = await exportResults({ ...context, user }, request)
    const admitted = whileAdmitted(pieces, async () => {
      const again = createContext(services, factsOf(exchange))
      const reader = await requireCaller(again, "results:read")
      await requireBot({ ...again, user: reader }, request.botId, "read")
    })
    const { format } = request
    const headers = {
      "content-type": `${exportFormats[format]}; charset=utf-8`,
      "content-disposition": `attachment; filename="results.${format}"`,
    }
    const parts = patiently(admitted, exchange.response, services.live.stopping)
    await sendStream(exchange, { parts, headers })
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

/**
 * Breaks off when the service stops, and the connection of a reader that has used up its patience: nothing
 * more is read from the database until it has caught up.
 */
async function* patiently(
  pieces: AsyncIterable<string>,
  response: ServerResponse,
  stopping: AbortSignal,
): AsyncGenerator<string> {
  let patience = maxPatienceMs
  for await (const piece of pieces) {
    if (stopping.aborted) throw unavailable("The service is stopping", 5)
    patience += (1_000 * Buffer.byteLength(piece)) / minBytesPerSecond
    const since = performance.now()
    const late = setTimeout(() => response.destroy(), patience)
    try {
      yield piece
    } finally {
      clearTimeout(late)
    }
    patience -= performance.now() - since
  }
}
