/** PATCH /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId} */
import { z } from "zod"
import { updateEndpoint } from "../../db/events/endpoints.ts"
import { notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { requireBots } from "./requireBots.ts"
import {
  endpointAddressMembers,
  endpointBotsSchema,
  endpointDescriptionSchema,
  endpointSchema,
  endpointUrlSchema,
  eventTypesSchema,
  presentEndpoint,
  requireEndpoint,
} from "./schema.ts"

/** Changes an endpoint. */
export const updateProcedure = tokenOperation(
  "PATCH /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}",
  {
    operationId: "updateWebhookEndpoint",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    summary: "Change a webhook endpoint",
    description:
      "For ADMINs. Members that are absent stay as they are. What happens while it is disabled is " +
      "not sent later; deliveries that waited before go on when it is enabled.",
  },
)
  .input(
    z.object({
      ...endpointAddressMembers,
      url: endpointUrlSchema.optional(),
      types: eventTypesSchema.optional(),
      botIds: endpointBotsSchema.describe(
        "Bots whose events it receives; null: all; absent: as before",
      ),
      description: endpointDescriptionSchema,
      isEnabled: z.boolean().optional().describe("Whether it receives events"),
    }),
  )
  .output(z.object({ endpoint: endpointSchema }))
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, endpointId, ...changes } = input
    const address = { workspaceId, endpointId }
    await requireEndpoint(ctx, address)
    await requireBots(ctx.db, workspaceId, changes.botIds ?? null)
    const row = await updateEndpoint(ctx.db, address, changes)
    if (row === undefined) throw notFound("Webhook endpoint")
    await ctx.chat.subscriptions.changed()
    return { endpoint: presentEndpoint(row) }
  })
