/** Webhook endpoints: what their operations take, answer and keep, and listening without one. */
import { beforeEach, describe, expect, test, vi } from "vitest"
import { forwardEvents } from "../../src/cli/listen.ts"
import { createParleyClient } from "../../src/client.ts"
import { newEndpointSecret } from "../../src/effects/webhooks/webhookSignature.ts"
import { type Answer, json, startPeer } from "../effects/peer.ts"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { eventually } from "../support/waiting.ts"
import {
  allTypes,
  database,
  type Endpoint,
  endpointsPath,
  eventOf,
  forgetEndpoints,
  isSignedBy,
  newEndpoint,
  openDeliveries,
  operatorSecret,
  outboxOf,
  server,
  workspaceId,
} from "./scene.ts"

const peer = await startPeer()
const deliveries = openDeliveries()
const { publicId, botId } = await publishBot(server, bot(group("A", ask.text({ saves: "Name" }))))
const taken = json({ ok: true })

beforeEach(forgetEndpoints)

async function send(method: string, path: string, body?: object) {
  return await server.send(method, path, body && { body })
}

describe("an endpoint", () => {
  test("shows its secret once, and keeps it encrypted", async () => {
    const { endpoint, secret, path } = await newEndpoint(peer.url, {
      botIds: [botId],
      description: "Mine",
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(endpoint).toMatchObject({
      url: peer.url,
      types: allTypes,
      botIds: [botId],
      description: "Mine",
      isEnabled: true,
    })
    const { body } = await send("GET", path)
    expect(body.endpoint).toEqual(endpoint)
    expect((await send("GET", endpointsPath)).body.endpoints).toEqual([endpoint])
    const { rows } = await database.pool.query("select t::text as text from webhook_endpoints t")
    expect(rows[0].text).not.toContain(secret)
    const hex = Buffer.from(secret).toString("hex")
    expect(rows[0].text).not.toContain(hex)
  })

  test.each([
    "http://10.1.2.3/hook",
    "http://[::1]:9/hook",
    "http://192.168.0.9/hook",
    "http://metadata.google.internal/hook",
  ])("at a private address is kept with a warning: %s", async (url) => {
    const made = await send("POST", endpointsPath, { url, types: allTypes })
    const warning = expect.stringMatching(/not a public one.*PARLEY_ALLOW_HOSTS/)
    expect(made).toMatchObject({ status: 200, body: { endpoint: { url }, warning } })
    const { path } = await newEndpoint(peer.url)
    expect((await send("PATCH", path, { url })).body).toMatchObject({ endpoint: { url }, warning })
    // Neither an allowed address nor another change causes one.
    expect((await send("PATCH", path, { url: peer.url })).body).not.toHaveProperty("warning")
    expect((await send("PATCH", path, { description: "x" })).body).not.toHaveProperty("warning")
  })

  test("is changed member by member, and deleted", async () => {
    const { path, endpoint } = await newEndpoint(peer.url, { botIds: [botId] })
    const changed = await send("PATCH", path, { types: ["bot.published"], botIds: null })
    const { botIds, ...rest } = endpoint
    expect(botIds).toEqual([botId])
    expect(changed.body.endpoint).toEqual({
      ...rest,
      types: ["bot.published"],
      updatedAt: expect.any(String),
    })
    expect((await send("DELETE", path)).status).toBe(200)
    expect((await send("GET", path)).status).toBe(404)
    expect((await send("GET", endpointsPath)).body.endpoints).toEqual([])
  })

  test.each([
    ["an address that is none", { url: "ftp://example.com" }],
    ["a password in the address", { url: "https://a:b@example.com" }],
    ["no type", { types: [] }],
    ["an unknown type", { types: ["conversation.begun"] }],
    ["a bot that the workspace does not have", { botIds: ["other"] }],
  ])("is refused with %s", async (_, parts) => {
    const body = { url: peer.url, types: allTypes, ...parts }
    expect((await send("POST", endpointsPath, body)).status).toBe(400)
    const { path } = await newEndpoint(peer.url)
    expect((await send("PATCH", path, parts)).status).toBe(400)
  })

  test("is tested by one signed ping, with any answer", async () => {
    const { path, secret, endpoint } = await newEndpoint(peer.url)
    peer.answers(json({ hello: 1 }, 418))
    const { body } = await send("POST", `${path}/test`)
    expect(body.outcome).toEqual({
      status: 418,
      durationMs: expect.any(Number),
      answer: '{"hello":1}',
      error: "The receiver answered 418",
    })
    const [ping] = peer.received
    if (!ping) throw new Error("Nothing was received")
    expect(isSignedBy(secret, ping)).toBe(true)
    expect(eventOf(ping)).toMatchObject({ type: "ping", data: { endpointId: endpoint.id } })
    expect((await send("GET", `${path}/deliveries`)).body.deliveries).toEqual([])
  })

  test("signs with a rotated secret, and with the one before for a day", async () => {
    const { path, secret } = await newEndpoint(peer.url)
    peer.answers(taken)
    const rotate = async () => String((await send("POST", `${path}/rotateSecret`)).body.secret)
    const second = await rotate()
    const third = await rotate()
    const signers = async () => {
      await send("POST", `${path}/test`)
      const ping = peer.received.at(-1)
      return [secret, second, third].map((each) => ping && isSignedBy(each, ping))
    }
    expect(await signers()).toEqual([false, true, true])
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 3_600_000 })
    expect(await signers()).toEqual([false, false, true])
    vi.useRealTimers()
  })

  test("returns only valid secrets for two concurrent rotations", async () => {
    for (let round = 0; round < 10; round++) {
      const { path } = await newEndpoint(peer.url)
      peer.answers(taken)
      const rotate = () => send("POST", `${path}/rotateSecret`)
      const rotations = await Promise.all([rotate(), rotate()])
      const given = rotations.filter(({ status }) => status === 200)
      await send("POST", `${path}/test`)
      const ping = peer.received.at(-1)
      for (const { body } of given) expect(ping && isSignedBy(String(body.secret), ping)).toBe(true)
      expect(given.length).toBeGreaterThan(0)
      await forgetEndpoints()
    }
  })
})

