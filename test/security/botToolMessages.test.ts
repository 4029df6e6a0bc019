/** What may be sent to a bot that is a tool, how often, and what comes back of anything else. */
import { expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { type Sent, testServer } from "../support/server.ts"

const DATABASE_URL = await testDatabaseUrl()
const rates = "startChatByAddress=0.01/4,startChatByBot=0.01/2,continueChat=0.01/2"
const server = await testServer({ DATABASE_URL })
const limited = await testServer({
  DATABASE_URL,
  PARLEY_RATE_LIMITS: "on",
  PARLEY_RATES: rates,
  PARLEY_TRUSTED_PROXIES: "1",
})
const settings = { general: { isTool: true, toolDescription: "Greets" } }
const flow = bot({ settings }, group("A", say("Mail?"), ask.email({ saves: "Mail" }), say("Hi")))
const tools = await Promise.all(
  [1, 2, 3].map(() => publishBot(server, { name: "Greeter", ...flow })),
)
const [path = "", second = "", third = ""] = tools.map(({ publicId }) => `/mcp/bots/${publicId}`)

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params })
const list = message("tools/list")
const call = (sent: unknown = {}) => message("tools/call", { name: "greeter", arguments: sent })
const post = (body: unknown, sent: Sent = {}) =>
  server.send("POST", path, { token: null, body, ...sent })

test("a message is answered at once, with JSON, without a session", async () => {
  const reply = await post(list)
  expect(reply.status).toBe(200)
  expect(reply.headers.get("content-type")).toContain("application/json")
  expect(reply.headers.get("mcp-session-id")).toBeNull()
  const noted = await post({ jsonrpc: "2.0", method: "notifications/initialized" })
  expect([noted.status, noted.body]).toEqual([202, {}])
})

test.each([
  "GET",
  "DELETE",
  "PUT",
  "PATCH",
])("no stream is opened and no session ended: %s", async (method) => {
  const reply = await server.send(method, path, { token: null })
  expectRefusal(reply, 405, "METHOD_NOT_SUPPORTED")
  expect(reply.headers.get("allow")).toBe("POST, OPTIONS")
})

test.each([
  ["too large", "x".repeat(1024 * 1024 + 1), 413, "PAYLOAD_TOO_LARGE"],
  ["no JSON", "{", 400, "PARSE_ERROR"],
  ["a batch", [list, list], 400, "BAD_REQUEST"],
  ["an empty batch", [], 400, "BAD_REQUEST"],
  ["too deep", `{"a":`.repeat(70) + 1 + "}".repeat(70), 400, "BAD_REQUEST"],
  ["too many values", `{"a":[${"0,".repeat(120_000)}0]}`, 413, "PAYLOAD_TOO_LARGE"],
] as const)("a body is refused that is %s", async (_, body, status, reason) => {
  expectRefusal(await post(body), status, reason)
})

test.each([
  [{}, -32_700],
  [{ jsonrpc: "1.0", id: 1, method: "tools/list" }, -32_700],
  [message("tools/none"), -32_601],
  [message("resources/list"), -32_601],
  [message("prompts/list"), -32_601],
  [message("tools/call"), -32_603],
  [message("tools/call", { name: 5 }), -32_603],
  [message("tools/call", { name: "none" }), -32_602],
  [message("tools/call", { name: "list_bots" }), -32_602],
  [call([]), -32_603],
])("a message that breaks the protocol gets its error: %j", async (body, code) => {
  const reply = await post(body)
  expect(reply.body.error).toMatchObject({ code })
  expect(JSON.stringify(reply.body)).not.toMatch(/node_modules|\.ts\b|at .*:\d+:\d+/)
})

test("a version of the protocol that is not known is refused", async () => {
  const { status, body } = await post(list, { headers: { "mcp-protocol-version": "1999-01-01" } })
  expect([status, body.error]).toMatchObject([400, { message: expect.stringMatching(/version/) }])
})

test.each([
  17,
  null,
  [],
  { a: { b: [] } },
  "x".repeat(300_000),
  "\u0000\ud800",
  true,
])("any value of any argument is refused or used, and fails nothing: %j", async (value) => {
  for (const name of ["variables", "sessionId", "reply", "message", "trace", "resultId"]) {
    const { status, body } = await post(call({ [name]: value }))
    const { structuredContent: answer } = body.result as { structuredContent: { reason?: string } }
    expect([status, answer.reason ?? "BAD_REQUEST"], name).toEqual([
      200,
      answer.reason === "NOT_FOUND" ? "NOT_FOUND" : "BAD_REQUEST",
    ])
    expect(JSON.stringify(body).length).toBeLessThan(20_000)
  }
})

