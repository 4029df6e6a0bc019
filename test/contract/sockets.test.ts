/** Holds connections that stay open to their rules: handshakes, signs of life, caps, goodbyes. */
import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { WebSocket } from "ws"
import type { ClientCall, Listener, WebhookCalls } from "../../src/chat/webhooks/webhookCalls.ts"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { createBodyBudget } from "../../src/http/bodies/bodyBudget.ts"
import { listen } from "../../src/http/connections/listen.ts"
import { createConnectionCap, openSockets } from "../../src/http/connections/sockets.ts"
import { createDispatch } from "../../src/http/dispatch.ts"
import { createEventEndpoint } from "../../src/http/pages/eventsEndpoint.ts"
import { createUnread } from "../../src/http/unread.ts"
import { notFound } from "../../src/lib/errors.ts"
import type { Services } from "../../src/routers/context.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { eventually, joinRoom, waitForEvent } from "../support/waiting.ts"
import { startPath, toyRouter } from "./toy.ts"

type Options = {
  perAddress?: number
  pingMs?: number
  heartbeatMs?: number
  trustedProxies?: number
  /** Longest time that a stop may take. */
  stopMs?: number
}

/** A server whose rooms are all there but for `none`. */
async function serve(chosen: Options = {}) {
  const { perAddress = 100, pingMs, heartbeatMs, trustedProxies = 0, stopMs = 2_000 } = chosen
  const listeners = new Set<Listener>()
  const calls: Pick<WebhookCalls, "listen"> = {
    async listen(listener) {
      if (listener.room === "none") throw notFound("Session")
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const log = silentLog()
  const unread = createUnread()
  const cap = createConnectionCap({ address: perAddress })
  const settings = {
    publicUrl: "",
    sites: { siteOf: () => undefined },
    allowedOrigins: [],
    defaultPlan: "FREE",
  } as const
  const services: Partial<Services> = { db: {} as Db, log, settings, limits: new Map() }
  const dispatch = createDispatch({
    router: toyRouter,
    services: services as Services,
    trustedProxies,
    bodies: createBodyBudget(Number.POSITIVE_INFINITY),
    unread,
    maxRequests: Number.POSITIVE_INFINITY,
    endpoints: [
      createEventEndpoint({
        calls,
        publicUrl: settings.publicUrl,
        sessionEvents: { listen: () => () => {} },
        admit: cap,
        ...(heartbeatMs && { heartbeatMs }),
      }),
    ],
    pages: {},
  })
  const { publicUrl } = settings
  const sites = { siteOf: () => undefined }
  const shared = { calls, cap, log, publicUrl, trustedProxies, unread, sites }
  const options = { ...shared, ...(pingMs && { pingMs }) }
  const sockets = openSockets(options)
  const listener = await listen({ dispatch, host: "127.0.0.1", port: 0, sockets })
  const stop = onlyOnce(() => listener.stop(stopMs))
  afterAll(stop)
  const hear = (call: ClientCall) => {
    for (const each of listeners) each.onCall(call)
  }
  return { address: listener.address, port: listener.port ?? 0, listeners, unread, hear, stop }
}

function onlyOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}

/** What a server answers to bytes, to an end or until it closes the connection. */
async function answerTo(port: number, bytes: string, end?: string): Promise<string> {
  const socket = connect(port, "127.0.0.1")
  onTestFinished(() => {
    socket.destroy()
  })
  let answer = ""
  socket.on("data", (data) => {
    answer += data.toString()
  })
  socket.on("error", () => {})
  socket.write(bytes)
  await new Promise<void>((resolve) => {
    socket.once("close", resolve)
    socket.on("data", () => end !== undefined && answer.endsWith(end) && resolve())
  })
  return answer
}

const main = await serve()

const handshake = (path: string, more: string[] = []) =>
  `${[
    `GET ${path} HTTP/1.1`,
    "Host: a",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...more,
  ].join("\r\n")}\r\n\r\n`

describe("handshakes", () => {
  test("the room is the one in the path, encoded or not, with any query", async () => {
    for (const path of ["/parties/main/r1/webhooks?_pk=1", "/parties/main/r1%2Fwebhooks"]) {
      const socket = new WebSocket(main.address.replace("http", "ws") + path)
      await once(socket, "open")
      expect([...main.listeners].map(({ room }) => room)).toEqual(["r1"])
      socket.close()
      await eventually(() => expect(main.listeners.size).toBe(0))
    }
  })

  test("an unknown path and an unknown room are refused with the error document", async () => {
    for (const path of ["/parties/main/r1", "/socket", "/parties/main/none/webhooks"]) {
      const answer = await answerTo(main.port, handshake(path, ["X-Request-Id: mine"]))
      expect(answer).toMatch(/^HTTP\/1.1 404 Not Found\r\n/)
      const body = JSON.parse(answer.split("\r\n\r\n")[1] ?? "")
      expect(body).toMatchObject({ code: "NOT_FOUND", instance: "mine" })
    }
    expect(main.listeners.size).toBe(0)
  })

  test("an invalid handshake is refused, and leaves no listener", async () => {
    const broken = handshake("/parties/main/r1/webhooks").replace("Key: dGhl", "Key: dG hl")
    expect(await answerTo(main.port, broken)).toMatch(/^HTTP\/1.1 400 /)
    await eventually(() => expect(main.listeners.size).toBe(0))
  })

  test("an offer to speak HTTP/2 is declined, and the request answered with its body", async () => {
    const body = '{"message":"hi"}'
    const offer = [
      `POST ${startPath} HTTP/1.1`,
      "Host: a",
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ]
    const answer = await answerTo(main.port, `${offer.join("\r\n")}\r\n\r\n${body}`, "}")
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(answer).toContain('"message":"hi"')
  })
})

describe("signs of life", () => {
  test("events beat, so that proxies keep the connection", async () => {
    const { address } = await serve({ heartbeatMs: 10 })
    const controller = new AbortController()
    const response = await fetch(`${address}/api/v1/sessions/s1/events`, controller)
    const reader = response.body?.getReader()
    let text = ""
    while (!text.includes(":\n\n:\n\n"))
      text += new TextDecoder().decode((await reader?.read())?.value)
    expect(text).toMatch(/^retry: 2000\n\n/)
    controller.abort()
  })

  test("a socket that answers pings stays, one that does not is cut off", async () => {
    const { address, listeners } = await serve({ pingMs: 150 })
    const url = `${address.replace("http", "ws")}/parties/main/r1/webhooks`
    const silent = new WebSocket(url, { autoPong: false })
    onTestFinished(() => silent.terminate())
    const lively = await joinRoom(address, "r1")
    const [code] = await once(silent, "close")
    expect(code).toBe(1006)
    for (let pings = 0; pings < 3; pings++) await once(lively.socket, "ping")
    expect(lively.socket.readyState).toBe(WebSocket.OPEN)
    expect(listeners.size).toBe(1)
  })

  test("clients that say too much are cut off, and what they say is ignored", async () => {
    const { socket, closed } = await joinRoom(main.address, "r1")
    socket.send("hello")
    socket.send("x".repeat(2_000))
    expect(await closed).toBe(1009)
  })
})

describe("clients that talk too much", () => {
  test.each([
    ["messages", (socket: WebSocket) => socket.send("x")],
    ["messages that are no JSON", (socket: WebSocket) => socket.send("{".repeat(500))],
    ["binary messages", (socket: WebSocket) => socket.send(Buffer.alloc(900))],
    ["pings", (socket: WebSocket) => socket.ping()],
    ["pongs", (socket: WebSocket) => socket.pong("x".repeat(125))],
    ["fragments", (socket: WebSocket) => socket.send("", { fin: false })],
  ])("are closed after sending %s", async (_, say) => {
    const { address, listeners } = await serve()
    const { socket, closed } = await joinRoom(address, "r1")
    socket.on("error", () => {})
    for (let count = 0; count < 10_000 && socket.readyState === WebSocket.OPEN; count++) say(socket)
    expect([1006, 1008]).toContain(await closed)
    await eventually(() => expect(listeners.size).toBe(0))
  })

  test("do not lose their connection for a few words", async () => {
    const { address, hear } = await serve()
    const { socket, heard } = await joinRoom(address, "r1")
    for (let count = 0; count < 40; count++) socket.send("hello")
    socket.ping()
    await once(socket, "pong")
    hear({ id: "c1", text: "1" })
    await eventually(() => expect(heard).toEqual(["1"]))
  })
})

describe("clients that do not read", () => {
  test("lose their socket, and nothing is kept for them", async () => {
    const { address, port, listeners, unread, hear } = await serve()
    const silent = connect(port, "127.0.0.1")
    onTestFinished(() => void silent.destroy())
    silent.write(handshake("/parties/main/r1/webhooks"))
    await once(silent, "readable")
    const { heard } = await joinRoom(address, "r1")
    const text = "x".repeat(50_000)
    let calls = 0
    await eventually(() => {
      for (let count = 0; count < 20; count++, calls++) hear({ id: `c${calls}`, text })
      expect(unread.heldBytes).toBeLessThan(2_500_000)
      expect(listeners.size).toBe(1)
    })
    await eventually(() => expect(heard).toHaveLength(calls))
    expect(unread.heldBytes).toBe(0)
  })

  test("give back their streams, also those that wait behind an answer", async () => {
    const { address, port, listeners } = await serve({ perAddress: 3 })
    const socket = connect(port, "127.0.0.1")
    socket.write("GET /api/v1/sessions/s1/events HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3))
    await eventually(() => expect(listeners.size).toBe(3))
    socket.destroy()
    await eventually(() => expect(listeners.size).toBe(0))
    expect((await waitForEvent(address, "s1")).status).toBe(200)
  })
})

describe("caps", () => {
  test("an address may open a limited number of connections of both kinds, and gets them back", async () => {
    const { address, listeners } = await serve({ perAddress: 2, trustedProxies: 1 })
    const from = (ip: string) => ({ "x-forwarded-for": ip })
    const room = await joinRoom(address, "r1", from("9.9.9.9"))
    const waiter = await waitForEvent(address, "s1", from("9.9.9.9"))
    expect(waiter.status).toBe(200)
    const refused = await waitForEvent(address, "s1", from("9.9.9.9"))
    expect(refused.status).toBe(429)
    expect(refused.headers.get("retry-after")).toBe("10")
    await expect(joinRoom(address, "r1", from("9.9.9.9"))).rejects.toThrow("429")
    await joinRoom(address, "r1", from("8.8.8.8"))
    room.socket.close()
    waiter.leave()
    await eventually(() => expect(listeners.size).toBe(1))
    await joinRoom(address, "r1", from("9.9.9.9"))
    await joinRoom(address, "r1", from("9.9.9.9"))
  })

  test("refused ones do not count", async () => {
    const { address } = await serve({ perAddress: 1 })
    for (let count = 0; count < 3; count++) {
      expect((await waitForEvent(address, "none")).status).toBe(404)
      await expect(joinRoom(address, "none")).rejects.toThrow("404")
    }
    expect((await waitForEvent(address, "s1")).status).toBe(200)
  })
})

describe("hearing", () => {
  test("an event has an id and the text, and is the last", async () => {
    const { address, hear } = await serve()
    const waiter = await waitForEvent(address, "s1", { origin: "https://a.example.com" })
    hear({ id: "c1", text: '{"data":{"a":"ä\\n"}}' })
    expect(await waiter.event).toEqual({ id: "c1", data: '{"data":{"a":"ä\\n"}}' })
    expect(waiter.headers.get("connection")).toBe("close")
    expect(waiter.headers.get("cache-control")).toBe("no-store")
  })

  test("a socket hears one call after the other", async () => {
    const { address, hear } = await serve()
    const { heard } = await joinRoom(address, "r1")
    hear({ id: "c1", text: "1" })
    hear({ id: "c2", text: "2" })
    await eventually(() => expect(heard).toEqual(["1", "2"]))
  })
})

describe("goodbyes", () => {
  test("a stop closes sockets, those that do not answer as well", async () => {
    // Longer than this test may take.
    const { address, port, listeners, stop } = await serve({ stopMs: 600_000 })
    const { closed } = await joinRoom(address, "r1")
    const deaf = answerTo(port, handshake("/parties/main/r1/webhooks"))
    await eventually(() => expect(listeners.size).toBe(2))
    await stop()
    expect(await closed).toBe(1001)
    expect(await deaf).toContain("101 Switching Protocols")
  })
})
