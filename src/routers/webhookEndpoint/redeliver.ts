/** POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries/{deliveryId}/redeliver */
import { z } from "zod"
import { redeliver } from "../../db/events/deliveries.ts"
import { notFound } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import { tokenOperation } from "../trpc.ts"
import { requireEnabled } from "./requireEnabled.ts"
import { endpointAddressMembers } from "./schema.ts"

/** Has one delivery made again. */
export const redeliverProcedure = tokenOperation(
  "POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/deliveries/{deliveryId}/redeliver",
  {
    operationId: "redeliverWebhook",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    summary: "Deliver an event again",
    description:
      "For ADMINs. Whatever became of it, the event is sent again, under the same `webhook-id`, and " +
      "repeated as a new one would be. 400 while the endpoint is disabled.",
  },
)
  .input(
    z.object({
      ...endpointAddressMembers,
      deliveryId: z.string().min(1).max(64).describe("Id of the delivery"),
    }),
  )
  .output(z.object({ message: z.literal("success").describe("It will be sent at once") }))
  .mutation(async ({ ctx, input: { deliveryId, ...address } }) => {
    const { id: endpointId } = await requireEnabled(ctx, address)
    const which = { endpointId, id: deliveryId }
    const count = isUuid(deliveryId) ? await redeliver(ctx.db, which) : 0
    if (count === 0) throw notFound("Delivery")
    return { message: "success" as const }
  })
