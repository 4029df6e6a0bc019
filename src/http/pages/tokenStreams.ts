/** Streams what callers with a token listen to, as server-sent events: changes of a bot, and chats. */
import type { z } from "zod"
import { AppError } from "../../lib/errors.ts"
import type { OperationScope } from "../../people/grants.ts"
import { type Context, createContext, type Services } from "../../routers/context.ts"
import {
  hearKeyedChat,
  hearSession,
  keyedHearingSchema,
  sessionHearingSchema,
} from "../../routers/conversation/hearMessages.ts"
import { hearBot, hearingSchema } from "../../routers/edit/hearBot.ts"
import { openStream } from "../../routers/openStream.ts"
import { requireCaller } from "../../routers/trpc.ts"
import { callingOrigins, requireMethod } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import { headerOf } from "../exchange.ts"
import { factsOf, inputReader } from "../rest/rest.ts"
import { sendEvents } from "./sendEvents.ts"

/** An event: what to send back to continue after it, and its type and other members. */
type HeardEvent = { id: string; data: { type: string } }

type TokenStream<Asked extends z.ZodObject> = {
  /** As in the document. */
  path: string
  operation: string
  scope: OperationScope
  asks: Asked
  hear(
    ctx: Context,
    asked: z.output<Asked> & { lastId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<HeardEvent, void>
}

/** Answers the `GET` of each stream. */
export function createTokenStreams(services: Services): Endpoint[] {
  return [
    endpointOf(services, {
      path: "/api/v1/bots/{botId}/changes",
      operation: "bot.changes",
      scope: "bots:read",
      asks: hearingSchema,
      hear: hearBot,
    }),
    endpointOf(services, {
      path: "/api/v1/bots/{botId}/conversations/{key}/messages/events",
      operation: "conversation.listen",
      scope: "results:read",
      asks: keyedHearingSchema,
      hear: hearKeyedChat,
    }),
    endpointOf(services, {
      path: "/api/v1/sessions/{sessionId}/messages/events",
      operation: "conversation.listenToSession",
      scope: "results:read",
      asks: sessionHearingSchema,
      hear: hearSession,
    }),
  ]
}

function endpointOf<Asked extends z.ZodObject>(
  services: Services,
  { path, operation, scope, asks, hear }: TokenStream<Asked>,
): Endpoint {
  const read = inputReader(path, asks)
  return {
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    operation,
    origins: callingOrigins(services.settings),
    async answer(exchange) {
      requireMethod(exchange, "GET, HEAD, OPTIONS", "This path takes GET alone")
      const context = createContext(services, factsOf(exchange))
      const user = await requireCaller(context, scope)
      await context.limit("management", user.tokenId)
      const asked = read(exchange)
      const { signal, close } = openStream(context, exchange.abortSignal())
      const lastId = headerOf(exchange.request, "last-event-id")
      try {
        const events = eventsOf(hear(context, { ...asked, lastId, signal }))
        await sendEvents(exchange, { events, signal })
      } finally {
        close()
      }
    },
  }
}

/** As on the wire. Listeners who lost access are refused when they reconnect. */
async function* eventsOf(heard: AsyncGenerator<HeardEvent, void>): AsyncGenerator<string, void> {
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
