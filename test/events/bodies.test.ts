/** The body of an event is stored once for all receivers. */
import { expect, test } from "vitest"
import { newUuid } from "../../src/lib/ids.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { database, deliveriesTo, eventOf, newEndpoint, openDeliveries, server } from "./scene.ts"

const deliveries = openDeliveries()
const { publicId } = await publishBot(server, bot(group("A", ask.text(), ask.text())))

test("twenty endpoints share one body, and each gets it", async () => {
  const peer = await startPeer()
  peer.answers((response) => response.end())
  const types = ["answer.submitted"]
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => newEndpoint(`${peer.url}/${n}`, { types })),
  )
  const words = "w".repeat(100_000)
  await (await chatOver(server, publicId)).say(words)
  await deliveries.runDue()
  const { rows } = await database.pool.query(
    `select (select count(*) from event_bodies)::int as bodies,
      (select count(*) from deliveries)::int as deliveries,
      (select sum(octet_length(body)) from event_bodies)::int as bytes,
      (select coalesce(sum(octet_length(body)), 0) from deliveries)::int as copied`,
  )
  expect(rows[0]).toMatchObject({ bodies: 1, deliveries: 20, copied: 0 })
  expect(rows[0].bytes).toBeLessThan(101_000)
  expect(peer.received).toHaveLength(20)
  for (const received of peer.received) expect(eventOf(received).type).toBe("answer.submitted")
  for (const { path } of made) await server.send("DELETE", path)
})

test("an older delivery with its own body is sent unchanged", async () => {
  const peer = await startPeer()
  peer.answers((response) => response.end())
  const { endpoint, path } = await newEndpoint(peer.url, { types: ["bot.published"] })
  const delivery = { id: newUuid(), eventId: newUuid(), resultId: newUuid(), type: "bot.published" }
  await database.kysely
    .insertInto("deliveries")
    .values({
      ...delivery,
      endpointId: endpoint.id,
      body: '{"from":"before"}',
      nextAt: new Date(0),
    })
    .execute()
  await deliveries.runDue()
  expect(peer.received.map(({ text }) => text)).toEqual(['{"from":"before"}'])
  expect((await deliveriesTo(path)).map(({ state }) => state)).toEqual(["delivered"])
})