describe("deliveries", () => {
  async function deliverThree() {
    const made = await newEndpoint(peer.url, { types: ["conversation.started"] })
    peer.answers(taken)
    for (let count = 0; count < 3; count++) await chatOver(server, publicId)
    await deliveries.runDue()
    return made
  }

  const listOf = async (path: string, query = "") => {
    const { body } = await send("GET", `${path}/deliveries${query}`)
    const all = body.deliveries as { id: string; eventId: string; createdAt: string }[]
    return { all, nextCursor: body.nextCursor as string | undefined }
  }

  test("are listed newest first, page by page", async () => {
    const { path } = await deliverThree()
    const { all } = await listOf(path)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    const first = await listOf(path, "?limit=2")
    const second = await listOf(path, `?limit=2&cursor=${first.nextCursor}`)
    expect([...first.all, ...second.all]).toEqual(all)
    expect(second.nextCursor).toBeUndefined()
    expect((await listOf(path, "?state=failed")).all).toEqual([])
    expect((await send("GET", `${path}/deliveries?cursor=x`)).status).toBe(400)
  })

  test("are made again on request, one or all of a time, under the same ids", async () => {
    const { path } = await deliverThree()
    const { all } = await listOf(path)
    const [newest, , oldest] = all
    peer.received.length = 0
    await send("POST", `${path}/deliveries/${newest?.id}/redeliver`)
    await deliveries.runDue()
    expect(peer.received.map(({ headers }) => headers["webhook-id"])).toEqual([newest?.eventId])
    const since = new Date(Date.parse(oldest?.createdAt ?? "") - 60_000).toISOString()
    const until = new Date(Date.now() + 60_000).toISOString()
    const asked = await send("POST", `${path}/redeliver`, { since, until })
    expect(asked.body).toEqual({ count: 3 })
    await deliveries.runDue()
    expect(peer.received).toHaveLength(4)
    const none = await send("POST", `${path}/redeliver`, { since: until, until: since })
    expect(none.status).toBe(400)
  })

  test("are not made again while the endpoint is disabled, nor when there is none", async () => {
    const { path } = await deliverThree()
    const { all } = await listOf(path)
    expect((await send("POST", `${path}/deliveries/none/redeliver`)).status).toBe(404)
    await send("PATCH", path, { isEnabled: false })
    const again = await send("POST", `${path}/deliveries/${all[0]?.id}/redeliver`)
    expect(again).toMatchObject({ status: 400, body: { message: /disabled/ } })
  })
})

