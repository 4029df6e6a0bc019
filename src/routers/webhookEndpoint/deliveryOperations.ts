/** Operations on the deliveries to webhook endpoints, and on events that a client fetches instead. */

import { z } from "zod"
import { eventTypes, webhookEventSchema } from "../../chat/events/eventSchemas.ts"
import {
  deleteFetched,
  listDeliveries,
  listWaiting,
  redeliver,
} from "../../db/events/deliveries.ts"
import {
  countListeners,
  type EndpointRow,
  insertListener,
  renewListener,
} from "../../db/events/endpoints.ts"
import { listOf } from "../../engine/schema/lists.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, badRequest, notFound, tooManyRequests } from "../../lib/errors.ts"
import { firstUuidAt, isUuid, newId } from "../../lib/ids.ts"
import { type AuthContext, manageWorkspace, requireWorkspace } from "../../people/access.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema, uuidPositionSchema } from "../cursor.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import {
  done,
  doneSchema,
  instantSchema,
  timestampSchema,
  workspaceIdSchema,
} from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import {
  endpointAddressMembers,
  endpointBotsSchema,
  eventTypesSchema,
  outcomeMembers,
  requireBots,
  requireEndpoint,
} from "./endpointSchemas.ts"
import { eventExamples } from "./eventExamples.ts"

const operation = operationsOf("Webhooks")

const deliveryStateSchema = z.enum(["pending", "delivered", "failed"]).meta({
  id: "DeliveryState",
  description: "pending: will be attempted; delivered: accepted by the endpoint; failed: given up",
})

const deliverySchema = namedObject("WebhookDelivery", "An event on its way to an endpoint", {
  id: z.string().describe("Id of the delivery"),
  eventId: z.string().describe("Id of the event, which receivers get as `webhook-id`"),
  type: z.string().describe("What happened"),
  state: deliveryStateSchema,
  attempts: z.int().describe("Attempts so far, since the last redelivery if there was one"),
  createdAt: timestampSchema("When the event was queued for the endpoint"),
  attemptedAt: timestampSchema("When the last attempt ended; absent: there was none").optional(),
  nextAttemptAt: timestampSchema("When the next attempt is due; absent: never").optional(),
  ...outcomeMembers,
})

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

