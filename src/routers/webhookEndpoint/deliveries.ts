/** Operations on the deliveries to webhook endpoints. */

import { z } from "zod"
import { listDeliveries, redeliver } from "../../db/events/deliveries.ts"
import type { EndpointRow } from "../../db/events/endpoints.ts"
import { AppError, badRequest, notFound } from "../../errors.ts"
import { firstUuidAt, isUuid } from "../../ids.ts"
import type { AuthContext } from "../access.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { done, doneSchema, instantSchema, presentRow } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import {
  deliverySchema,
  deliveryStateSchema,
  endpointAddressMembers,
  requireEndpoint,
} from "./schema.ts"

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

export const deliveries = {
  listDeliveries: tokenOperation(
    "GET /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries",
    {
      operationId: "listWebhookDeliveries",
      admits: "workspaceAdmins",
      tag: "Webhooks",
      summary: "List deliveries to a webhook endpoint",
      description:
        "For ADMINs. The deliveries of the last 30 days, newest first, each with its last attempt.",
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
    },
  )
    .input(
      z.object({
        ...endpointAddressMembers,
        state: deliveryStateSchema
          .optional()
          .describe("Only deliveries in this state; absent: all"),
        ...pageMembers,
      }),
    )
    .output(pageSchema.extend({ deliveries: z.array(deliverySchema).describe("Newest first") }))
    .query(async ({ ctx, input }) => {
      const { workspaceId, endpointId, state, limit, cursor } = input
      await requireEndpoint(ctx, { workspaceId, endpointId })
      const list = ["listWebhookDeliveries", workspaceId, endpointId] as const
      const cursors = cursorsOf(ctx, list, z.guid())
      const listing = { endpointId, state, before: cursors.read(cursor), limit: limit + 1 }
      const rows = await listDeliveries(ctx.db, listing)
      const { page, last } = pageOf(rows, limit)
      const deliveries = page.map((row) =>
        presentRow(deliverySchema, { ...row, nextAttemptAt: row.nextAt }),
      )
      return { deliveries, ...cursors.write(last?.id) }
    }),

  redeliver: tokenOperation(
    "POST /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries/{deliveryId}/redeliver",
    {
      operationId: "redeliverWebhook",
      admits: "workspaceAdmins",
      tag: "Webhooks",
      summary: "Redeliver an event",
      description:
        "For ADMINs. Sends the event again, whatever the state of the delivery, under the same " +
        "`webhook-id`, and retries it like a new one. 400 while the endpoint is disabled.",
      example: { response: done },
    },
  )
    .input(
      z.object({
        ...endpointAddressMembers,
        deliveryId: z.string().min(1).max(64).describe("Id of the delivery"),
      }),
    )
    .output(doneSchema)
    .mutation(async ({ ctx, input: { deliveryId, ...address } }) => {
      const { id: endpointId } = await requireEnabled(ctx, address)
      const which = { endpointId, id: deliveryId }
      const count = isUuid(deliveryId) ? await redeliver(ctx.db, which) : 0
      if (count === 0) throw notFound("Delivery")
      return done
    }),

  redeliverSpan: tokenOperation(
    "POST /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/redeliver",
    {
      operationId: "redeliverWebhooks",
      admits: "workspaceAdmins",
      tag: "Webhooks",
      summary: "Redeliver the events of a period",
      description:
        "For ADMINs. Sends all events of the period again, including delivered ones, in order and under " +
        "the same `webhook-id`. 400 while the endpoint is disabled.",
      example: {
        request: { since: "2026-05-22T00:00:00Z", until: "2026-05-23T00:00:00Z" },
        response: { count: 1 },
      },
    },
  )
    .input(
      z.object({
        ...endpointAddressMembers,
        since: instantSchema("Start of the period, inclusive"),
        until: instantSchema("End of the period, exclusive"),
      }),
    )
    .output(z.object({ count: z.int().describe("Number of events that will be sent") }))
    .mutation(async ({ ctx, input: { since, until, ...address } }) => {
      await ctx.limit("heavyManagement", ctx.user.tokenId)
      const { id: endpointId } = await requireEnabled(ctx, address)
      const [fromMs, beforeMs] = [Date.parse(since), Date.parse(until)]
      if (fromMs >= beforeMs) throw badRequest("`since` must be before `until`")
      const span = { fromId: firstUuidAt(fromMs), beforeId: firstUuidAt(beforeMs) }
      return { count: await redeliver(ctx.db, { endpointId, ...span }) }
    }),
}
