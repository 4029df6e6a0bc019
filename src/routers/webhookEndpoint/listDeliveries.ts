/** GET /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries */
import { z } from "zod"
import { listDeliveries } from "../../db/events/deliveries.ts"
import { cursorsOf, nextCursorSchema, pageMembers, pageOf } from "../cursor.ts"
import { tokenOperation } from "../trpc.ts"
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
    const list = ["listWebhookDeliveries", workspaceId, endpointId] as const
    const cursors = cursorsOf(ctx, list, z.guid())
    const listing = { endpointId, state, before: cursors.read(cursor), limit: limit + 1 }
    const rows = await listDeliveries(ctx.db, listing)
    const { page, last } = pageOf(rows, limit)
    return { deliveries: page.map(presentDelivery), ...cursors.write(last?.id) }
  })
