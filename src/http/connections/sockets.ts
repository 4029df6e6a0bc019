/** Sends webhook calls to the clients of waiting chats, over WebSockets (RFC 6455). */
import { once } from "node:events"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { type WebSocket, WebSocketServer } from "ws"
import type { Listener, WebhookCalls } from "../../chat/webhooks/webhookCalls.ts"
import { createCap } from "../../lib/caps.ts"
import { AppError, tooManyRequests } from "../../lib/errors.ts"
import { networkOf } from "../../lib/party.ts"
import { knownOrigin } from "../../people/sessionCookie.ts"
import { describeRefusal } from "../../routers/refusal.ts"
import type { Log } from "../../telemetry/log.ts"
import type { ByteBudget } from "../byteBudget.ts"
import { addressOf, headerOf, requestIdOf } from "../exchange.ts"
import type { Sites } from "../sites.ts"
import { rawResponse } from "./unreadable.ts"

/** A request to upgrade its connection. */
export type Upgrade = { request: IncomingMessage; socket: Duplex; head: Buffer }

export type Sockets = ReturnType<typeof openSockets>

/** Counts a connection of an address, or refuses it with 429. Returns a function that releases it. */
export type ConnectionCap = (ip: string) => () => void

type SocketOptions = {
  calls: Pick<WebhookCalls, "listen">
  cap: ConnectionCap
  log: Log
  publicUrl: string
  /** Domains of bots, at which there are no sockets: pages there follow streams. */
  sites: Pick<Sites, "siteOf">
  /** How many proxies in front append to X-Forwarded-For. */
  trustedProxies: number
  /** Bytes that wait for their readers in this process. */
  unread: ByteBudget
  /** Time between two pings, 30 seconds by default; a client that missed the last one is cut off. */
  pingMs?: number
}

/** The path that embedded chats connect to; the room is a result id or a session id. */
const roomPath = /^\/parties\/main\/([^/]+)\/webhooks\/?$/

// Clients have nothing to send.
const maxMessageBytes = 1_024
/** Max bytes of a client between two pings, frames of every kind included; a pong has up to 131. */
const maxBytesBetweenPings = 8_192
/** Max messages and pings of a client between two pings. */
const maxFramesBetweenPings = 50
const closeMs = 500
/** A client for which so much waits unsent has stopped reading. */
const maxBufferedBytes = 65_536
/** Close codes of RFC 6455, 7.4.1. */
const goingAway = 1001
const policyViolation = 1008

export function openSockets(options: SocketOptions) {
  const { pingMs = 30_000 } = options
  const server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes })
  const pending = new Set<Duplex>()
  const alive = new WeakSet<WebSocket>()
  const talk = new WeakMap<WebSocket, Talk>()
  const heartbeat = setInterval(() => {
    pingAll(server, alive)
    for (const client of server.clients) talk.set(client, { bytes: 0, frames: 0 })
  }, pingMs).unref()
  let isClosed = false

  const accept = async ({ request, socket, head }: Upgrade) => {
    if (await options.sites.siteOf(request)) throw new AppError("NOT_FOUND", "No sockets here")
    const client: { socket?: WebSocket } = {}
    const listener = listenerOf(request, client, options)
    const release = options.cap(addressOf(request, options.trustedProxies))
    socket.once("close", release)
    const stop = await options.calls.listen(listener)
    socket.once("close", stop)
    if (isClosed || socket.destroyed) {
      stop()
      socket.destroy()
      return
    }
    server.handleUpgrade(request, socket, head, (opened) => {
      client.socket = opened
      alive.add(opened)
      opened.on("pong", () => alive.add(opened))
      boundTalk(opened, socket, talk)
      // An unhandled error would end the process; `ws` closes the connection itself.
      opened.on("error", () => {})
    })
  }

  return {
    /** Takes over a connection, or refuses and closes it; never throws. */
    accept(upgrade: Upgrade) {
      const { socket } = upgrade
      pending.add(socket)
      socket.on("error", () => socket.destroy())
      socket.once("close", () => pending.delete(socket))
      accept(upgrade)
        .catch((error) => refuse(options.log, upgrade, error))
        .finally(() => pending.delete(socket))
    },
    /** Sends close frames, and cuts connections that are still open after a moment. */
    async close() {
      isClosed = true
      clearInterval(heartbeat)
      for (const socket of pending) socket.destroy()
      for (const client of server.clients) client.close(goingAway)
      await closedOrCut(server)
    },
  }
}

