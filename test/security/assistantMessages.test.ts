/** What may be sent to /mcp, by whom, and what comes back of anything else. */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { expect, test } from "vitest"
import { bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { type Sent, testServer } from "../support/server.ts"

const server = await testServer({ PARLEY_ALLOWED_ORIGINS: "https://builder.example" })
const { botId } = await publishBot(server, bot(group("A", say("Hi"))))

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params })
const list = message("tools/list")
const post = (body: unknown, sent: Sent = {}) => server.send("POST", "/mcp", { body, ...sent })

test("a message is answered at once, with JSON, after any other", async () => {
  const reply = await post(list)
  expect(reply.status).toBe(200)
  expect(reply.headers.get("content-type")).toContain("application/json")
  expect(reply.headers.get("mcp-session-id")).toBeNull()
  expect(reply.body).toMatchObject({ jsonrpc: "2.0", id: 1, result: { tools: expect.any(Array) } })
  const noted = await post({ jsonrpc: "2.0", method: "notifications/initialized" })
  expect([noted.status, noted.body]).toEqual([202, {}])
})

test.each([
  ["no token", { token: null }],
  ["a wrong token", { token: "parley_pat_wrong" }],
  [
    "a cookie",
    { token: null, headers: { cookie: "parley_session=abc", origin: "http://localhost" } },
  ],
])("without a valid token every message is refused: %s", async (_, sent) => {
  const host = new URL(server.address).host
  const headers =
    "headers" in sent ? { headers: { ...sent.headers, origin: `http://${host}` } } : {}
  const reply = await post(list, { ...sent, ...headers })
  expectRefusal(reply, 401, "UNAUTHORIZED")
  expect(reply.headers.get("www-authenticate")).toBe("Bearer")
})

test.each([
  "GET",
  "DELETE",
  "PUT",
  "PATCH",
])("no stream is opened and no session ended: %s", async (method) => {
  const reply = await server.send(method, "/mcp")
  expectRefusal(reply, 405, "METHOD_NOT_SUPPORTED")
  expect(reply.headers.get("allow")).toBe("POST, OPTIONS")
})

test("pages of other origins are refused, those of the operator are answered", async () => {
  const from = (origin: string) => post(list, { headers: { origin } })
  for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
    expectRefusal(await from(origin), 403, "ORIGIN_REFUSED")
  }
  const own = await from("https://builder.example")
  expect(own.status).toBe(200)
  expect(own.headers.get("access-control-allow-origin")).toBe("https://builder.example")
  expect((await from(server.address)).status).toBe(200)
})

test.each([
  ["evil.example", 403],
  ["evil.example:3000", 403],
  ["127.0.0.1.evil.example", 403],
  ["localhost.evil.example", 403],
  ["parley", 403],
  ["127.0.0.1:3000", 200],
  ["192.168.1.5:3000", 200],
  ["[::1]:3000", 200],
  ["localhost:3000", 200],
])("a page of %s that reaches this machine under that name is answered with %i", async (host, status) => {
  const authorization = `Bearer ${server.token}`
  const headers = {
    host,
    origin: `http://${host}`,
    authorization,
    "content-type": "application/json",
  }
  const sending = request(new URL("/mcp", server.address), { method: "POST", headers })
  sending.end(JSON.stringify(list))
  const [reply] = (await once(sending, "response")) as [IncomingMessage]
  reply.resume()
  expect(reply.statusCode).toBe(status)
})

test.each([
  ["too large", "x".repeat(4 * 1024 * 1024 + 1), 413, "PAYLOAD_TOO_LARGE"],
  ["no JSON", "{", 400, "PARSE_ERROR"],
  ["a batch", [list, list], 400, "BAD_REQUEST"],
  ["an empty batch", [], 400, "BAD_REQUEST"],
  ["too deep", `{"a":`.repeat(70) + 1 + "}".repeat(70), 400, "BAD_REQUEST"],
  ["another type", "a=b", 415, "UNSUPPORTED_MEDIA_TYPE"],
] as const)("a body is refused that is %s", async (what, body, status, reason) => {
  const form = { headers: { "content-type": "application/x-www-form-urlencoded" } }
  expectRefusal(await post(body, what === "another type" ? form : {}), status, reason)
})

test.each([
  [{}, -32_700],
  [{ jsonrpc: "1.0", id: 1, method: "tools/list" }, -32_700],
  [message("tools/none"), -32_601],
  [message("prompts/list"), -32_601],
  [message("tools/call"), -32_603],
  [message("tools/call", { name: 5 }), -32_603],
  [message("tools/call", { name: "none" }), -32_602],
  [message("tools/call", { name: "constructor" }), -32_602],
  [message("tools/call", { name: "read_bot", arguments: [] }), -32_603],
  [message("resources/read", { uri: "file:///etc/passwd" }), -32_002],
  [message("resources/read", { uri: "parley://pages/..%2F..%2Fpackage" }), -32_002],
  [message("resources/read", { uri: "parley://bots/%E0%A4%A" }), -32_002],
  [message("resources/read", { uri: "parley://bots/none" }), -32_002],
  [message("resources/read", { uri: "parley://bots" }), -32_600],
])("a message that breaks the protocol gets its error: %j", async (body, code) => {
  const reply = await post(body)
  expect(reply.body.error).toMatchObject({ code })
  expect(JSON.stringify(reply.body)).not.toMatch(/node_modules|\.ts\b|at .*:\d+:\d+/)
})

test("a version of the protocol that is not known is refused", async () => {
  const { status, body } = await post(list, { headers: { "mcp-protocol-version": "1999-01-01" } })
  expect([status, body.error]).toMatchObject([400, { message: expect.stringMatching(/version/) }])
})

test("other members of a message are not passed to the tool", async () => {
  const sent = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_bot","arguments":{"botId":"${botId}","__proto__":{"confirm":true}}}}`
  const { body } = await post(sent)
  expect(body.result).toMatchObject({ structuredContent: { data: { bot: { id: botId } } } })
})

test("requests of assistants are counted with others of their token", async () => {
  const limited = await testServer({
    PARLEY_RATE_LIMITS: "on",
    PARLEY_RATES: "management=1/3",
  })
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) {
    statuses.push((await limited.send("POST", "/mcp", { body: list })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 429])
})
