/** Bodies that never end fill no memory, and nobody works for a caller that has gone. */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, afterEach, expect, test, vi } from "vitest"
import { createBodyBudget } from "../../src/http/bodies/bodyBudget.ts"
import { refuseBody } from "../../src/http/bodies/refuseBody.ts"
import { openExchange } from "../../src/http/exchange.ts"
import { createUnread } from "../../src/http/unread.ts"
import { caps } from "../../src/lib/shares.ts"
import { happenings, json, send, serveToy, startPath } from "../contract/toy.ts"
import { eventually } from "../support/waiting.ts"

const kilobyte = 1_024
const bodies = createBodyBudget(400 * kilobyte)
const toy = await serveToy({ bodies, trustedProxies: 1 })
afterAll(() => toy.stop(100))

const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await eventually(() => expect(bodies.heldBytes()).toBe(0))
})

const restPath = "/api/v1/bots/b/preview/startChat"
const rpcPath = "/api/trpc/chat.preview"

type Body = { path?: string; from?: string; announced: number; sent: string; headers?: string[] }

/** Sends the beginning of a body. */
async function begin({ path = restPath, from = "10.0.0.1", announced, sent, headers = [] }: Body) {
  const socket = connect(toy.port ?? 0, "127.0.0.1")
  open.push(socket)
  let answer = ""
  socket.on("data", (bytes) => {
    answer += bytes.toString()
  })
  socket.on("error", () => {})
  await once(socket, "connect")
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: a",
    `X-Forwarded-For: ${from}`,
    "Content-Type: application/json",
    `Content-Length: ${announced}`,
    ...headers,
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${sent}`)
  return { socket, answer: () => answer }
}

const half = "x".repeat(50 * kilobyte)

/** Fills the share of an address. */
async function hog(from: string) {
  await begin({ from, announced: 60 * kilobyte, sent: half })
  await begin({ from, announced: 38 * kilobyte, sent: "x" })
}

const large = json(JSON.stringify({ pad: "x".repeat(60 * kilobyte) }))
const from = (ip: string, init: RequestInit) => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), "x-forwarded-for": ip },
})

test.each([
  restPath,
  rpcPath,
])("an address that holds its share is refused more, others are served: %s", async (path) => {
  await hog("10.0.0.1")
  await eventually(() => expect(bodies.heldBytes()).toBe(98 * kilobyte))
  const refused = await send("POST", toy.address + path, from("10.0.0.1", large))
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
  const code = "SERVICE_UNAVAILABLE"
  const message = "Too many request bodies from this address are under way"
  // Each in the form that its callers read.
  expect(refused.body).toMatchObject(
    path === rpcPath ? { error: { json: { message, data: { code } } } } : { code, message },
  )
  const served = await send("POST", toy.address + restPath, from("10.0.0.2", large))
  expect(served.status).toBe(200)
  const small = await send("POST", toy.address + startPath, from("10.0.0.1", json("{}")))
  expect(small.status).toBe(200)
})

test("many addresses leave room for others, and small bodies are always taken", async () => {
  const hogs = Array.from({ length: 9 }, (_, n) => `10.0.0.${n + 10}`)
  for (const each of hogs) await begin({ from: each, announced: 60 * kilobyte, sent: half })
  await eventually(() => expect(bodies.heldBytes()).toBe(300 * kilobyte))
  const refused = await send("POST", toy.address + restPath, from("10.0.0.9", large))
  const { message } = refused.body
  expect([refused.status, message]).toEqual([503, "Too many request bodies are under way"])
  const medium = json(JSON.stringify({ pad: "x".repeat(20 * kilobyte) }))
  const taken = await send("POST", toy.address + restPath, from("10.0.0.8", medium))
  expect(taken.status).toBe(200)
  const body = json(JSON.stringify({ message: "hello" }))
  const small = await send("POST", toy.address + startPath, from("10.0.0.9", body))
  expect(small.status).toBe(200)
})

test.each([
  restPath,
  rpcPath,
  // With this header the adapter of @trpc/server answers.
  `${rpcPath} trpc-accept`,
])("a body that grows over the share is refused while it comes: %s", async (asked) => {
  const [path = "", header] = asked.split(" ")
  const headers = [
    "Transfer-Encoding: chunked",
    ...(header ? [`${header}: application/jsonl`] : []),
  ]
  const socket = connect(toy.port ?? 0, "127.0.0.1")
  open.push(socket)
  let answer = ""
  socket
    .on("error", () => {})
    .on("data", (bytes) => {
      answer += bytes.toString()
    })
  const head = ["Host: a", "Content-Type: application/json", ...headers].join("\r\n")
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
  // One byte at a time: what that costs beside the byte is counted.
  socket.write("1\r\nx\r\n".repeat(1_000))
  await eventually(() => expect(answer).toMatch(/^HTTP\/1.1 503 /))
  expect(answer.toLowerCase()).toContain("retry-after: 1")
})

/** Sends a head that announces chunks, and then whatever is written. */
async function beginChunks(port: number, path = restPath, method = "POST") {
  const socket = connect(port, "127.0.0.1")
  open.push(socket)
  let answer = ""
  socket
    .on("error", () => {})
    .on("data", (bytes) => {
      answer += bytes.toString()
    })
  const head = ["Host: a", "Content-Type: application/json", "Transfer-Encoding: chunked"]
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`)
  return { socket, answer: () => answer }
}

