/** Operators see which deliveries fail or wait. */
import { beforeEach, expect, test, vi } from "vitest"
import { createDeliveryWatch } from "../../src/jobs/deliveries/deliveryWatch.ts"
import { newId, newUuid } from "../../src/lib/ids.ts"
import { createMetrics } from "../../src/telemetry/metrics.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const metrics = createMetrics()
const warnings: object[] = []
const log = { warn: (facts: object) => void warnings.push(facts) }
const watch = createDeliveryWatch({ db, log, metrics })
const workspaceId = newId()
await db.pool.query("insert into workspaces (id, name) values ($1, 'Team')", [workspaceId])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] })
  warnings.length = 0
})

async function addEndpoint(isEnabled = true): Promise<string> {
  const id = newId()
  await db.pool.query(
    `insert into webhook_endpoints (id, workspace_id, url, types, is_enabled, data, nonce, key_id)
    values ($1, $2, 'https://a.example', '{}', $3, 'x', '123456789012', 1)`,
    [id, workspaceId, isEnabled],
  )
  return id
}

const addDelivery = (endpointId: string, inSeconds: number, state = "pending") =>
  db.pool.query(
    `insert into deliveries (endpoint_id, id, event_id, result_id, type, state, next_at)
    values ($1, $2, $2, $2, 't', $4, now() + make_interval(secs => $3))`,
    [endpointId, newUuid(), inSeconds, state],
  )

/** The lines of the metrics about deliveries. */
async function shown(): Promise<string[]> {
  const text = await metrics.registry.metrics()
  return text.split("\n").filter((line) => /^parley_deliver/.test(line))
}

test("what waits is in the metrics, and in the log when it waits for over a minute", async () => {
  const endpointId = await addEndpoint()
  await addDelivery(endpointId, -30)
  await addDelivery(endpointId, 500)
  await addDelivery(endpointId, 500)
  await addDelivery(endpointId, -500, "delivered")
  await addDelivery(await addEndpoint(false), -500)
  await watch.look()
  expect(await shown()).toEqual([
    'parley_deliveries_pending{when="due"} 1',
    'parley_deliveries_pending{when="later"} 2',
  ])
  expect(warnings).toEqual([])
  await addDelivery(endpointId, -90)
  await watch.look()
  expect(warnings).toEqual([])
  vi.advanceTimersByTime(60_000)
  await watch.look()
  const none = { failedAttempts: 0, givenUp: 0, endpointIds: [] }
  expect(warnings).toEqual([{ ...none, overdue: 1, due: 2, later: 2 }])
  watch.forget()
  expect(await shown()).toContain('parley_deliveries_pending{when="due"} 0')
  await db.pool.query("delete from deliveries")
})

test("what fails is in the metrics at once, and in the log once a minute", async () => {
  vi.advanceTimersByTime(60_000)
  await watch.look()
  watch.count("a", "delivered")
  watch.count("b", "pending")
  watch.count("b", "failed")
  expect((await shown()).filter((line) => line.includes("attempts"))).toEqual([
    'parley_delivery_attempts_total{outcome="delivered"} 1',
    'parley_delivery_attempts_total{outcome="repeated"} 1',
    'parley_delivery_attempts_total{outcome="failed"} 1',
  ])
  await watch.look()
  expect(warnings).toEqual([])
  vi.advanceTimersByTime(60_000)
  await watch.look()
  vi.advanceTimersByTime(60_000)
  await watch.look()
  const facts = { failedAttempts: 2, givenUp: 1, overdue: 0, due: 0, later: 0, endpointIds: ["b"] }
  expect(warnings).toEqual([facts])
})
