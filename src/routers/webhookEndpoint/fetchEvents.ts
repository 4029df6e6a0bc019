/** POST /api/v1/workspaces/{workspaceId}/webhookEvents */
import { z } from "zod"
import { eventTypes, webhookEventSchema } from "../../chat/events/schema.ts"
import { deleteFetched, listWaiting } from "../../db/events/deliveries.ts"
import { countListeners, insertListener, renewListener } from "../../db/events/endpoints.ts"
import { tooManyRequests } from "../../errors.ts"
import { isUuid, newId } from "../../ids.ts"
import { manageWorkspace, requireWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import { requireBots } from "./requireBots.ts"
import { endpointBotsSchema, eventTypesSchema } from "./schema.ts"

const keptSeconds = 60
const maxEvents = 100
/** Each gets a copy of every event. */
const maxListeners = 20

const fetchedEventSchema = z
  .object({
    id: z.string().describe("To be sent as `fetched` with the next call"),
    eventId: z.string().describe("Id of the event, which endpoints get as `webhook-id`"),
    event: webhookEventSchema,
  })
  .meta({ id: "FetchedEvent", description: "A fetched event" })

/** Gives a polling listener its events. */
export const fetchEventsProcedure = tokenOperation("POST /workspaces/{workspaceId}/webhookEvents", {
  operationId: "fetchWebhookEvents",
  admits: "workspaceAdmins",
  isTrusted: true,
  tag: "Webhooks",
  isAudited: false,
  summary: "Fetch events without an endpoint",
  description:
    "For ADMINs, to develop a receiver: the first call begins to listen, each further one with " +
    "the `listenerId` of the answer fetches what happened since, in order. Events come again " +
    "until their ids are sent as `fetched`. Without a call for 60 seconds nothing is kept any " +
    "more, and the next call begins anew. 429 while 20 others listen.",
})
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      listenerId: z.string().min(1).max(64).optional().describe("Absent: the first call"),
      types: eventTypesSchema.optional().describe("In the first call; absent: all types"),
      botIds: endpointBotsSchema.describe("In the first call; absent: all bots"),
      fetched: z
        .array(z.string().max(255))
        .max(maxEvents)
        .default([])
        .describe("Ids of events that have been handled and are not to be sent again"),
    }),
  )
  .output(
    z.object({
      listenerId: z.string().describe("For the next call"),
      events: z.array(fetchedEventSchema).describe("The oldest first, at most 100"),
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
        const others = await countListeners(locked, workspaceId)
        if (others >= maxListeners) throw tooManyRequests(keptSeconds)
        await insertListener(locked, { id, workspaceId, types, botIds }, keptSeconds)
      })
      await ctx.chat.subscriptions.changed()
    }
    await deleteFetched(ctx.db, { endpointId: id, ids: input.fetched.filter(isUuid) })
    const rows = await listWaiting(ctx.db, { endpointId: id, limit: maxEvents })
    const events = rows.map(({ body, ...ids }) => ({ ...ids, event: JSON.parse(body) }))
    return { listenerId: id, events }
  })
