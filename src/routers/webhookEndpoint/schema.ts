/** Webhook endpoints and their deliveries, in requests and responses. */
import { z } from "zod"
import { eventTypes } from "../../chat/events/schema.ts"
import { deliveryStates } from "../../db/events/deliveries.ts"
import { type EndpointRow, findEndpoint } from "../../db/events/endpoints.ts"
import { notFound } from "../../errors.ts"
import { type Asker, requireWorkspace } from "../access.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"

const eventTypeSchema = z
  .enum(eventTypes)
  .meta({ id: "WebhookEventType", description: "A type of event that endpoints receive" })

export const endpointUrlSchema = z
  .string()
  .trim()
  .max(2_000)
  .refine(isCallable, {
    message: "Must be an address with http:// or https://, without a password",
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
  .describe("What it is for; null: nothing is said")

/** Where an endpoint is found. */
export const endpointAddressMembers = {
  workspaceId: workspaceIdSchema,
  endpointId: z.string().min(1).max(64).describe("Id of the endpoint"),
}

export const endpointSecretSchema = z
  .string()
  .describe("Signs deliveries (Standard Webhooks); shown only this once")

const disabledReasonSchema = z.enum(["gone", "failing"])

export const endpointSchema = z
  .object({
    id: z.string().describe("Id of the endpoint"),
    url: z.string().describe("Address that receives events"),
    types: z.array(z.string()).describe("Types of events that it receives"),
    botIds: z.array(z.string()).optional().describe("Bots whose events it receives; absent: all"),
    description: z.string().optional().describe("What it is for; absent: no description"),
    isEnabled: z.boolean().describe("Whether it receives events"),
    disabledReason: disabledReasonSchema
      .optional()
      .describe("gone: it answered 410; failing: it failed for five days; absent: neither"),
    failingSince: timestampSchema("When it began to fail; absent: it works").optional(),
    lastSuccessAt: timestampSchema(
      "When a delivery last succeeded, to within ten seconds",
    ).optional(),
    lastFailureAt: timestampSchema("When an attempt last failed; absent: never").optional(),
    lastFailure: z.string().optional().describe("Why; absent: never"),
    createdAt: timestampSchema("When it was created"),
    updatedAt: timestampSchema("When it was changed"),
  })
  .meta({ id: "WebhookEndpoint", description: "An address that receives events" })

/** Presents an endpoint, without its secret. */
export function presentEndpoint(row: EndpointRow): z.infer<typeof endpointSchema> {
  return presentRow(endpointSchema, {
    ...row,
    url: row.url ?? "",
    disabledReason: disabledReasonSchema.nullable().parse(row.disabledReason),
  })
}

const outcomeMembers = {
  status: z.int().optional().describe("Status of the answer; absent: there was none"),
  durationMs: z.int().optional().describe("How long the attempt took; absent: there was none"),
  answer: z.string().optional().describe("The first kilobyte of the answer"),
  error: z.string().optional().describe("Why the attempt failed; absent: it did not"),
}

export const outcomeSchema = z
  .object(outcomeMembers)
  .meta({ id: "WebhookOutcome", description: "The response of an endpoint" })

export const deliveryStateSchema = z.enum(deliveryStates).meta({
  id: "DeliveryState",
  description: "pending: will be attempted; delivered: accepted by the endpoint; failed: given up",
})

export const deliverySchema = z
  .object({
    id: z.string().describe("Id of the delivery"),
    eventId: z.string().describe("Id of the event, which receivers get as `webhook-id`"),
    type: z.string().describe("What happened"),
    state: deliveryStateSchema,
    attempts: z.int().describe("Attempts so far, since it was last asked for"),
    createdAt: timestampSchema("When the event was handed out"),
    attemptedAt: timestampSchema("When the last attempt ended; absent: there was none").optional(),
    nextAttemptAt: timestampSchema("When the next attempt is due; absent: never").optional(),
    ...outcomeMembers,
  })
  .meta({ id: "WebhookDelivery", description: "An event on its way to an endpoint" })

/** Finds an endpoint for those who manage its workspace; 404 for others, 403 for other members. */
export async function requireEndpoint(
  asker: Asker,
  address: { workspaceId: string; endpointId: string },
): Promise<EndpointRow> {
  await requireWorkspace(asker, address.workspaceId, "manage")
  const row = await findEndpoint(asker.db, address)
  if (row === undefined) throw notFound("Webhook endpoint")
  return row
}

function isCallable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}
