/** POST /api/v1/workspaces/{workspaceId}/webhookEndpoints */
import { z } from "zod"
import { findEndpoint, insertEndpoint, listEndpoints } from "../../db/events/endpoints.ts"
import { newEndpointSecret } from "../../effects/webhooks/signature.ts"
import { badRequest, notFound } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { requireWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import { requireBots } from "./requireBots.ts"
import {
  endpointBotsSchema,
  endpointDescriptionSchema,
  endpointSchema,
  endpointSecretSchema,
  endpointUrlSchema,
  eventTypesSchema,
  presentEndpoint,
} from "./schema.ts"

const maxEndpoints = 100

/** Makes an endpoint. */
export const createProcedure = tokenOperation(
  "POST /api/v1/workspaces/{workspaceId}/webhookEndpoints",
  {
    operationId: "createWebhookEndpoint",
    tag: "Webhooks",
    summary: "Create a webhook endpoint",
    description:
      "For ADMINs. From now on its address receives events by POST: `WebhookEvent`, signed " +
      "as Standard Webhooks with the secret of the answer. Any status of 200 to 299 within 15 " +
      "seconds counts as taken; 410 disables the endpoint; anything else is repeated up to nine " +
      "times within three days under the same `webhook-id`. A workspace has at most 100.",
  },
)
  .input(
    z.object({
      workspaceId: workspaceIdSchema,
      url: endpointUrlSchema,
      types: eventTypesSchema,
      botIds: endpointBotsSchema,
      description: endpointDescriptionSchema,
    }),
  )
  .output(z.object({ endpoint: endpointSchema, secret: endpointSecretSchema }))
  .mutation(async ({ ctx, input }) => {
    const { workspaceId, url, types, botIds = null, description = null } = input
    await requireWorkspace(ctx, workspaceId, "manage")
    await requireBots(ctx.db, workspaceId, botIds)
    if ((await listEndpoints(ctx.db, workspaceId)).length >= maxEndpoints) {
      throw badRequest(`A workspace has at most ${maxEndpoints} webhook endpoints`)
    }
    const id = newId()
    const secret = newEndpointSecret()
    const sealed = ctx.cipher.seal(id, { secret })
    await insertEndpoint(ctx.db, { id, workspaceId, url, types, botIds, description, ...sealed })
    await ctx.chat.subscriptions.changed()
    const row = await findEndpoint(ctx.db, { workspaceId, endpointId: id })
    if (row === undefined) throw notFound("Webhook endpoint")
    return { endpoint: presentEndpoint(row), secret }
  })
