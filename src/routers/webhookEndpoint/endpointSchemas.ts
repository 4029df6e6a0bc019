/** Webhook endpoints in requests and responses, and their subscriptions. */

import { z } from "zod"
import { eventTypes } from "../../chat/events/eventSchemas.ts"
import { listKnownBots } from "../../db/bots/bots.ts"
import type { Source } from "../../db/connection/openDatabase.ts"
import { type EndpointRow, findEndpoint } from "../../db/events/endpoints.ts"
import { listOf } from "../../engine/schema/lists.ts"
import { badRequest, orNotFound } from "../../lib/errors.ts"
import { type AuthContext, requireWorkspace } from "../../people/access.ts"
import { workspaceIdSchema } from "../sharedSchemas.ts"

const eventTypeSchema = z
  .enum(eventTypes)
  .meta({ id: "WebhookEventType", description: "A type of event that endpoints receive" })

export const eventTypesSchema = listOf(eventTypeSchema, 100)
  .min(1)
  .describe("Types of events that it receives")
  .transform((types) => [...new Set(types)])

export const endpointBotsSchema = listOf(z.string().min(1).max(64), 200)
  .min(1)
  .nullish()
  .describe("Ids of the bots whose events it receives; absent or null: all of the workspace")

export const endpointAddressMembers = {
  workspaceId: workspaceIdSchema,
  endpointId: z.string().min(1).max(64).describe("Id of the endpoint"),
}

export const outcomeMembers = {
  status: z.int().optional().describe("HTTP status of the response; absent: there was none"),
  durationMs: z
    .int()
    .optional()
    .describe("Duration of the attempt in milliseconds; absent: there was none"),
  answer: z.string().optional().describe("First kilobyte of the response body"),
  error: z.string().optional().describe("Why the attempt failed; absent: it succeeded"),
}

/** Finds an endpoint for those who manage its workspace; 404 for others, 403 for other members. */
export async function requireEndpoint(
  ctx: AuthContext,
  address: { workspaceId: string; endpointId: string },
): Promise<EndpointRow> {
  await requireWorkspace(ctx, address.workspaceId, "manage")
  return orNotFound(await findEndpoint(ctx.db, address), "Webhook endpoint")
}

/** Throws a 400 when an id belongs to no bot of the workspace; null stands for all bots. */
export async function requireBots(
  db: Source,
  workspaceId: string,
  botIds: readonly string[] | null,
): Promise<void> {
  if (botIds === null) return
  const known = await listKnownBots(db, { workspaceId, ids: botIds })
  const unknown = botIds.find((id) => !known.has(id))
  if (unknown !== undefined) throw badRequest(`The workspace has no bot ${unknown}`)
}
