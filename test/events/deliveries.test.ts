/** Deliveries: signed, in order, repeated until they are taken, whichever process dies. */
import { beforeEach, describe, expect, test } from "vitest"
import { handOut } from "../../src/jobs/deliveries/handOut.ts"
import { type Answer, json, startPeer } from "../effects/peer.ts"
import { ask, bot, group } from "../support/bots.ts"
import { untilLockWaits } from "../support/lockWaits.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { eventually } from "../support/waiting.ts"
import {
  claimDeliveries,
  database,
  deliveriesTo,
  eventOf,
  forgetEndpoints,
  isSignedBy,
  letTimePass,
  newEndpoint,
  openDeliveries,
  outboxOf,
  server,
  warnings,
  workspaceId,
} from "./scene.ts"

const peer = await startPeer()
const other = await startPeer()
const deliveries = openDeliveries()
const { publicId, botId } = await publishBot(
  server,
  bot(group("A", ask.text({ id: "name", saves: "Name" }))),
)

const taken = json({ ok: true })
const status =
  (code: number): Answer =>
  (response) =>
    void response.writeHead(code).end("no")
/** Never answers. */
const silent: Answer = () => {}

beforeEach(forgetEndpoints)

/** A whole conversation: four events. */
async function converse() {
  const { step, say: reply } = await chatOver(server, publicId)
  await reply("Ann")
  return step
}

const whole = ["conversation.started", "answer.submitted", "result.completed", "conversation.ended"]

async function endpointAt(path: string): Promise<Record<string, unknown>> {
  return (await server.send("GET", path)).body.endpoint as Record<string, unknown>
}

describe("a receiver that works", () => {
  test("gets the events of a conversation in order, each as documented", async () => {
    const { path } = await newEndpoint(`${peer.url}/hook`)
    peer.answers(taken)
    const { resultId, sessionId } = await converse()
    await deliveries.runDue()
    const events = peer.received.map(eventOf)
    expect(events.map(({ type }) => type)).toEqual(whole)
    expect(events.map(({ data }) => (data as { sequence: number }).sequence)).toEqual([1, 2, 3, 4])
    const about = { workspaceId, botId, publicId, resultId, sessionId }
    for (const { data } of events) expect(data).toMatchObject(about)
    expect((await deliveriesTo(path)).map(({ type, state }) => [type, state])).toEqual(
      whole.map((type) => [type, "delivered"]),
    )
    expect(await endpointAt(path)).toHaveProperty("lastSuccessAt")
  })

  test("can verify each with its secret, and with no other", async () => {
    const { secret } = await newEndpoint(`${peer.url}/hook`)
    const { secret: another } = await newEndpoint(`${other.url}/hook`)
    peer.answers(taken)
    other.answers(taken)
    await converse()
    await deliveries.runDue()
    expect(peer.received.map((each) => isSignedBy(secret, each))).toEqual(whole.map(() => true))
    expect(peer.received.some((each) => isSignedBy(another, each))).toBe(false)
    const [one] = peer.received
    expect(one?.headers["content-type"]).toBe("application/json")
    expect(Number(one?.headers["webhook-timestamp"])).toBeGreaterThan(Date.now() / 1_000 - 60)
    // The same event has the same id everywhere.
    const ids = (all: typeof peer.received) => all.map(({ headers }) => headers["webhook-id"])
    expect(ids(other.received)).toEqual(ids(peer.received))
  })

  test("can verify with the old and the new secret while it changes them", async () => {
    const { secret, path } = await newEndpoint(`${peer.url}/hook`)
    const { body } = await server.send("POST", `${path}/rotateSecret`)
    peer.answers(taken)
    await converse()
    await deliveries.runDue()
    const [one] = peer.received
    if (!one) throw new Error("Nothing was received")
    expect(String(body.secret)).not.toBe(secret)
    expect([isSignedBy(secret, one), isSignedBy(String(body.secret), one)]).toEqual([true, true])
  })

  test("gets only subscribed events", async () => {
    await newEndpoint(`${peer.url}/hook`, { types: ["conversation.ended"] })
    await newEndpoint(`${other.url}/hook`)
    peer.answers(taken)
    other.answers(taken)
    await converse()
    await deliveries.runDue()
    expect(peer.received.map((each) => eventOf(each).type)).toEqual(["conversation.ended"])
    expect(other.received).toHaveLength(whole.length)
  })
})

