/** GET /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId} */
import { z } from "zod"
import { tokenOperation } from "../trpc.ts"
import {
  endpointAddressMembers,
  endpointSchema,
  presentEndpoint,
  requireEndpoint,
} from "./schema.ts"

/** Reads an endpoint. */
export const getProcedure = tokenOperation(
  "GET /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}",
  {
    operationId: "getWebhookEndpoint",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    summary: "Get a webhook endpoint",
    description: "For ADMINs. Tells whether it works; its secret is not given out again.",
  },
)
  .input(z.object(endpointAddressMembers))
  .output(z.object({ endpoint: endpointSchema }))
  .query(async ({ ctx, input: address }) => {
    return { endpoint: presentEndpoint(await requireEndpoint(ctx, address)) }
  })