const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

test.each([
  restPath,
  rpcPath,
])("what a body holds is looked at once it is complete, not while it comes: %s", async (path) => {
  const { socket, answer } = await beginChunks(toy.port ?? 0, path)
  const text = `[${"0,".repeat(10_000)}`
  socket.write(chunkOf(text))
  await eventually(() => expect(bodies.heldBytes()).toBeGreaterThanOrEqual(text.length))
  // Parts cost 256 bytes each, the values would take 640 kB, which is more than there is.
  expect(bodies.heldBytes()).toBeLessThan(text.length + 4_096)
  expect(answer()).toBe("")
  socket.write(`${chunkOf("0]")}0\r\n\r\n`)
  await eventually(() => expect(answer()).toMatch(/^HTTP\/1.1 503 /))
})

test("only as many large bodies without a length are read at once as could all be held", async () => {
  const megabyte = 1024 * kilobyte
  const budget = createBodyBudget(52 * megabyte)
  const roomy = await serveToy({ bodies: budget })
  try {
    const all = await Promise.all(Array.from({ length: 20 }, () => beginChunks(roomy.port ?? 0)))
    for (const { socket } of all) socket.write(chunkOf(half))
    // A quarter of the room is for one address, and each may become 4 MB.
    await eventually(() => {
      const refused = all.filter(({ answer }) => answer().startsWith("HTTP/1.1 503 "))
      expect(refused).toHaveLength(17)
      expect(budget.heldBytes()).toBe(3 * 4 * megabyte)
    })
    for (const { socket } of all) socket.destroy()
    await eventually(() => expect(budget.heldBytes()).toBe(0))
  } finally {
    await roomy.stop(100)
  }
})

test.each([
  ["POST", restPath],
  ["POST", rpcPath],
])("a body in very many tiny parts is refused: %s %s", async (method, path) => {
  const roomy = await serveToy()
  try {
    const few = await beginChunks(roomy.port ?? 0, path, method)
    few.socket.write(`${chunkOf(" ").repeat(990)}${chunkOf("{}")}0\r\n\r\n`)
    await eventually(() => expect(few.answer()).toMatch(/^HTTP/))
    expect(few.answer()).not.toContain("PAYLOAD_TOO_LARGE")
    const many = await beginChunks(roomy.port ?? 0, path, method)
    many.socket.write(chunkOf(" ").repeat(1_010))
    await eventually(() => expect(many.answer()).toMatch(/^HTTP\/1.1 413 /))
    expect(many.answer()).toContain("The body comes in too many small parts")
    // The connection ends with the answer: nothing more is read, which would take as long again.
    expect(many.answer()).toMatch(/\r\nconnection: close\r\n/i)
  } finally {
    await roomy.stop(100)
  }
})

