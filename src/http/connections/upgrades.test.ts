/** Offers of other protocols are declined without a trace, also again and again on one connection. */
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeEach, expect, test } from "vitest"
import { eventually, openLatch } from "../../../test/support/waiting.ts"
import { openConnections } from "./connections.ts"
import { answerUnreadable } from "./unreadable.ts"
import { takeUpgrades } from "./upgrades.ts"

const sockets: Socket[] = []
const server = createServer({ keepAliveTimeout: 10_000 })
let slow = openLatch()
beforeEach(() => {
  slow = openLatch()
})
const connections = openConnections(server, async (request, response) => {
  request.resume().on("end", async () => {
    if (request.url === "/slow") await slow.isOpen
    response.end(`<${request.url}>`)
  })
})
server.on("connection", (socket) => sockets.push(socket))
answerUnreadable(server, connections)
takeUpgrades(server, connections, { accept: (): void => {} })
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const offer = (path: string) =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: a",
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABk",
    "Content-Length: 2",
    "\r\nhi",
  ].join("\r\n")

async function open(): Promise<{ client: Socket; answers: () => string[]; socket: Socket }> {
  const client = connect(port, "127.0.0.1")
  let text = ""
  client.on("data", (bytes) => {
    text += bytes.toString()
  })
  const before = sockets.length
  await eventually(() => expect(sockets.length).toBeGreaterThan(before))
  const socket = sockets.at(-1)
  if (!socket) throw new Error("There is no connection")
  return { client, answers: () => text.match(/<[^>]+>/g) ?? [], socket }
}

const listenersOf = (socket: Socket) =>
  socket.eventNames().map((name) => [name, socket.listenerCount(name)])

test("an offer that is declined leaves no listeners, however often it comes", async () => {
  const { client, answers, socket } = await open()
  client.write(offer("/0"))
  await eventually(() => expect(answers()).toHaveLength(1))
  const once = listenersOf(socket)
  for (let count = 1; count <= 30; count++) {
    client.write(offer(`/${count}`))
    await eventually(() => expect(answers()).toHaveLength(count + 1))
  }
  expect(listenersOf(socket)).toEqual(once)
  client.destroy()
})

test("offers that do not wait for the answer before are answered in order", async () => {
  const { client, answers, socket } = await open()
  const plain = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
  client.write(plain + offer("/a") + offer("/b") + plain.replace("slow", "c"))
  await eventually(() => expect(socket.listenerCount("data")).toBe(0))
  slow.open()
  await eventually(() => expect(answers()).toEqual(["</slow>", "</a>", "</b>", "</c>"]))
  client.destroy()
})

test("a connection that breaks while an offer waits breaks nothing else", async () => {
  const { client, answers, socket } = await open()
  client.write(`GET /slow HTTP/1.1\r\nHost: a\r\n\r\n${offer("/a")}`)
  await eventually(() => expect(socket.listenerCount("data")).toBe(0))
  socket.destroy(new Error("The connection broke"))
  await eventually(() => expect(client.destroyed).toBe(true))
  expect(answers()).toEqual([])
  const other = await open()
  other.client.write(offer("/b"))
  await eventually(() => expect(other.answers()).toEqual(["</b>"]))
  other.client.destroy()
})
