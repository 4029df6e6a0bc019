/** Operations on webhook endpoints. */

import { z } from "zod"
import type { WebhookEvent } from "../../chat/events/eventSchemas.ts"
import {
  deleteEndpoint,
  type EndpointRow,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from "../../db/events/endpoints.ts"
import type { Cipher } from "../../effects/credentials/cipher.ts"
import {
  type EndpointSecrets,
  newEndpointSecret,
  signingSecrets,
} from "../../effects/webhooks/webhookSignature.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, notFound, orNotFound } from "../../lib/errors.ts"
import { newId, newUuid } from "../../lib/ids.ts"
import { manageWorkspace, requireWorkspace } from "../../people/access.ts"
import type { Context } from "../context.ts"
import { exampleDates, exampleIds } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { done, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import {
  endpointAddressMembers,
  endpointBotsSchema,
  eventTypesSchema,
  outcomeMembers,
  requireBots,
  requireEndpoint,
} from "./endpointSchemas.ts"

const operation = operationsOf("Webhooks")

const endpointUrlSchema = z
  .string()
  .trim()
  .max(2_000)
  .refine(isCallable, {
    message: "must be an address with http:// or https://, without a password",
  })
  .describe("Address that receives events; it must be reachable from the service")

const endpointDescriptionSchema = z
  .string()
  .trim()
  .max(500)
  .nullish()
  .describe("What it is for; null: no description")

const endpointSecretSchema = z
  .string()
  .describe("Signs deliveries (Standard Webhooks); shown only this once")

const endpointSchema = namedObject("WebhookEndpoint", "An address that receives events", {
  id: z.string().describe("Id of the endpoint"),
  url: z.string().describe("Address that receives events"),
  types: z.array(z.string()).describe("Types of events that it receives"),
  botIds: z.array(z.string()).optional().describe("Bots whose events it receives; absent: all"),
  description: z.string().optional().describe("What it is for; absent: no description"),
  isEnabled: z.boolean().describe("Whether it receives events"),
  disabledReason: z
    .enum(["gone", "failing"])
    .optional()
    .describe("gone: it answered 410; failing: it failed for five days; absent: neither"),
  failingSince: timestampSchema(
    "Since when deliveries have been failing; absent: they succeed",
  ).optional(),
  lastSuccessAt: timestampSchema(
    "When a delivery last succeeded, to within ten seconds",
  ).optional(),
  lastFailureAt: timestampSchema("When an attempt last failed; absent: never").optional(),
  lastFailure: z.string().optional().describe("Why it last failed; absent: it never did"),
  createdAt: timestampSchema("When it was created"),
  updatedAt: timestampSchema("When it was last changed"),
})

const outcomeSchema = z
  .object(outcomeMembers)
  .meta({ id: "WebhookOutcome", description: "The response of an endpoint" })

const exampleEndpoint = {
  id: exampleIds.endpointId,
  url: "https://crm.example.com/hook",
  types: ["answer.submitted", "result.completed"],
  isEnabled: true,
  ...exampleDates,
}

const exampleSecret = "whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCBvZiAzMiBieXRlcyE="

const maxEndpoints = 100

const secretLost = "The secret of the endpoint can no longer be decrypted: rotate it"

/** How long the former secret of an endpoint signs along. */
export const formerSecretMs = 24 * 3_600_000

/** Returns undefined when the secrets cannot be decrypted any more. */
function decryptSecrets(cipher: Cipher, row: EndpointRow): EndpointSecrets | undefined {
  return cipher.open(row.id, row) as EndpointSecrets | undefined
}

function isCallable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

const warningMembers = {
  warning: z
    .string()
    .optional()
    .describe(
      "Why nothing can be delivered to the address as things stand; absent: nothing is known",
    ),
}

/** Never refuses: a name may resolve differently tomorrow, and an operator may allow the address. */
async function warningOf({ refusalOf }: Pick<Context, "refusalOf">, url: string | undefined) {
  const refusal = url && (await refusalOf(url))
  if (!refusal) return {}
  const remedy = "The operator of this service can allow it with PARLEY_ALLOW_HOSTS"
  return { warning: `Nothing will be delivered. ${refusal}. ${remedy}.` }
}

export const endpoints = {
  create: operation("POST /workspaces/{workspaceId}/webhookEndpoints", {
    operationId: "createWebhookEndpoint",
    admits: "workspaceAdmins",
    summary: "Create a webhook endpoint",
    description:
      "For ADMINs. From now on, the address receives events by POST, as " +
      "`/openapi.webhooks.json` shows them: a `WebhookEvent`, signed as Standard Webhooks with the secret in the response. Any status of 200 to 299 within 15 " +
      "seconds counts as delivered; 410 disables the endpoint; anything else is retried up to nine " +
      "times over three days under the same `webhook-id`. A workspace has at most 100.",
    example: {
      request: { url: exampleEndpoint.url, types: exampleEndpoint.types },
      response: { endpoint: exampleEndpoint, secret: exampleSecret },
    },
    input: {
      workspaceId: workspaceIdSchema,
      url: endpointUrlSchema,
      types: eventTypesSchema,
      botIds: endpointBotsSchema,
      description: endpointDescriptionSchema,
    },
    output: { endpoint: endpointSchema, secret: endpointSecretSchema, ...warningMembers },
  }).mutation(async ({ ctx, input }) => {
    const { workspaceId, url, types, botIds = null, description = null } = input
    const id = newId()
    const secret = newEndpointSecret()
    const sealed = ctx.cipher.seal(id, { secret })
    const endpoint = { id, workspaceId, url, types, botIds, description, ...sealed }
    const row = await manageWorkspace(ctx, workspaceId, async (locked) => {
      await requireBots(locked, workspaceId, botIds)
      if ((await listEndpoints(locked, workspaceId)).length >= maxEndpoints) {
        throw new AppError(
          "ENDPOINT_LIMIT_REACHED",
          `A workspace has at most ${maxEndpoints} webhook endpoints`,
          { data: { limit: maxEndpoints } },
        )
      }
      return await insertEndpoint(locked, endpoint)
    })
    await ctx.chat.subscriptions.changed()
    return { endpoint: presentRow(endpointSchema, row), secret, ...(await warningOf(ctx, url)) }
  }),

  list: operation("GET /workspaces/{workspaceId}/webhookEndpoints", {
    operationId: "listWebhookEndpoints",
    admits: "workspaceAdmins",
    summary: "List webhook endpoints",
    description: `For ADMINs. Newest first, at most ${maxEndpoints}.`,
    example: { response: { endpoints: [exampleEndpoint] } },
    input: { workspaceId: workspaceIdSchema },
    output: { endpoints: z.array(endpointSchema).describe("The endpoints") },
  }).query(async ({ ctx, input: { workspaceId } }) => {
    await requireWorkspace(ctx, workspaceId, "manage")
    const rows = await listEndpoints(ctx.db, workspaceId)
    return { endpoints: rows.map((row) => presentRow(endpointSchema, row)) }
  }),

  get: operation("GET /workspaces/{workspaceId}/webhookEndpoints/{endpointId}", {
    operationId: "getWebhookEndpoint",
    admits: "workspaceAdmins",
    summary: "Get a webhook endpoint",
    description: "For ADMINs. Shows whether deliveries succeed. The secret is never shown again.",
    example: { response: { endpoint: exampleEndpoint } },
    input: endpointAddressMembers,
    output: { endpoint: endpointSchema },
  }).query(async ({ ctx, input: address }) => {
    const row = await requireEndpoint(ctx, address)
    return { endpoint: presentRow(endpointSchema, row) }
  }),

  update: operation("PATCH /workspaces/{workspaceId}/webhookEndpoints/{endpointId}", {
    operationId: "updateWebhookEndpoint",
    admits: "workspaceAdmins",
    summary: "Change a webhook endpoint",
    description:
      "For ADMINs. Omitted members stay as they are. Events that happen while the endpoint is disabled " +
      "are never sent; deliveries that were already pending resume once it is enabled.",
    example: {
      request: { types: ["result.completed"], description: "Our CRM" },
      response: {
        endpoint: { ...exampleEndpoint, types: ["result.completed"], description: "Our CRM" },
      },
    },
    input: {
      ...endpointAddressMembers,
      url: endpointUrlSchema.optional(),
      types: eventTypesSchema.optional(),
      botIds: endpointBotsSchema.describe(
        "Bots whose events it receives; null: all; absent: as before",
      ),
      description: endpointDescriptionSchema,
      isEnabled: z.boolean().optional().describe("Whether it receives events"),
    },
    output: { endpoint: endpointSchema, ...warningMembers },
  }).mutation(async ({ ctx, input: { workspaceId, endpointId, ...changes } }) => {
    const address = { workspaceId, endpointId }
    await requireEndpoint(ctx, address)
    await requireBots(ctx.db, workspaceId, changes.botIds ?? null)
    const row = orNotFound(await updateEndpoint(ctx.db, address, changes), "Webhook endpoint")
    await ctx.chat.subscriptions.changed()
    return { endpoint: presentRow(endpointSchema, row), ...(await warningOf(ctx, changes.url)) }
  }),

  delete: operation("DELETE /workspaces/{workspaceId}/webhookEndpoints/{endpointId}", {
    operationId: "deleteWebhookEndpoint",
    admits: "workspaceAdmins",
    summary: "Delete a webhook endpoint",
    description: "For ADMINs. Also deletes its deliveries, including pending ones.",
    input: endpointAddressMembers,
  }).mutation(async ({ ctx, input: address }) => {
    await requireEndpoint(ctx, address)
    if (!(await deleteEndpoint(ctx.db, address))) throw notFound("Webhook endpoint")
    await ctx.chat.subscriptions.changed()
    return done
  }),

  rotateSecret: operation(
    "POST /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/rotateSecret",
    {
      operationId: "rotateWebhookSecret",
      admits: "workspaceAdmins",
      errorResponses: [409],
      summary: "Rotate the secret of a webhook endpoint",
      description:
        "For ADMINs. For 24 hours, requests carry two signatures, one by the new secret and one by the " +
        "previous one; an older secret stops signing at once.",
      example: { response: { secret: exampleSecret } },
      input: endpointAddressMembers,
      output: { secret: endpointSecretSchema },
    },
  ).mutation(async ({ ctx, input: address }) => {
    const row = await requireEndpoint(ctx, address)
    const present = decryptSecrets(ctx.cipher, row)
    const secret = newEndpointSecret()
    const until = new Date(Date.now() + formerSecretMs).toISOString()
    const former = present && { secret: present.secret, until }
    const secrets: EndpointSecrets = { secret, former }
    const unchanged = { ...address, nonce: row.nonce }
    const changed = await updateEndpoint(ctx.db, unchanged, ctx.cipher.seal(row.id, secrets))
    if (changed === undefined) {
      // Throws a 404 if the endpoint was deleted meanwhile.
      await requireEndpoint(ctx, address)
      throw new AppError("STALE_SECRET", "The secret was rotated by another request: try again")
    }
    return { secret }
  }),

  test: operation("POST /workspaces/{workspaceId}/webhookEndpoints/{endpointId}/test", {
    operationId: "testWebhookEndpoint",
    admits: "workspaceAdmins",
    isAudited: false,
    summary: "Test a webhook endpoint",
    description:
      "For ADMINs. Sends one `ping` event, even while the endpoint is disabled, and returns the " +
      "response. It is not recorded as a delivery.",
    example: { response: { outcome: { status: 200, durationMs: 85, answer: '{"ok":true}' } } },
    input: endpointAddressMembers,
    output: { outcome: outcomeSchema },
  }).mutation(async ({ ctx, input: address }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const row = await requireEndpoint(ctx, address)
    const secrets = decryptSecrets(ctx.cipher, row)
    if (secrets === undefined) throw new AppError("ENDPOINT_SECRET_LOST", secretLost)
    const event: WebhookEvent = {
      type: "ping",
      timestamp: new Date().toISOString(),
      data: address,
    }
    const outcome = await ctx.sendWebhook({
      url: row.url,
      id: newUuid(),
      body: JSON.stringify(event),
      secrets: signingSecrets(secrets, Date.now()),
    })
    return { outcome: presentRow(outcomeSchema, outcome) }
  }),
}