test("a token changes nothing: the chat is that of a visitor, and cannot be traced", async () => {
  const { body } = await post(call({ trace: true }), { token: server.token })
  const { structuredContent } = body.result as { structuredContent: object }
  expect(Object.keys(structuredContent).sort()).toEqual(["question", "said", "sessionId", "state"])
  expect((await post(list, { token: "parley_pat_wrong" })).status).toBe(200)
  // Only callers with a token may send so much.
  const large = await post(call({ variables: { Mail: "x".repeat(70_000) } }), {
    token: server.token,
  })
  expect(large.body.result).toMatchObject({ structuredContent: { reason: "BAD_REQUEST" } })
})

/** The reasons of calls, one after the other; undefined: it was answered. */
async function reasonsOf(paths: readonly string[], sent: unknown, ip: string) {
  const reasons: unknown[] = []
  for (const each of paths) {
    const headers = { "x-forwarded-for": ip }
    const { body } = await limited.send("POST", each, { token: null, body: call(sent), headers })
    const { structuredContent: answer } = body.result as { structuredContent: { reason?: string } }
    reasons.push(answer.reason)
  }
  return reasons
}

const tooMany = "TOO_MANY_REQUESTS"

test("chats are counted with those of their bot, of their address, and messages with those of their chat", async () => {
  expect(await reasonsOf([path, path, path], {}, "192.0.2.1")).toEqual([
    undefined,
    undefined,
    tooMany,
  ])
  expect(await reasonsOf([second, second, second], {}, "192.0.2.1")).toEqual([
    undefined,
    tooMany,
    tooMany,
  ])
  expect(await reasonsOf([second], {}, "192.0.2.2")).toEqual([undefined])
  const headers = { "x-forwarded-for": "192.0.2.3" }
  const { body } = await limited.send("POST", third, { token: null, body: call(), headers })
  const { structuredContent } = body.result as { structuredContent: { sessionId: string } }
  const { sessionId } = structuredContent
  const sent = { sessionId, reply: "no address" }
  expect(await reasonsOf([third, third, third], sent, "192.0.2.3")).toEqual([
    undefined,
    undefined,
    tooMany,
  ])
})

test("a call that goes on alone ends at the limit of its chat, and can be continued", async () => {
  const wait = block("Wait", { secondsToWaitFor: 1, shouldPause: true })
  const pauses = bot({ settings }, group("A", ...[1, 2, 3, 4].flatMap((n) => [say(`${n}`), wait])))
  const { publicId } = await publishBot(server, { name: "Greeter", ...pauses })
  const { body } = await limited.send("POST", `/mcp/bots/${publicId}`, {
    token: null,
    body: call(),
  })
  expect(body.result).toMatchObject({
    structuredContent: { state: "waits", sessionId: expect.any(String), said: "1\n\n2\n\n3" },
  })
})

test("a call that waits for another system asks once whether it has called", async () => {
  const flow = bot({ settings }, group("A", block("webhook"), say("Paid")))
  const { publicId } = await publishBot(server, { name: "Greeter", ...flow })
  const tool = `/mcp/bots/${publicId}`
  const { body } = await limited.send("POST", tool, { token: null, body: call() })
  const { structuredContent } = body.result as { structuredContent: { sessionId: string } }
  const { sessionId } = structuredContent
  const asked = await reasonsOf([tool, tool, tool], { sessionId }, "192.0.2.4")
  expect(asked).toEqual([undefined, undefined, tooMany])
})

test("the limit of chats of a plan holds, and tools of suspended workspaces are unknown", async () => {
  const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
  await db.pool.query("update workspaces set is_quarantined = true")
  const refused = await post(call())
  expect(refused.body.result).toMatchObject({
    isError: true,
    structuredContent: { reason: "BOT_SUSPENDED" },
  })
  await db.pool.query("update workspaces set is_suspended = true")
  expectRefusal(await post(list), 404, "NOT_FOUND")
})
