/** GET /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries */
import { z } from "zod"
import { listDeliveries } from "../../db/events/deliveries.ts"
import { badRequest } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { tokenOperation } from "../trpc.ts"
import { nextCursorSchema, pageMembers, pageOf } from "../version/schema.ts"
import {
  deliverySchema,
  deliveryStateSchema,
  endpointAddressMembers,
  presentDelivery,
  requireEndpoint,
} from "./schema.ts"

/** Lists deliveries to an endpoint. */
export const listDeliveriesProcedure = tokenOperation(
  "GET /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries",
  {
    operationId: "listWebhookDeliveries",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    summary: "List deliveries to a webhook endpoint",
    description: "For ADMINs. Those of the last 30 days, newest first, each with its last attempt.",
  },
)
  .input(
    z.object({
      ...endpointAddressMembers,
      state: deliveryStateSchema.optional().describe("Only those; absent: all"),
      ...pageMembers,
    }),
  )
  .output(
    z.object({
      deliveries: z.array(deliverySchema).describe("The deliveries of this page"),
      nextCursor: nextCursorSchema,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { workspaceId, endpointId, state, limit, cursor } = input
    await requireEndpoint(ctx, { workspaceId, endpointId })
    if (cursor !== undefined && !isUuid(cursor)) throw badRequest("Unknown cursor")
    const listing = { endpointId, state, before: cursor, limit: limit + 1 }
    const rows = await listDeliveries(ctx.db, listing)
    const { page, next } = pageOf(rows, limit, ({ id }) => id)
    return { deliveries: page.map(presentDelivery), ...next }
  })
