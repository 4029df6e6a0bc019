/** Events that were handed out take bounded room: for all, and for each creator of workspaces. */
import { beforeEach, expect, test } from "vitest"
import { handOut } from "../../src/jobs/deliveries/handOut.ts"
import { newId, newUuid } from "../../src/lib/ids.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"

const db = await testDatabase()
const { kysely, pool } = db

const eventBytes = 1_000
/** Room for 100 events, 25 of one creator. */
const most = 100 * eventBytes

beforeEach(async () => {
  for (const table of ["event_bodies", "event_tallies", "outbox", "webhook_endpoints"])
    await pool.query(`delete from ${table}`)
})

/** A workspace with an endpoint that wants publications. */
async function addWorkspace(creatorId = newId()) {
  const id = newId()
  const endpointId = newId()
  await kysely.insertInto("workspaces").values({ id, name: "Team", creatorId }).execute()
  await kysely
    .insertInto("webhookEndpoints")
    .values({
      id: endpointId,
      workspaceId: id,
      types: ["bot.published"],
      expiresAt: new Date("2100"),
    })
    .execute()
  return { id, endpointId, creatorId }
}

type Place = Awaited<ReturnType<typeof addWorkspace>>

/** Stores events as if each took `eventBytes`, the oldest first, and returns their ids. */
async function store(place: Place, states: readonly ("delivered" | "failed" | "pending")[]) {
  const { id: workspaceId, endpointId } = place
  const events = states.map((state) => ({ state, id: newUuid(), resultId: newUuid() }))
  const bodies = events.map(({ state: _, ...event }) => ({
    ...event,
    workspaceId,
    body: "{}",
    bytes: eventBytes,
  }))
  await kysely.insertInto("eventBodies").values(bodies).execute()
  const deliveries = events.map(({ state, id: eventId, resultId }) => {
    return { endpointId, id: newUuid(), eventId, resultId, type: "bot.published", state }
  })
  await kysely.insertInto("deliveries").values(deliveries).execute()
  await pool.query(
    `insert into event_tallies values ($1, $2)
    on conflict (workspace_id) do update set bytes = event_tallies.bytes + excluded.bytes`,
    [workspaceId, events.length * eventBytes],
  )
  return events.map(({ id }) => id)
}

const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item)

async function limit() {
  const warnings: object[] = []
  const log = { ...silentLog(), warn: (facts: object) => warnings.push(facts) }
  const parts = { maxDeliveriesBytes: most, log: log as unknown as ReturnType<typeof silentLog> }
  return { counts: await runJob(db, "limit_deliveries", parts), warnings }
}

/** The events that are left, in the order of time; each has all of its deliveries. */
async function left({ id }: Place): Promise<string[]> {
  const { rows } = await pool.query(
    `select b.id, (select count(*) from deliveries d where d.event_id = b.id) as deliveries
    from event_bodies b where b.workspace_id = $1 order by b.id`,
    [id],
  )
  expect(rows.filter(({ deliveries }) => Number(deliveries) === 0)).toEqual([])
  return rows.map((row) => row.id)
}

test("the oldest finished events of a creator go beyond their share, with their deliveries", async () => {
  const place = await addWorkspace()
  const other = await addWorkspace()
  const ids = await store(place, ["pending", ...times(25, "delivered" as const), "failed"])
  const others = await store(other, times(25, "delivered"))
  const { counts, warnings } = await limit()
  // Two more than the bound asks for, so that the next run has nothing to do.
  expect(counts).toEqual({ events: 4, unfinished: 0 })
  expect(warnings).toEqual([])
  expect(await left(place)).toEqual([ids[0], ...ids.slice(5)])
  expect(await left(other)).toEqual(others)
  const { rows } = await pool.query("select from deliveries where event_id = any($1)", [ids])
  expect(rows).toHaveLength(23)
  expect((await limit()).counts).toEqual({ events: 0, unfinished: 0 })
})

test("unfinished events are dropped last, over all workspaces of a creator, and the log has their number", async () => {
  const place = await addWorkspace()
  const smaller = await addWorkspace(place.creatorId)
  const ids = await store(place, times(28, "pending"))
  await store(smaller, ["delivered", "delivered"])
  const { counts, warnings } = await limit()
  expect(counts).toEqual({ events: 7, unfinished: 5 })
  expect(warnings).toEqual([{ workspaceId: place.id, deliveries: 5 }])
  expect(await left(place)).toEqual(ids.slice(5))
  expect(await left(smaller)).toEqual([])
})

test("when all together exceed the bound, who has most gives most", async () => {
  const places = []
  for (const count of [24, 24, 24, 24, 12]) {
    const place = await addWorkspace()
    await store(place, times(count, "delivered"))
    places.push(place)
  }
  expect((await limit()).counts.events).toBeGreaterThanOrEqual(8)
  const counts = await Promise.all(places.map(async (place) => (await left(place)).length))
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(100)
  expect(counts.at(-1)).toBe(12)
  expect(Math.min(...counts.slice(0, 4))).toBeGreaterThanOrEqual(20)
})

test("events deleted with their results no longer count before others are dropped", async () => {
  const place = await addWorkspace()
  const ids = await store(place, times(40, "delivered"))
  await pool.query("delete from event_bodies where id = any($1)", [ids.slice(0, 20)])
  expect((await limit()).counts).toEqual({ events: 0, unfinished: 0 })
  expect((await pool.query("select bytes from event_tallies")).rows).toEqual([
    { bytes: 20 * eventBytes },
  ])
})

test("events of a deleted endpoint or workspace still count, and go", async () => {
  const place = await addWorkspace()
  await store(place, times(40, "pending"))
  await pool.query("delete from webhook_endpoints where id = $1", [place.endpointId])
  await pool.query("delete from workspaces where id = $1", [place.id])
  expect((await limit()).counts).toEqual({ events: 17, unfinished: 0 })
})

test("an event is counted when it is handed out, by its length and the number of its deliveries", async () => {
  const place = await addWorkspace()
  const add = (text: string) =>
    pool.query(
      `insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
      values ($1, $2, $3, 'b', 'bot.published', 1, $4)`,
      [newUuid(), newUuid(), place.id, JSON.stringify({ text })],
    )
  const tally = async () =>
    Number((await pool.query("select bytes from event_tallies")).rows[0].bytes)
  await add("")
  await handOut(db, 500)
  const small = await tally()
  await add("ä".repeat(10_000))
  await handOut(db, 500)
  expect((await tally()) - 2 * small).toBe(20_000)
  await pool.query(
    "insert into webhook_endpoints (id, workspace_id, types, expires_at) select 'again', workspace_id, types, expires_at from webhook_endpoints where id = $1",
    [place.endpointId],
  )
  const before = await tally()
  await add("")
  await handOut(db, 500)
  expect((await tally()) - before - small).toBe(1_500)
  const { rows } = await pool.query("select sum(bytes) as bytes from event_bodies")
  expect(Number(rows[0].bytes)).toBe(await tally())
})