test("nothing is kept of an unread body, however many others are discarded", async () => {
  const budget = createBodyBudget(400 * kilobyte)
  for (let drains = 0; drains < 8; drains++) budget.open("10.0.0.1").drain()
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const budgets = { bodies: budget, unread: createUnread() }
    refuseBody(openExchange(request, response, { trustedProxies: 0, ...budgets }))
    seen.push(request)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const { socket } = await beginChunks((server.address() as AddressInfo).port, "/", "GET")
    socket.write(chunkOf(" ").repeat(20_000))
    await eventually(() => expect(seen[0]?.destroyed).toBe(true))
    expect(seen.map(({ readableLength }) => readableLength)).toEqual([0])
  } finally {
    server.close()
  }
})

test.each([
  restPath,
  rpcPath,
])("a body that is too long for what is left is not read at all: %s", async (path) => {
  await begin({ announced: 90 * kilobyte, sent: "x" })
  await eventually(() => expect(bodies.heldBytes()).toBe(90 * kilobyte))
  const { socket, answer } = await begin({ path, announced: 20 * kilobyte, sent: "x" })
  await once(socket, "close")
  expect(answer()).toMatch(/^HTTP\/1.1 503 /)
  expect(answer().toLowerCase()).toMatch(/\r\nconnection: close\r\n/)
  const served = await send("POST", toy.address + restPath, from("10.0.0.2", large))
  expect(served.status).toBe(200)
})

test("of refused bodies a few are read away, the connections of the others end", async () => {
  const unknown = { path: "/api/v1/nowhere", announced: 3_000 * kilobyte, sent: half }
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, n) => begin({ ...unknown, from: `10.0.1.${n}` })),
  )
  await eventually(() => {
    for (const { answer } of all) expect(answer()).toMatch(/^HTTP\/1.1 404 /)
  })
  const ended = all.filter(({ answer }) => /\r\nconnection: close\r\n/i.test(answer()))
  expect(ended).toHaveLength(40 - caps.drains.places)
})

test.each([
  restPath,
  rpcPath,
  `${rpcPath}?batch=1`,
  `${rpcPath} trpc-accept`,
])("a client that leaves during its body is no failure of the service: %s", async (asked) => {
  const [path = "", header] = asked.split(" ")
  const headers = header ? [`${header}: application/jsonl`] : []
  toy.lines.splice(0)
  const { socket } = await begin({ path, announced: 80 * kilobyte, sent: half, headers })
  await eventually(() => expect(bodies.heldBytes()).toBeGreaterThan(50 * kilobyte))
  socket.resetAndDestroy()
  await eventually(() => expect(bodies.heldBytes()).toBe(0))
  const refusal = { code: "CLIENT_CLOSED_REQUEST" }
  await eventually(() => expect(toy.lines).toContainEqual(expect.objectContaining(refusal)))
  for (const line of toy.lines) expect(line).toMatchObject({ level: "debug", status: 499 })
})

test.each([
  restPath,
  rpcPath,
  `${rpcPath},chat.preview?batch=1`,
])("nothing runs for a client that left before its call began: %s", async (path) => {
  const roomy = await serveToy()
  const previewed = vi.fn()
  happenings.on("previewed", previewed)
  try {
    const rest = `{"botId":"b","bot":"${"x".repeat(400 * kilobyte)}"}`
    const one = path.startsWith(rpcPath) ? `{"json":${rest}}` : rest
    const body = path.includes("batch") ? `{"0":${one},"1":{"json":{"botId":"b"}}}` : one
    const head = ["Host: a", "Content-Type: application/json", `Content-Length: ${body.length}`]
    sendAndLeave(roomy.port ?? 0, `POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${body}`)
    await eventually(() => expect(roomy.lines).not.toEqual([]))
    expect(roomy.lines[0]).toMatchObject({ level: "debug", code: "CLIENT_CLOSED_REQUEST" })
    expect(previewed).not.toHaveBeenCalled()
  } finally {
    happenings.off("previewed", previewed)
    await roomy.stop(100)
  }
})

/** Sends a request from another process, which has left when this one gets to read it. */
function sendAndLeave(port: number, request: string): void {
  const client = `const { connect } = require("node:net")
    const request = require("node:fs").readFileSync(0)
    connect(${port}, "127.0.0.1").end(request, () => process.exit())`
  const { status } = spawnSync(process.execPath, ["-e", client], { input: request })
  expect(status).toBe(0)
}
