/**
 * The bounds of an operation are the same over REST and tRPC, and nothing is parsed before the caller may
 * call it: generated from the operations, so that a new one is in it by itself.
 */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import type { AnyTRPCProcedure } from "@trpc/server"
import { expect, test, vi } from "vitest"
import { tools } from "../../src/mcp/tools.ts"
import { appRouter } from "../../src/routers/app.ts"
import { isForOperators, maxBodyBytesOf, maxInputBytesOf, metaOf } from "../../src/routers/trpc.ts"
import { testServer } from "../support/server.ts"
import { isHidden, operations } from "./operations.ts"

const server = await testServer()

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>

/** Those that take a body, with their path over REST. */
const taking = Object.entries(procedures).flatMap(([name, procedure]) => {
  const { openapi } = metaOf(procedure)
  if (openapi === undefined || procedure._def.type !== "mutation") return []
  const path = openapi.path.replaceAll(/\{\w+\}/g, "x".repeat(24))
  return [{ name, procedure, method: openapi.method, path, protect: openapi.protect !== false }]
})

/** What callers without a token get: operations for operators are no more to them than unknown paths. */
const refusalOf = (isHidden: boolean) => (isHidden ? 404 : 401)

type Answer = { status: number; text: string }

async function answerOf(
  method: string,
  path: string,
  { body, token = "" }: { body?: string | Buffer<ArrayBuffer>; token?: string },
): Promise<Answer> {
  const response = await fetch(server.address + path, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, text: await response.text() }
}

/** Inside of every body that must not be parsed. */
const mark = "hostile mark"
const nul = String.raw`\u0000`
const half = String.raw`\ud800`

/** The JSON of one member, by what is wrong with it. */
const hostile: Record<string, string> = {
  "no JSON": "}",
  "names with NUL": `{${Array.from({ length: 500 }, (_, n) => `"${nul}${n}":"${nul}"`)}}`,
  "half characters": `{${Array.from({ length: 500 }, (_, n) => `"${half}${n}":"${half}"`)}}`,
  "too many levels": "[".repeat(65) + "]".repeat(65),
  "too many values": `[${"0,".repeat(120_000)}0]`,
}

/** Every way to send a member to a procedure that takes a body. */
function doorsOf(
  { name, method, path }: (typeof taking)[number],
  member: string,
): [method: string, path: string, body: string][] {
  const own = `{"${mark}":${member}}`
  const input = `{"json":${own}}`
  return [
    ...(method === "DELETE" ? [] : [[method, path, own] as [string, string, string]]),
    ["POST", `/api/trpc/${name}`, input],
    ["POST", `/api/trpc/${name}?batch=1`, `{"0":${input}}`],
    ["POST", `/api/trpc/${name},${name}?batch=1`, `{"0":${input},"1":${input}}`],
    // Passed on to the adapter.
    ["POST", `/api/trpc/${name}?a`, input],
  ]
}