export const deliveries = {
  listDeliveries: operation(
    "GET /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries",
    {
      operationId: "listWebhookDeliveries",
      admits: "workspaceAdmins",
      summary: "List deliveries to a webhook endpoint",
      description:
        "For ADMINs. The deliveries of the last 30 days, newest first, each with its last attempt. Where they take more room than the operator allows, the oldest go earlier.",
      example: {
        response: {
          deliveries: [
            {
              id: exampleIds.deliveryId,
              eventId: "019e4ec0-f94b-7c02-8b22-3c33d44e55f6",
              type: "result.completed",
              state: "delivered",
              attempts: 1,
              createdAt: exampleTime,
              attemptedAt: exampleTime,
              status: 200,
              durationMs: 85,
              answer: '{"ok":true}',
            },
          ],
        },
      },
      input: {
        ...endpointAddressMembers,
        state: deliveryStateSchema
          .optional()
          .describe("Only deliveries in this state; absent: all"),
        ...pageMembers,
      },
      output: pageSchema.extend({ deliveries: z.array(deliverySchema).describe("Newest first") }),
    },
  ).query(async ({ ctx, input: { workspaceId, endpointId, state, limit, cursor } }) => {
    await requireEndpoint(ctx, { workspaceId, endpointId })
    const list = ["listWebhookDeliveries", workspaceId, endpointId] as const
    const cursors = cursorsOf(ctx, list, uuidPositionSchema)
    const listing = { endpointId, state, before: cursors.read(cursor), limit: limit + 1 }
    const rows = await listDeliveries(ctx.db, listing)
    const { page, last } = pageOf(rows, limit)
    const deliveries = page.map((row) =>
      presentRow(deliverySchema, { ...row, nextAttemptAt: row.nextAt }),
    )
    return { deliveries, ...cursors.write(last?.id) }
  }),

  redeliver: operation(
    "POST /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries/{deliveryId}/redeliver",
    {
      operationId: "redeliverWebhook",
      admits: "workspaceAdmins",
      summary: "Redeliver an event",
      description:
        "For ADMINs. Sends the event again, in any state of the delivery, under the same " +
        "`webhook-id`, and retries it like a new one. 400 while the endpoint is disabled.",
      example: { response: done },
      input: {
        ...endpointAddressMembers,
        deliveryId: z.string().min(1).max(64).describe("Id of the delivery"),
      },
      output: doneSchema,
    },
  ).mutation(async ({ ctx, input: { deliveryId, ...address } }) => {
    const { id: endpointId } = await requireEnabled(ctx, address)
    const which = { endpointId, id: deliveryId }
    const count = isUuid(deliveryId) ? await redeliver(ctx.db, which) : 0
    if (count === 0) throw notFound("Delivery")
    return done
  }),

  redeliverSpan: operation(
    "POST /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/redeliver",
    {
      operationId: "redeliverWebhooks",
      admits: "workspaceAdmins",
      summary: "Redeliver the events of a period",
      description:
        "For ADMINs. Sends all events of the period again, including delivered ones, in order and under " +
        "the same `webhook-id`. 400 while the endpoint is disabled.",
      example: {
        request: { since: "2026-05-22T00:00:00Z", until: "2026-05-23T00:00:00Z" },
        response: { count: 1 },
      },
      input: {
        ...endpointAddressMembers,
        since: instantSchema("Start of the period, inclusive"),
        until: instantSchema("End of the period, exclusive"),
      },
      output: { count: z.int().describe("Number of events that will be sent") },
    },
  ).mutation(async ({ ctx, input: { since, until, ...address } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { id: endpointId } = await requireEnabled(ctx, address)
    const [fromMs, beforeMs] = [Date.parse(since), Date.parse(until)]
    if (fromMs >= beforeMs) throw badRequest("`since` must be before `until`")
    const span = { fromId: firstUuidAt(fromMs), beforeId: firstUuidAt(beforeMs) }
    return { count: await redeliver(ctx.db, { endpointId, ...span }) }
  }),

  fetchEvents: operation("POST /workspaces/{workspaceId}/webhookEvents", {
    operationId: "fetchWebhookEvents",
    admits: "workspaceAdmins",
    isTrusted: true,
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
    input: {
      workspaceId: workspaceIdSchema,
      listenerId: z.string().min(1).max(64).optional().describe("Absent: the first call"),
      types: eventTypesSchema
        .optional()
        .describe("Types of events, in the first call; absent: all"),
      botIds: endpointBotsSchema.describe("Ids of bots, in the first call; absent: all"),
      fetched: listOf(z.string().max(255), maxEvents)
        .default([])
        .describe("Ids of events that were handled and must not be returned again"),
    },
    output: {
      listenerId: z.string().describe("Id to send with the next call"),
      events: z.array(fetchedEventSchema).describe("Oldest first, at most 100"),
    },
  }).mutation(async ({ ctx, input }) => {
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
  }),
}

/** Finds an endpoint as `requireEndpoint` does; throws a 400 while it is disabled. */
async function requireEnabled(
  ctx: AuthContext,
  address: { workspaceId: string; endpointId: string },
): Promise<EndpointRow> {
  const row = await requireEndpoint(ctx, address)
  if (!row.isEnabled)
    throw new AppError("ENDPOINT_DISABLED", "The webhook endpoint is disabled: enable it first")
  return row
}

function tooManyListeners(): AppError {
  const reason = `${maxListeners} others listen to this workspace; continue as one of them`
  return tooManyRequests("eventListeners", reason, keptSeconds)
}
