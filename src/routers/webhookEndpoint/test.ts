/** POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/test */
import { z } from "zod"
import type { WebhookEvent } from "../../chat/events/schema.ts"
import { signingSecrets } from "../../effects/webhooks/signature.ts"
import { badRequest } from "../../errors.ts"
import { newUuid } from "../../ids.ts"
import { tokenOperation } from "../trpc.ts"
import { endpointAddressMembers, outcomeSchema, presentOutcome, requireEndpoint } from "./schema.ts"
import { sealedSecretsOf } from "./secrets.ts"

/** Sends a ping to an endpoint. */
export const testProcedure = tokenOperation(
  "POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/test",
  {
    operationId: "testWebhookEndpoint",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    isAudited: false,
    summary: "Test a webhook endpoint",
    description:
      "For ADMINs. Sends one event of the type `ping`, once, enabled or not, and answers what came " +
      "back. It is no delivery, and changes nothing.",
  },
)
  .input(z.object(endpointAddressMembers))
  .output(z.object({ outcome: outcomeSchema }))
  .mutation(async ({ ctx, input: address }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const row = await requireEndpoint(ctx, address)
    const secrets = sealedSecretsOf(ctx.cipher, row)
    if (secrets === undefined) {
      throw badRequest("The secret of the endpoint cannot be decrypted any more: rotate it")
    }
    const event: WebhookEvent = {
      type: "ping",
      timestamp: new Date().toISOString(),
      data: address,
    }
    const outcome = await ctx.sendWebhook({
      url: row.url ?? "",
      id: newUuid(),
      body: JSON.stringify(event),
      secrets: signingSecrets(secrets, Date.now()),
    })
    return { outcome: presentOutcome(outcome) }
  })