describe("a receiver that fails", () => {
  test("gets the events after a failed one, and then that again under the same id", async () => {
    const { path } = await newEndpoint(`${peer.url}/hook`)
    peer.answers(status(500), taken)
    await converse()
    await deliveries.runDue()
    expect(peer.received.map((each) => eventOf(each).type)).toEqual(whole)
    expect(await deliveriesTo(path, "?state=pending")).toMatchObject([
      {
        type: "conversation.started",
        attempts: 1,
        status: 500,
        answer: "no",
        error: "The receiver answered 500",
      },
    ])
    const [first] = peer.received
    await letTimePass()
    await deliveries.runDue()
    expect(peer.received).toHaveLength(5)
    expect(peer.received.at(-1)?.headers["webhook-id"]).toBe(first?.headers["webhook-id"])
    expect(peer.received.at(-1)?.text).toBe(first?.text)
    expect(await deliveriesTo(path, "?state=delivered")).toHaveLength(4)
  })

  test("is tried ten times within three days, ever more seldom, and then no more", async () => {
    const { path } = await newEndpoint(`${peer.url}/hook`, { types: ["conversation.started"] })
    peer.answers(status(503))
    await chatOver(server, publicId)
    const waits: (number | null)[] = []
    for (let attempts = 1; attempts <= 11; attempts++) {
      await deliveries.runDue()
      const { rows } = await database.pool.query(
        `select extract(epoch from next_at - attempted_at)::float8 as seconds
        from deliveries d join event_bodies b on b.id = d.event_id
        where d.type = 'conversation.started' and b.body like $1`,
        [`%${publicId}%`],
      )
      waits.push(rows.at(-1).seconds)
      await letTimePass()
    }
    const hour = 3_600
    const planned = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
    for (const [index, seconds] of planned.entries()) {
      expect(waits[index]).toBeGreaterThan(seconds * 0.89)
      expect(waits[index]).toBeLessThan(seconds * 1.11)
    }
    expect(waits.slice(planned.length)).toEqual([null, null])
    expect(peer.received).toHaveLength(10)
    expect(new Set(peer.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    expect(await deliveriesTo(path)).toMatchObject([{ state: "failed", attempts: 10 }])
  })

  test("is disabled at once when it answers 410, and says why", async () => {
    const { path } = await newEndpoint(`${peer.url}/hook`)
    peer.answers(status(410))
    await converse()
    await deliveries.runDue()
    expect(await endpointAt(path)).toMatchObject({ isEnabled: false, disabledReason: "gone" })
    expect(peer.received.length).toBeLessThan(whole.length)
    expect(warnings).toContain("A webhook endpoint was disabled: it answered 410")
    // Waiting deliveries continue once it is enabled.
    peer.answers(taken)
    await server.send("PATCH", path, { body: { isEnabled: true } })
    await letTimePass()
    await deliveries.runDue()
    expect(peer.received).toHaveLength(whole.length)
    expect(await endpointAt(path)).not.toHaveProperty("disabledReason")
  })

  test("is not disabled by an address that it has left", async () => {
    const { path } = await newEndpoint(`${peer.url}/hook`, { types: ["conversation.started"] })
    peer.answers(async (response) => {
      await server.send("PATCH", path, { body: { url: `${other.url}/hook` } })
      response.writeHead(410).end()
    })
    other.answers(taken)
    await chatOver(server, publicId)
    await deliveries.runDue()
    expect(await endpointAt(path)).toMatchObject({ isEnabled: true, url: `${other.url}/hook` })
    await letTimePass()
    await deliveries.runDue()
    expect(await deliveriesTo(path)).toMatchObject([{ state: "delivered", attempts: 2 }])
  })

  test("is disabled when it has failed for five days, and not a moment before", async () => {
    const { path, endpoint } = await newEndpoint(`${peer.url}/hook`, {
      types: ["conversation.started"],
    })
    peer.answers(status(500))
    await chatOver(server, publicId)
    const failSince = (days: number) =>
      database.pool.query(
        "update webhook_endpoints set failing_since = now() - make_interval(days => $1) where id = $2",
        [days, endpoint.id],
      )
    await failSince(4)
    await deliveries.runDue()
    expect(await endpointAt(path)).toMatchObject({
      isEnabled: true,
      lastFailure: expect.any(String),
    })
    await failSince(5)
    await letTimePass()
    await deliveries.runDue()
    expect(await endpointAt(path)).toMatchObject({ isEnabled: false, disabledReason: "failing" })
    expect(warnings).toContain("A webhook endpoint was disabled: it has failed for five days")
  })

  test("is forgiven for its former address when it moves", async () => {
    const { path, endpoint } = await newEndpoint(`${peer.url}/hook`)
    await database.pool.query(
      "update webhook_endpoints set failing_since = now() - interval '6 days' where id = $1",
      [endpoint.id],
    )
    await server.send("PATCH", path, { body: { url: `${other.url}/hook` } })
    other.answers(status(500))
    await chatOver(server, publicId)
    await deliveries.runDue()
    expect(await endpointAt(path)).toMatchObject({ isEnabled: true })
  })

  test("is forgiven as soon as it takes something", async () => {
    const { path } = await newEndpoint(`${peer.url}/hook`, { types: ["conversation.started"] })
    peer.answers(status(500), taken)
    await chatOver(server, publicId)
    await deliveries.runDue()
    expect(await endpointAt(path)).toHaveProperty("failingSince")
    await letTimePass()
    await deliveries.runDue()
    expect(await endpointAt(path)).not.toHaveProperty("failingSince")
  })
})

describe("processes", () => {
  test("deliveries of a dead process are made by the next", async () => {
    await newEndpoint(peer.url)
    peer.answers(silent)
    const { resultId } = await converse()
    const dying = openDeliveries({ timeoutMs: 60_000 })
    const lost = dying.runDue()
    await eventually(() => expect(peer.received).toHaveLength(1))
    // Written after the last look of the dying one.
    await converse()
    const next = openDeliveries({ processId: "next" })
    await next.runDue()
    expect(peer.received).toHaveLength(1)
    await claimDeliveries("test", "-infinity")
    peer.answers(taken)
    const heir = openDeliveries({ processId: "heir" })
    await heir.runDue()
    const received = peer.received.map(eventOf)
    expect(received.map(({ type }) => type).toSorted()).toEqual([...whole, ...whole].toSorted())
    const first = received.filter(({ data }) => "resultId" in data && data.resultId === resultId)
    expect(first.map(({ type }) => type)).toEqual(whole)
    await dying.stop()
    await lost
  })

  test("two that hand out at once make one delivery of each event", async () => {
    const { endpoint } = await newEndpoint(peer.url)
    await Promise.all([converse(), converse(), converse()])
    const take = () => handOut(database, 5)
    // Those that find everything taken by others look again.
    while ((await outboxOf()).length > 0) await Promise.all([take(), take(), take()])
    const { rows } = await database.pool.query(
      "select count(*)::int as all, count(distinct event_id)::int as events from deliveries where endpoint_id = $1",
      [endpoint.id],
    )
    expect(rows).toEqual([{ all: 12, events: 12 }])
  })

  test("one that stops gives up what hangs, which counts as no attempt", async () => {
    const { path } = await newEndpoint(peer.url, { types: ["conversation.started"] })
    peer.answers(silent)
    await chatOver(server, publicId)
    const stopping = openDeliveries({ timeoutMs: 60_000 })
    const running = stopping.runDue()
    await eventually(() => expect(peer.received).toHaveLength(1))
    await stopping.stop()
    await running
    expect(await deliveriesTo(path)).toMatchObject([{ state: "pending", attempts: 0 }])
  })
})

test("deliveries go with their result, and with their endpoint", async () => {
  const { path, endpoint } = await newEndpoint(peer.url)
  peer.answers(taken)
  const { resultId } = await converse()
  await converse()
  await deliveries.runDue()
  const count = async () => {
    const { rows } = await database.pool.query(
      "select count(*)::int as count from deliveries where endpoint_id = $1",
      [endpoint.id],
    )
    return rows[0].count
  }
  expect(await count()).toBe(8)
  await server.send("DELETE", `/api/v1/bots/${botId}/results?resultIds=${resultId}`)
  expect(await count()).toBe(4)
  await server.send("DELETE", path)
  expect(await count()).toBe(0)
})

test("an endpoint that goes while events are handed out keeps them from no other", async () => {
  const [{ endpoint: gone }, { path }] = [await newEndpoint(peer.url), await newEndpoint(other.url)]
  await converse()
  const beside = database.beside({ poolSize: 4 })
  const client = await beside.pool.connect()
  try {
    await client.query("begin")
    await client.query("delete from webhook_endpoints where id = $1", [gone.id])
    const handing = handOut(database, 100)
    await untilLockWaits(database.pool)
    await client.query("commit")
    await handing
  } finally {
    await client.query("rollback")
    client.release()
    await beside.close()
  }
  expect(await outboxOf()).toEqual([])
  expect(await deliveriesTo(path)).toHaveLength(whole.length)
})

test("calls about an endpoint deleted meanwhile are answered, or refused with a message", async () => {
  const { path } = await newEndpoint(peer.url)
  peer.answers(taken)
  await converse()
  await deliveries.runDue()
  const [delivery] = await deliveriesTo(path)
  const span = { since: "2020-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z" }
  const asked = [
    ["GET", `${path}/deliveries`],
    ["POST", `${path}/deliveries/${delivery?.id}/redeliver`],
    ["POST", `${path}/redeliver`, { body: span }],
    ["POST", `${path}/test`],
    ["POST", `${path}/rotateSecret`],
    ["PATCH", path, { body: { isEnabled: true } }],
  ] as const
  const ask = () => asked.map(([method, at, sent]) => server.send(method, at, sent))
  const meanwhile = [...ask(), server.send("DELETE", path), ...ask()]
  for (const { status: code, body } of await Promise.all(meanwhile)) {
    // Of two concurrent rotations one is refused as second.
    expect([200, 404, 409], JSON.stringify(body)).toContain(code)
  }
  for (const { status: code, body } of await Promise.all(ask())) {
    expect(code).toBe(404)
    expect(body).toMatchObject({ code: "NOT_FOUND", message: "Webhook endpoint not found" })
  }
  const { body: log } = await server.send("GET", `/api/v1/workspaces/${workspaceId}/auditLog`)
  const operations = (log.entries as { operation: string }[]).map(({ operation }) => operation)
  expect(operations).toContain("deleteWebhookEndpoint")
})
