/** Hostile receivers: each is bounded, leads nowhere, and delays no other. */
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { beforeEach, expect, onTestFinished, test } from "vitest"
import { type Answer, json, startPeer } from "../effects/peer.ts"
import { ask, bot, group } from "../support/bots.ts"
import { selfSigned } from "../support/certificate.ts"
import { freePort } from "../support/freePort.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { eventually } from "../support/waiting.ts"
import {
  deliveriesTo,
  eventOf,
  forgetEndpoints,
  letTimePass,
  newEndpoint,
  openDeliveries,
  server,
} from "./scene.ts"

const peer = await startPeer()
const other = await startPeer()
const deliveries = openDeliveries()
const impatient = openDeliveries({ timeoutMs: 200 })
const { publicId } = await publishBot(server, bot(group("A", ask.text())))

const taken = json({ ok: true })
/** Never answers. */
const silent: Answer = () => {}
const only = { types: ["conversation.started"] }

beforeEach(forgetEndpoints)

/** A receiver with an untrusted certificate; it accepts every request. */
async function startTlsReceiver(until: Date): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const receiver = createServer(selfSigned({ until }), (request, response) => {
    received.push(request.url ?? "")
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void receiver.close())
  return { url: `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, received }
}

async function deliverTo(url: string, by = deliveries) {
  const { path } = await newEndpoint(url, only)
  await chatOver(server, publicId)
  await by.runDue()
  const [delivery] = await deliveriesTo(path)
  return delivery
}

test("a receiver that redirects inward leads nowhere", async () => {
  peer.answers((response) => void response.writeHead(307, { location: other.url }).end())
  other.answers(taken)
  expect(await deliverTo(peer.url)).toMatchObject({ state: "pending", status: 307 })
  expect(other.received).toEqual([])
})

test.each([
  "http://127.0.0.2:9/",
  "http://169.254.169.254/latest",
  "http://[::1]:9/",
])("a receiver at the inner address %s is not called", async (url) => {
  const error = expect.stringContaining("The receiver is at an address that must not be called")
  expect(await deliverTo(url)).toMatchObject({ state: "pending", error })
})

test("a receiver that answers 10 MB is read for a kilobyte, and has taken the event", async () => {
  peer.answers((response) => void response.writeHead(200).end("x".repeat(10_000_000)))
  const delivery = await deliverTo(peer.url)
  expect(delivery).toMatchObject({ state: "delivered", status: 200, answer: "x".repeat(1_024) })
})

test("a receiver that answers with a status of its own has not taken the event", async () => {
  peer.answers((response) => void response.writeHead(999, "Gr\u00f6\u00dfe").end("no"))
  expect(await deliverTo(peer.url)).toMatchObject({ state: "pending", status: 999, answer: "no" })
})

test("a receiver that sends bytes that are no text cannot break the log", async () => {
  peer.answers((response) => void response.writeHead(200).end(Buffer.from([0, 0xff, 65, 0])))
  expect(await deliverTo(peer.url)).toMatchObject({ state: "delivered", answer: "\ufffdA" })
})

test("a receiver without TLS is distinguished from a missing one", async () => {
  const unreachable = /^The receiver could not be reached/
  const tls = await deliverTo(peer.url.replace("http:", "https:"))
  expect(tls).toMatchObject({ state: "pending", error: expect.stringMatching(unreachable) })
  expect(tls?.error).toContain("It does not speak TLS as it should")
  const gone = await deliverTo(`http://127.0.0.1:${await freePort()}/`)
  expect(gone?.error).toContain("Its host refuses connections")
})

test.each([
  ["that it signed itself", new Date("2049-01-01"), "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["that has expired", new Date("2021-01-01"), "CERT_HAS_EXPIRED"],
])("a receiver with a certificate %s gets nothing, and the log says why", async (_, until, code) => {
  const { url, received } = await startTlsReceiver(until)
  expect(await deliverTo(url)).toMatchObject({
    state: "pending",
    attempts: 1,
    error: `The receiver could not be reached: Its certificate is not valid (${code})`,
  })
  expect(received).toEqual([])
})

test("a receiver that never answers is given up", async () => {
  peer.answers(silent)
  expect(await deliverTo(peer.url, impatient)).toMatchObject({
    state: "pending",
    attempts: 1,
    error: "The receiver did not answer in time",
  })
})

test("a receiver that answers after the time-out gets the event again, under one id", async () => {
  let release = () => {}
  const late: Answer = (response) => {
    release = () => void response.writeHead(200).end()
  }
  peer.answers(late, taken)
  const { path } = await newEndpoint(peer.url, only)
  await chatOver(server, publicId)
  await impatient.runDue()
  release()
  // On a slow machine the impatient process makes further attempts, whose answers are late as well.
  await eventually(async () => {
    await letTimePass()
    await deliveries.runDue()
    expect(await deliveriesTo(path)).toMatchObject([{ state: "delivered" }])
  })
  const ids = peer.received.map(({ headers }) => headers["webhook-id"])
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(1)
})

test("a receiver that hangs delays no other, and itself only within its slots", async () => {
  peer.answers(silent)
  other.answers(taken)
  const { path } = await newEndpoint(`${peer.url}/hook`)
  await newEndpoint(`${other.url}/hook`)
  const [conversations, events] = [10, 4]
  for (let count = 0; count < conversations; count++) {
    await (await chatOver(server, publicId)).say("Ann")
  }
  const slow = openDeliveries({ timeoutMs: 60_000 })
  const running = slow.runDue()
  await eventually(() => {
    expect(other.received).toHaveLength(conversations * events)
  })
  // One per conversation, and four at a time.
  expect(peer.received).toHaveLength(4)
  expect(peer.received.map((each) => eventOf(each).type)).toEqual(
    peer.received.map(() => "conversation.started"),
  )
  expect(await deliveriesTo(path, "?state=pending")).toHaveLength(conversations * events)
  await slow.stop()
  await running
})
