/** Events of some megabytes with many subscribers delay no others, and are never all in memory. */
import { beforeEach, describe, expect, test } from "vitest"
import { json, startPeer } from "../effects/peer.ts"
import {
  database,
  deliveriesTo,
  forgetEndpoints,
  newEndpoint,
  openDeliveries,
  outboxOf,
  server,
  workspaceId,
} from "./scene.ts"

const peer = await startPeer()
const deliveries = openDeliveries()
const taken = json({ ok: true })

beforeEach(forgetEndpoints)

test("an event too large for one statement with all its receivers delays no others", async () => {
  const { endpoint, path } = await newEndpoint(peer.url)
  await database.pool.query(
    `insert into webhook_endpoints (id, workspace_id, types, expires_at)
    select 'listener ' || n, $1, '{answer.submitted}', now() + interval '1 hour'
    from generate_series(1, 99) n`,
    [workspaceId],
  )
  // 100 times 3 MB, of which a statement takes 256.
  await database.pool.query(
    `insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
    values (gen_random_uuid(), gen_random_uuid(), $1, 'bot', 'answer.submitted', 1,
      jsonb_build_object('answer', repeat('x', 3000000)))`,
    [workspaceId],
  )
  peer.answers(taken)
  await deliveries.runDue()
  expect((await outboxOf()).length).toBe(0)
  expect(peer.received.at(-1)?.text.length).toBeGreaterThan(3_000_000)
  expect(await deliveriesTo(path)).toMatchObject([{ state: "delivered" }])
  const { rows } = await database.pool.query(
    "select count(*)::int as count from deliveries where endpoint_id <> $1",
    [endpoint.id],
  )
  expect(rows).toEqual([{ count: 99 }])
  await database.pool.query("delete from webhook_endpoints where url is null")
})

describe("listening without an endpoint", () => {
  const path = `/api/v1/workspaces/${workspaceId}/webhookEvents`

  const fetchAs = async (listenerId?: string, fetched: string[] = []) =>
    (await server.send("POST", path, { body: { listenerId, fetched } })).body as unknown as {
      listenerId: string
      events: { id: string }[]
    }

  test("gives large events few at a time", async () => {
    const { listenerId } = await fetchAs()
    const data = { workspaceId, endpointId: "x".repeat(3_000_000) }
    const large = { type: "ping", timestamp: new Date().toISOString(), data }
    for (let count = 0; count < 3; count++) {
      await database.pool.query(
        `insert into deliveries (endpoint_id, id, event_id, result_id, type, body)
        values ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'ping', $2)`,
        [listenerId, JSON.stringify(large)],
      )
    }
    const { events } = await fetchAs(listenerId)
    expect(events).toHaveLength(2)
    const ids = events.map(({ id }) => id)
    expect((await fetchAs(listenerId, ids)).events).toHaveLength(1)
  })

  test("is for twenty at a time, because each gets a copy of every event", async () => {
    await database.pool.query("update webhook_endpoints set expires_at = now()")
    for (let count = 0; count < 20; count++) await fetchAs()
    const refused = await server.send("POST", path, { body: {} })
    expect(refused).toMatchObject({ status: 429 })
    expect(refused.headers.get("retry-after")).toBe("60")
    await database.pool.query("update webhook_endpoints set expires_at = now()")
    expect((await fetchAs()).listenerId).toBeTypeOf("string")
  })
})
