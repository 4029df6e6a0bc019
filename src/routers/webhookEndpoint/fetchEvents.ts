/** POST /api/v1/workspaces/{workspaceId}/webhookEvents */

import { z } from "zod"
import { eventTypes, webhookEventSchema } from "../../chat/events/schema.ts"
import { deleteFetched, listWaiting } from "../../db/events/deliveries.ts"
import { countListeners, insertListener, renewListener } from "../../db/events/endpoints.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { type AppError, tooManyRequests } from "../../errors.ts"
import { isUuid, newId } from "../../ids.ts"
import { manageWorkspace, requireWorkspace } from "../access.ts"
import { workspaceIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { eventExamples } from "./eventExamples.ts"
import { endpointBotsSchema, eventTypesSchema, requireBots } from "./schema.ts"

const listenerId = "l1i3s5t7e9n0e2r4x6y8z1a3"

const keptSeconds = 60
const maxEvents = 100
/** Each gets a copy of every event. */
const maxListeners = 20

const fetchedEventSchema = namedObject("FetchedEvent", "A fetched event", {
  id: z.string().describe("Id to send in `fetched` with the next call"),
  eventId: z.string().describe("Id of the event, which endpoints get as `webhook-id`"),
  event: webhookEventSchema,
})

/** Returns events to a client that polls. */
export const fetchEventsProcedure = tokenOperation("POST /workspaces/{workspaceId}/webhookEvents", {
  operationId: "fetchWebhookEvents",
  admits: "workspaceAdmins",
  isTrusted: true,
  tag: "Webhooks",
  isAudited: false,
  summary: "Fetch events without an endpoint",
  description:
    "For ADMINs who develop a receiver. The first call starts listening; each further call with " +
    "the returned `listenerId` fetches what has happened since, in order. Events are returned again " +
    "until their ids are sent in `fetched`. After 60 seconds without a call the listener is " +
    "discarded, and the next call starts a new one. 429 while 20 others listen.",
  example: {
    request: { listenerId },
    response: {
      listenerId,
      events: [
        {
          id: "019e4ec0-f94b-7c03-8b22-3c33d44e55f6",
          eventId: "019e4ec0-f94b-7c04-8b22-3c33d44e55f6",
          event: eventExamples["bot.published"],
        },
      ],
    },
  },
})
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      listenerId: z.string().min(1).max(64).optional().describe("Absent: the first call"),
      types: eventTypesSchema
        .optional()
        .describe("Types of events, in the first call; absent: all"),
      botIds: endpointBotsSchema.describe("Ids of bots, in the first call; absent: all"),
      fetched: z
        .array(z.string().max(255))
        .max(maxEvents)
        .default([])
        .describe("Ids of events that were handled and must not be returned again"),
    }),
  )
  .output(
    z.object({
      listenerId: z.string().describe("Id to send with the next call"),
      events: z.array(fetchedEventSchema).describe("Oldest first, at most 100"),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, listenerId, types = [...eventTypes], botIds = null } = input
    await requireWorkspace(ctx, workspaceId, "manage")
    await requireBots(ctx.db, workspaceId, botIds)
    const known = { id: listenerId ?? "", workspaceId }
    const isKnown = await renewListener(ctx.db, known, keptSeconds)
    const id = isKnown ? known.id : newId()
    if (!isKnown) {
      await manageWorkspace(ctx, workspaceId, async (locked) => {
        if ((await countListeners(locked, workspaceId)) >= maxListeners) throw tooManyListeners()
        await insertListener(locked, { id, workspaceId, types, botIds }, keptSeconds)
      })
      await ctx.chat.subscriptions.changed()
    }
    await deleteFetched(ctx.db, { endpointId: id, ids: input.fetched.filter(isUuid) })
    const rows = await listWaiting(ctx.db, { endpointId: id, limit: maxEvents })
    const events = rows.map(({ body, ...ids }) => ({ ...ids, event: JSON.parse(body) }))
    return { listenerId: id, events }
  })

function tooManyListeners(): AppError {
  const reason = `${maxListeners} others listen to this workspace; continue as one of them`
  return tooManyRequests("eventListeners", reason, keptSeconds)
}