describe("listening without an endpoint", () => {
  const path = `/api/v1/workspaces/${workspaceId}/webhookEvents`

  type Fetched = { listenerId: string; events: { id: string; event: { type: string } }[] }

  const fetchAs = async (listenerId?: string, fetched: string[] = []) =>
    (await send("POST", path, { listenerId, fetched })).body as unknown as Fetched

  test("gives what happened since the first call, until it is said to be fetched", async () => {
    const { listenerId } = await fetchAs()
    const { say: reply } = await chatOver(server, publicId)
    await reply("Ann")
    await deliveries.runDue()
    const { events } = await fetchAs(listenerId)
    expect(events.map(({ event }) => event.type)).toEqual([
      "conversation.started",
      "answer.submitted",
      "result.completed",
      "conversation.ended",
    ])
    expect((await fetchAs(listenerId)).events).toEqual(events)
    const ids = events.map(({ id }) => id)
    expect((await fetchAs(listenerId, ids)).events).toEqual([])
    expect((await send("GET", endpointsPath)).body.endpoints as Endpoint[]).toEqual([])
  })

  test("ends by itself, and then nothing is written any more", async () => {
    const { listenerId } = await fetchAs()
    await database.pool.query("update webhook_endpoints set expires_at = now()")
    expect((await fetchAs(listenerId)).listenerId).not.toBe(listenerId)
    await database.pool.query("update webhook_endpoints set expires_at = now()")
    // Another endpoint comes and goes, so that the service looks.
    const { path: another } = await newEndpoint(peer.url)
    await send("DELETE", another)
    const { step } = await chatOver(server, publicId)
    expect(await outboxOf(step.resultId)).toEqual([])
  })

  test("`parley listen` forwards them in order, signed with the secret that it names", async () => {
    const client = createParleyClient({ url: server.address, token: server.token })
    const stopping = new AbortController()
    const lines: string[] = []
    const secret = newEndpointSecret()
    const refuses: Answer = (response) => void response.writeHead(500).end()
    peer.answers(taken, refuses, taken)
    const onListening = vi.fn()
    const running = forwardEvents(client, {
      forward: `${peer.url}/local`,
      secret,
      wanted: { workspaceId, botIds: [botId] },
      onListening,
      report: (line) => lines.push(line),
      signal: stopping.signal,
      everyMs: 20,
    })
    await eventually(() => expect(onListening).toHaveBeenCalledOnce())
    const { say: reply } = await chatOver(server, publicId)
    await reply("Ann")
    await deliveries.runDue()
    await eventually(() => expect(lines).toHaveLength(4))
    stopping.abort()
    await running
    expect(peer.received.map((each) => [each.path, isSignedBy(secret, each)])).toEqual(
      lines.map(() => ["/local", true]),
    )
    expect(
      lines.map((line) => line.split(" ").filter((_, index) => index !== 2 && index > 0)),
    ).toEqual([
      ["conversation.started", "200"],
      ["answer.submitted", "500"],
      ["result.completed", "200"],
      ["conversation.ended", "200"],
    ])
  })

  test("`parley listen` waits for a service that restarts, but not for one that refuses", async () => {
    let calls = 0
    const busy = () => Response.json({ message: "A proxy" }, { status: 502 })
    const client = createParleyClient({
      url: server.address,
      token: () => (calls > 6 ? "none" : server.token),
      fetch: async (...request) => {
        calls += 1
        if (calls === 3) throw new Error("refused")
        return calls === 4 ? busy() : await fetch(...request)
      },
    })
    peer.answers(taken)
    const running = forwardEvents(client, {
      forward: peer.url,
      secret: newEndpointSecret(),
      wanted: { workspaceId, botIds: [botId], types: ["conversation.started"] },
      onListening: () => {},
      report: () => {},
      signal: new AbortController().signal,
      everyMs: 20,
    })
    await expect(running).rejects.toThrow("The API token is not valid")
    expect(calls).toBeGreaterThan(6)
  })
})

test("a secret that an older one of the operator encrypts is encrypted anew when it signs", async () => {
  const { secret, endpoint } = await newEndpoint(peer.url, { types: ["conversation.started"] })
  peer.answers(taken)
  const keyOf = async () => {
    const { rows } = await database.pool.query(
      "select key_id from webhook_endpoints where id = $1",
      [endpoint.id],
    )
    return rows[0].key_id
  }
  const before = await keyOf()
  await chatOver(server, publicId)
  await openDeliveries({ secrets: ["a newer secret of the operator", operatorSecret] }).runDue()
  expect(await keyOf()).not.toBe(before)
  expect(peer.received.map((each) => isSignedBy(secret, each))).toEqual([true])
})
