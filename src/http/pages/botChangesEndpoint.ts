/** Streams the changes of a bot to its listeners, as server-sent events. */
import { AppError } from "../../lib/errors.ts"
import { createContext, type Services } from "../../routers/context.ts"
import { type HeardChange, hearBot, hearingSchema } from "../../routers/edit/hearBot.ts"
import { openStream } from "../../routers/openStream.ts"
import { requireCaller } from "../../routers/trpc.ts"
import { callingOrigins, requireMethod } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { botReader, factsOf } from "../rest/rest.ts"
import { sendEvents } from "./sendEvents.ts"

const read = botReader(hearingSchema)

/** Answers `GET /api/v1/bots/{botId}/changes`. */
export function createChangesEndpoint(services: Services): Endpoint {
  return {
    path: /^\/api\/v1\/bots\/[^/]+\/changes\/?$/,
    operation: "bot.changes",
    origins: callingOrigins(services.settings),
    answer: (exchange) => open(services, exchange),
  }
}

async function open(services: Services, exchange: Exchange): Promise<void> {
  requireMethod(exchange, "GET, HEAD, OPTIONS", "This path takes GET alone")
  const context = createContext(services, factsOf(exchange))
  const user = await requireCaller(context, "bots:read")
  await context.limit("management", user.tokenId)
  const asked = read(exchange)
  const { signal, close } = openStream(context, exchange.abortSignal())
  const lastId = headerOf(exchange.request, "last-event-id")
  try {
    const heard = hearBot(context, { ...asked, lastId, signal })
    await sendEvents(exchange, { events: eventsOf(heard), signal })
  } finally {
    close()
  }
}

/** As on the wire. Listeners who lost access are refused when they reconnect. */
async function* eventsOf(heard: AsyncGenerator<HeardChange, void>): AsyncGenerator<string, void> {
  let hasBegun = false
  try {
    for await (const { id, data } of heard) {
      const { type, ...members } = data
      yield `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(members)}\n\n`
      hasBegun = true
    }
  } catch (error) {
    if (!hasBegun || !(error instanceof AppError)) throw error
  }
}
