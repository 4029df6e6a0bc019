/** Refusals of bodies over HTTP: no JSON, no object, wrong members, too large, of another type. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { type Reply, type Sent, testServer } from "../support/server.ts"

const server = await testServer()
const { botId, publicId } = await publishBot(server, bot(group("Ask", ask.text())))
const { step } = await chatOver(server, publicId)
const { sessionId } = step

const importing = (body: unknown, headers = {}) => send("POST", "/bots/import", { body, headers })
const chatting = (body: unknown, headers = {}) =>
  send("POST", `/bots/${publicId}/startChat`, { token: null, body, headers })

test.each([
  "{",
  '{"a":}',
  "nonsense",
  '{"message":"a"} x',
  "'{}'",
])("a body that is no JSON is refused with 400: %s", async (text) => {
  for (const reply of [await importing(text), await chatting(text)]) {
    expectRefusal(reply, 400, "PARSE_ERROR")
  }
})

test.each([
  "[]",
  "[1]",
  '"text"',
  "5",
  "null",
  "true",
])("a body that is no object is refused with 400: %s", async (text) => {
  expectRefusal(await importing(text), 400, "BAD_REQUEST")
  expectRefusal(await chatting(text), 400, "BAD_REQUEST")
})

test.each([
  ["POST", (): string => "/workspaces", { name: 5 }, ["name"]],
  ["POST", (): string => "/workspaces", {}, ["name"]],
  ["POST", (): string => "/bots/import", { bot: {} }, ["workspaceId"]],
  ["POST", (): string => "/bots/import", { workspaceId: "w" }, ["bot"]],
  [
    "POST",
    (): string => "/bots/import",
    { workspaceId: "w", bot: { groups: 5 } },
    ["bot", "groups"],
  ],
  ["PATCH", (): string => `/bots/${botId}`, {}, ["bot"]],
  ["PATCH", (): string => `/bots/${botId}`, { bot: { isClosed: "yes" } }, ["bot", "isClosed"]],
  [
    "PATCH",
    (): string => `/bots/${botId}`,
    { bot: { edges: [{ id: 1 }] } },
    ["bot", "edges", 0, "id"],
  ],
  ["PATCH", (): string => `/bots/${botId}`, { bot: { updatedAt: "soon" } }, ["bot", "updatedAt"]],
  ["POST", (): string => `/bots/${publicId}/startChat`, { message: 5 }, ["message"]],
  [
    "POST",
    (): string => `/bots/${publicId}/startChat`,
    { textBubbleContentFormat: "html" },
    ["textBubbleContentFormat"],
  ],
  [
    "POST",
    (): string => `/bots/${publicId}/startChat`,
    { prefilledVariables: [] },
    ["prefilledVariables"],
  ],
  [
    "POST",
    (): string => `/bots/${publicId}/startChat`,
    { isStreamEnabled: 1 },
    ["isStreamEnabled"],
  ],
  [
    "POST",
    (): string => `/sessions/${sessionId}/continueChat`,
    { message: { type: "no" } },
    ["message"],
  ],
  ["POST", (): string => "/bots/b/preview/startChat", { startFrom: { type: "no" } }, ["startFrom"]],
] as const)("a body with a wrong member is refused with the place: %s %s", async (method, path, body, place) => {
  const reply = await send(method, path(), { body })
  expectRefusal(reply, 400, "BAD_REQUEST")
  expect(reply.body.message).toContain(`\`${place[0]}`)
  const issues = reply.body.issues as { path: unknown[]; message: unknown; code: unknown }[]
  const found = issues.find(({ path: at }) => place.every((key, index) => at[index] === key))
  expect(found, JSON.stringify(issues)).toMatchObject({
    message: expect.any(String),
    code: expect.any(String),
  })
})

test("a body over its limit is refused with 413: 1 MiB in chats, 4 MiB elsewhere", async () => {
  const over = (mebibytes: number) => JSON.stringify({ a: "x".repeat(mebibytes * 1024 * 1024) })
  expectRefusal(await chatting(over(1)), 413, "PAYLOAD_TOO_LARGE")
  expectRefusal(await importing(over(4)), 413, "PAYLOAD_TOO_LARGE")
  expectRefusal(await importing(over(1)), 400, "BAD_REQUEST")
})

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
])("a body of another type is refused with 415: %s", async (type) => {
  const headers = { "content-type": type }
  expectRefusal(await importing("{}", headers), 415, "UNSUPPORTED_MEDIA_TYPE")
  expectRefusal(await chatting("{}", headers), 415, "UNSUPPORTED_MEDIA_TYPE")
})

test("a body nested deeper than 64 levels is refused", async () => {
  const deep = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`
  expectRefusal(await chatting(deep), 400, "BAD_REQUEST")
})

function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  return server.send(method, `/api/v1${path}`, sent)
}
