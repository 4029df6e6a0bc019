/** A service with webhook endpoints, whose deliveries run only when a test says so. */
import { createHmac } from "node:crypto"
import { afterAll, expect } from "vitest"
import { type WebhookEvent, webhookEventSchema } from "../../src/chat/events/eventSchemas.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { createWebhookSender } from "../../src/effects/webhooks/sendWebhook.ts"
import { type RunningDeliveries, runDeliveries } from "../../src/jobs/deliveries/deliver.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { createMetrics } from "../../src/telemetry/metrics.ts"
import type { Received } from "../effects/peer.ts"
import { testDatabase } from "../support/database.ts"
import { testServer } from "../support/server.ts"
import { whenOver } from "../support/whenOver.ts"

/** The cipher of the service. */
export const operatorSecret = "a secret that only tests know of"

export const database = await testDatabase()
await claimDeliveries("test", "infinity")
export const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_SECRET: operatorSecret,
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
})

const { body: listed } = await server.send("GET", "/api/v1/workspaces")
export const workspaceId = (listed.workspaces as { id: string }[])[0]?.id ?? ""
export const endpointsPath = `/api/v1/workspaces/${workspaceId}/webhookEndpoints`

const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
afterAll(() => outbound.close())

/** The logged warnings. */
export const warnings: string[] = []

/** A process that delivers on request. */
export function openDeliveries(
  options: { timeoutMs?: number; processId?: string; secrets?: string[] } = {},
): RunningDeliveries {
  const { timeoutMs = 5_000, processId = "test", secrets = [operatorSecret] } = options
  const log = { ...silentLog(), warn: (_: object, words: string) => warnings.push(words) }
  const deliveries = runDeliveries({
    db: database,
    log: log as unknown as ReturnType<typeof silentLog>,
    metrics: createMetrics(),
    cipher: createCipher(secrets),
    send: createWebhookSender(outbound, timeoutMs),
    subscriptions: { isEmpty: () => false, changed: async () => {} },
    processId,
    pollMs: 1_000_000,
    claimSeconds: 1_000_000,
  })
  const stop = async () => {
    await deliveries.stop()
    // It has let the service have the job.
    await claimDeliveries("test", "infinity")
  }
  whenOver(stop)
  return { ...deliveries, stop }
}

/** Has a process deliver until a time; the service itself delivers nothing as long as another may. */
export async function claimDeliveries(by: string, until: "infinity" | "-infinity"): Promise<void> {
  await database.pool.query(
    `insert into jobs (name, claimed_by, claimed_until) values ('deliver_events', $1, $2)
    on conflict (name) do update
      set claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until`,
    [by, until],
  )
}

/** An endpoint as the operations answer it. */
export type Endpoint = { id: string; url: string; types: string[]; isEnabled: boolean } & Record<
  string,
  unknown
>

export const allTypes = [
  "conversation.started",
  "answer.submitted",
  "result.completed",
  "conversation.ended",
  "bot.published",
  "bot.rolledBack",
]

/** Makes an endpoint that wants everything, unless the parts say otherwise. */
export async function newEndpoint(
  url: string,
  parts: object = {},
): Promise<{ endpoint: Endpoint; secret: string; path: string }> {
  const body = { url, types: allTypes, ...parts }
  const made = await server.send("POST", endpointsPath, { body })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const endpoint = made.body.endpoint as Endpoint
  return { endpoint, secret: String(made.body.secret), path: `${endpointsPath}/${endpoint.id}` }
}

/** Deletes all endpoints, so that the next test begins with none. */
export async function forgetEndpoints(): Promise<void> {
  const { body } = await server.send("GET", endpointsPath)
  for (const { id } of body.endpoints as Endpoint[]) {
    await server.send("DELETE", `${endpointsPath}/${id}`)
  }
  await database.pool.query("delete from outbox")
}

/** An event in the outbox. */
export type Waiting = { type: string; sequence: number | null; payload: Record<string, unknown> }

/** What waits in the outbox, in order. */
export async function outboxOf(resultId?: string): Promise<Waiting[]> {
  const { rows } = await database.pool.query<Waiting>(
    `select type, sequence, payload from outbox where $1::uuid is null or result_id = $1
    order by created_at, sequence`,
    [resultId ?? null],
  )
  return rows
}

/** Received events, validated by the schema of events. */
export function eventOf({ text }: Pick<Received, "text">): WebhookEvent {
  const event = webhookEventSchema.parse(JSON.parse(text))
  // Nothing is sent that the schema does not name.
  expect(event).toEqual(JSON.parse(text))
  return event
}

/** Whether a signature is that of Standard Webhooks 1.0 under a secret, by its own words. */
export function isSignedBy(secret: string, { headers, text }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`
  const expected = `v1,${createHmac("sha256", key).update(content).digest("base64")}`
  return String(headers["webhook-signature"]).split(" ").includes(expected)
}

/** A delivery as the operations answer it. */
export type Delivery = Record<string, unknown> & { id: string; type: string; state: string }

/** Deliveries to an endpoint, the oldest first. */
export async function deliveriesTo(path: string, query = ""): Promise<Delivery[]> {
  const { body } = await server.send("GET", `${path}/deliveries${query}`)
  return (body.deliveries as Delivery[]).toReversed()
}

/** Makes everything that waits for its next attempt due. */
export async function letTimePass(): Promise<void> {
  await database.pool.query("update deliveries set next_at = now() where state = 'pending'")
}
