/** Webhook endpoints in requests and responses, and what they may be for. */

import { z } from "zod"
import { eventTypes } from "../../chat/events/schema.ts"
import { listKnownBots } from "../../db/bots/bots.ts"
import type { Source } from "../../db/connection/open.ts"
import { type EndpointRow, findEndpoint } from "../../db/events/endpoints.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { badRequest, notFound } from "../../errors.ts"
import { type AuthContext, requireWorkspace } from "../access.ts"
import { timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"

const eventTypeSchema = z
  .enum(eventTypes)
  .meta({ id: "WebhookEventType", description: "A type of event that endpoints receive" })

export const endpointUrlSchema = z
  .string()
  .trim()
  .max(2_000)
  .refine(isCallable, {
    message: "must be an address with http:// or https://, without a password",
  })
  .describe("Address that receives events; it must be reachable from the service")

export const eventTypesSchema = z
  .array(eventTypeSchema)
  .min(1)
  .describe("Types of events that it receives")
  .transform((types) => [...new Set(types)])

export const endpointBotsSchema = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(200)
  .nullish()
  .describe("Ids of the bots whose events it receives; absent or null: all of the workspace")

export const endpointDescriptionSchema = z
  .string()
  .trim()
  .max(500)
  .nullish()
  .describe("What it is for; null: no description")

/** The address of an endpoint in paths. */
export const endpointAddressMembers = {
  workspaceId: workspaceIdSchema,
  endpointId: z.string().min(1).max(64).describe("Id of the endpoint"),
}

export const endpointSecretSchema = z
  .string()
  .describe("Signs deliveries (Standard Webhooks); shown only this once")

export const endpointSchema = namedObject("WebhookEndpoint", "An address that receives events", {
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

const outcomeMembers = {
  status: z.int().optional().describe("HTTP status of the response; absent: there was none"),
  durationMs: z
    .int()
    .optional()
    .describe("Duration of the attempt in milliseconds; absent: there was none"),
  answer: z.string().optional().describe("First kilobyte of the response body"),
  error: z.string().optional().describe("Why the attempt failed; absent: it succeeded"),
}

export const outcomeSchema = z
  .object(outcomeMembers)
  .meta({ id: "WebhookOutcome", description: "The response of an endpoint" })

export const deliveryStateSchema = z.enum(["pending", "delivered", "failed"]).meta({
  id: "DeliveryState",
  description: "pending: will be attempted; delivered: accepted by the endpoint; failed: given up",
})

export const deliverySchema = namedObject("WebhookDelivery", "An event on its way to an endpoint", {
  id: z.string().describe("Id of the delivery"),
  eventId: z.string().describe("Id of the event, which receivers get as `webhook-id`"),
  type: z.string().describe("What happened"),
  state: deliveryStateSchema,
  attempts: z.int().describe("Attempts so far, since the last redelivery if there was one"),
  createdAt: timestampSchema("When the event was queued for the endpoint"),
  attemptedAt: timestampSchema("When the last attempt ended; absent: there was none").optional(),
  nextAttemptAt: timestampSchema("When the next attempt is due; absent: never").optional(),
  ...outcomeMembers,
})

/** Finds an endpoint for those who manage its workspace; 404 for others, 403 for other members. */
export async function requireEndpoint(
  ctx: AuthContext,
  address: { workspaceId: string; endpointId: string },
): Promise<EndpointRow> {
  await requireWorkspace(ctx, address.workspaceId, "manage")
  const row = await findEndpoint(ctx.db, address)
  if (row === undefined) throw notFound("Webhook endpoint")
  return row
}

function isCallable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

/** Throws a 400 when an id belongs to no bot of the workspace; null stands for all bots. */
export async function requireBots(
  db: Source,
  workspaceId: string,
  botIds: readonly string[] | null,
): Promise<void> {
  if (botIds === null) return
  const known = new Set(await listKnownBots(db, { workspaceId, ids: botIds }))
  const unknown = botIds.find((id) => !known.has(id))
  if (unknown !== undefined) throw badRequest(`The workspace has no bot ${unknown}`)
}
