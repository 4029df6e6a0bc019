/** POST /api/v1/workspaces/{workspaceId}/webhookEndpoints */
import { z } from "zod"
import { countEndpoints, insertEndpoint } from "../../db/events/endpoints.ts"
import { newEndpointSecret } from "../../effects/webhooks/signature.ts"
import { badRequest } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { manageWorkspace } from "../access.ts"
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
    admits: "workspaceAdmins",
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
    const id = newId()
    const secret = newEndpointSecret()
    const sealed = ctx.cipher.seal(id, { secret })
    const endpoint = { id, workspaceId, url, types, botIds, description, ...sealed }
    const row = await manageWorkspace(ctx, workspaceId, async (locked) => {
      await requireBots(locked, workspaceId, botIds)
      if ((await countEndpoints(locked, workspaceId)) >= maxEndpoints) {
        throw badRequest(`A workspace has at most ${maxEndpoints} webhook endpoints`)
      }
      return await insertEndpoint(locked, endpoint)
    })
    await ctx.chat.subscriptions.changed()
    return { endpoint: presentEndpoint(row), secret }
  })