const messageWith = (member: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lint_bot","arguments":{"${mark}":${member}}}}`

test.each(
  Object.entries(hostile),
)("without a token nothing of a body with %s is parsed, weighed or cleaned, at any door", async (_, member) => {
  const parsing = vi.spyOn(JSON, "parse")
  const looked: string[] = []
  for (const each of taking.filter(({ protect }) => protect)) {
    for (const [method, path, body] of doorsOf(each, member)) {
      const { status } = await answerOf(method, path, { body })
      if (status !== refusalOf(isForOperators(each.procedure))) looked.push(`${path}: ${status}`)
    }
  }
  const { status } = await answerOf("POST", "/mcp", { body: messageWith(member) })
  expect(looked).toEqual([])
  expect(status).toBe(401)
  expect(parsing.mock.calls.filter(([text]) => text.includes(mark))).toEqual([])
})

test("a body that is no UTF-8 is refused as it is read, before its caller is known, at any door", async () => {
  const member = "mark"
  const bytes = (text: string) => Buffer.from(text.replaceAll(member, "\xff"), "latin1")
  const answered: string[] = []
  for (const each of taking.filter(({ protect }) => protect)) {
    for (const [method, path, body] of doorsOf(each, '""')) {
      const { status, text } = await answerOf(method, path, { body: bytes(body) })
      if (isForOperators(each.procedure) && status === 404) continue
      if (status !== 400 || !/UTF-8/.test(text)) answered.push(`${path}: ${status} ${text}`)
    }
  }
  expect(answered).toEqual([])
  // Assistants are known before anything is read.
  const { status } = await answerOf("POST", "/mcp", { body: bytes(messageWith('""')) })
  expect(status).toBe(401)
})

test("without a token nothing of a query is parsed: of queries, streams and subscriptions", async () => {
  const looked: string[] = []
  const hostileQuery = "a=%00&limit=x&from=%ED%A0%80&timeZone=%ff"
  for (const operation of operations) {
    const { method, path, body, isPublic } = operation
    // A file that does not exist is a 404 for all.
    if (isPublic || body !== undefined || method === "POST" || path.endsWith("/{fileName}"))
      continue
    const { status } = await answerOf(
      method,
      `${path.replaceAll(/\{\w+\}/g, "x")}?${hostileQuery}`,
      {},
    )
    if (status !== refusalOf(isHidden(operation))) looked.push(`${method} ${path}: ${status}`)
  }
  for (const [name, procedure] of Object.entries(procedures)) {
    const { openapi, scope, isChat } = metaOf(procedure)
    const isOpen = openapi === undefined ? isChat : openapi.protect === false
    if (procedure._def.type === "mutation" || isOpen) continue
    expect(scope, name).toBeDefined()
    for (const input of ["}", `{"json":{"a":"${nul}"},"meta":{"v":9}}`]) {
      const path = `/api/trpc/${name}?input=${encodeURIComponent(input)}`
      const { status, text } = await answerOf("GET", path, {})
      // A stream has begun by then.
      const isRefused =
        status === refusalOf(isForOperators(procedure)) ||
        (status === 200 && text.includes('"httpStatus":401'))
      if (!isRefused) looked.push(`${name} with ${input}: ${status} ${text}`)
    }
  }
  expect(looked).toEqual([])
})

test.each([
  ["no JSON", 400, "JSON"],
  ["too many levels", 400, "at most 64 levels"],
  ["too many values", 413, "at most 120000 values"],
])("a body with %s is refused by each operation at each door", async (kind, expected, words) => {
  const others: string[] = []
  const { token } = server
  for (const each of taking) {
    // Other systems send what is no JSON.
    if (kind === "no JSON" && metaOf(each.procedure).takesWholeBody) continue
    for (const [method, path, body] of doorsOf(each, hostile[kind] ?? "")) {
      const { status, text } = await answerOf(method, path, { body, token })
      if (status !== expected || !text.includes(words))
        others.push(`${path}: ${status} ${text.slice(0, 200)}`)
    }
  }
  const body = messageWith(hostile[kind] ?? "")
  const { status, text } = await answerOf("POST", "/mcp", { body, token })
  expect(others).toEqual([])
  expect([status, text]).toEqual([expected, expect.stringContaining(words)])
})

test("a body that is too large over REST is too large over tRPC, alone and in a batch", async () => {
  const differing: string[] = []
  for (const { name, procedure, method, path } of taking) {
    if (method === "DELETE") continue
    const bytes = maxBodyBytesOf(procedure) + 1
    const doors: [string, string][] = [
      [method, path],
      ["POST", `/api/trpc/${name}`],
      ["POST", `/api/trpc/${name}?batch=1`],
      ["POST", `/api/trpc/bot.create,${name}?batch=1`],
    ]
    for (const [sentBy, door] of doors) {
      const status = await statusOfLength(sentBy, door, bytes)
      if (status !== 413) differing.push(`${name} at ${door}: ${status}`)
    }
  }
  expect(differing).toEqual([])
})

test("the arguments of a tool are as large at most as the input of its procedure", async () => {
  const taken: string[] = []
  for (const { name, path } of tools) {
    const procedure = procedures[path] as AnyTRPCProcedure
    const most = maxInputBytesOf(procedure)
    // A message of that size is refused as a body; one procedure takes nothing.
    if (most >= 4 * 1024 * 1024 || path === "workspace.list") continue
    const argument = { [mark]: "x".repeat(most) }
    const params = { name, arguments: argument }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
    const { text } = await answerOf("POST", "/mcp", { body, token: server.token })
    if (!text.includes(`exceed the limit of ${most} bytes`))
      taken.push(`${name}: ${text.slice(0, 200)}`)
  }
  expect(taken).toEqual([])
})

/** The status for a body of that length, of which nothing is sent: its length alone is judged. */
async function statusOfLength(method: string, path: string, bytes: number): Promise<number> {
  const asked = request(server.address + path, {
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
      "content-length": String(bytes),
    },
  })
  asked.flushHeaders()
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  asked.on("error", () => {})
  asked.destroy()
  return response.statusCode ?? 0
}