/** Traffic of a client since the last ping. */
type Talk = { bytes: number; frames: number }

/** Closes a client that sends too much. Counts bytes, because fragments and pongs are no messages. */
function boundTalk(client: WebSocket, socket: Duplex, talk: WeakMap<WebSocket, Talk>): void {
  talk.set(client, { bytes: 0, frames: 0 })
  const count = (bytes: number, frames: number) => {
    const said = talk.get(client)
    if (said === undefined) return
    said.bytes += bytes
    said.frames += frames
    // A closing client may continue until it answers, but not forever.
    if (said.bytes > 2 * maxBytesBetweenPings) client.terminate()
    else if (said.bytes > maxBytesBetweenPings || said.frames > maxFramesBetweenPings) {
      client.close(policyViolation, "Too many messages")
    }
  }
  socket.on("data", (part: Buffer) => count(part.length, 0))
  client.on("message", () => count(0, 1))
  client.on("ping", () => count(0, 1))
}

function listenerOf(
  request: IncomingMessage,
  client: { socket?: WebSocket },
  {
    unread,
    trustedProxies,
    ...place
  }: Pick<SocketOptions, "unread" | "trustedProxies" | "publicUrl">,
): Listener {
  const ip = addressOf(request, trustedProxies)
  const [origin, host] = ["origin", "host"].map((name) => headerOf(request, name))
  return {
    room: roomOf(request.url ?? "/"),
    // Embeds of live chats know their room only by the result id.
    takesResultId: true,
    origin: knownOrigin(place, { origin, host }),
    onlyBots: undefined,
    onCall: ({ text }) => {
      if (client.socket) send(client.socket, text, { unread, ip })
    },
    onEnd: () => client.socket?.close(goingAway),
  }
}

/** Cuts off a client with unread messages, or of an address that reads too little. */
function send(
  socket: WebSocket,
  text: string,
  { unread, ip }: { unread: ByteBudget; ip: string },
): void {
  const bytes = Buffer.byteLength(text)
  try {
    if (unread.heldBytes > 0) unread.requireRoom(ip, bytes)
    if (socket.bufferedAmount > maxBufferedBytes) throw new Error("It does not read")
    unread.add(ip, bytes)
    socket.send(text, () => unread.add(ip, -bytes))
  } catch {
    socket.terminate()
  }
}

function roomOf(target: string): string {
  const [path = ""] = target.split("?")
  // Some clients encode the slash in the name of the room.
  const room = roomPath.exec(path.replace(/%2f/gi, "/"))?.[1]
  if (room === undefined) throw new AppError("NOT_FOUND", "Unknown path or method")
  return room
}

function pingAll(server: WebSocketServer, alive: WeakSet<WebSocket>): void {
  for (const client of server.clients) {
    if (!alive.delete(client)) client.terminate()
    else client.ping()
  }
}

async function closedOrCut(server: WebSocketServer): Promise<void> {
  const timer = setTimeout(() => {
    for (const client of server.clients) client.terminate()
  }, closeMs)
  await Promise.all([...server.clients].map((client) => once(client, "close")))
  clearTimeout(timer)
}

/** Answers over HTTP, because the connection has not been upgraded yet. */
function refuse(log: Log, { request, socket }: Upgrade, error: unknown): void {
  const refusal = describeRefusal(error)
  if (refusal.status >= 500) log.warn({ err: error }, "A socket could not be opened")
  socket.end(rawResponse(refusal, requestIdOf(request)), () => socket.destroy())
}

/** Makes the cap of one process. */
export function createConnectionCap(each?: { address: number }): ConnectionCap {
  const admit = createCap("streams", { ...(each && { each }) })
  return (ip) => {
    return admit({ address: networkOf(ip) }, () => {
      const reason = "Too many open streams; close unused ones"
      return tooManyRequests("openStreams", reason, 10)
    })
  }
}
