/** DELETE /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId} */
import { z } from "zod"
import { deleteEndpoint } from "../../db/events/endpoints.ts"
import { tokenOperation } from "../trpc.ts"
import { endpointAddressMembers, requireEndpoint } from "./schema.ts"

/** Deletes an endpoint. */
export const deleteProcedure = tokenOperation(
  "DELETE /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}",
  {
    operationId: "deleteWebhookEndpoint",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    summary: "Delete a webhook endpoint",
    description: "For ADMINs. Its deliveries go with it, those that wait too.",
  },
)
  .input(z.object(endpointAddressMembers))
  .output(z.object({ message: z.literal("success").describe("The endpoint is deleted") }))
  .mutation(async ({ ctx, input: address }) => {
    await requireEndpoint(ctx, address)
    await deleteEndpoint(ctx.db, address)
    await ctx.chat.subscriptions.changed()
    return { message: "success" as const }
  })
