/**
 * The bounds of an operation are the same over REST and tRPC, and nothing is parsed before the caller may
 * call it: generated from the operations, so that a new one is in it by itself.
 */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import type { AnyTRPCProcedure } from "@trpc/server"
import { expect, test } from "vitest"
import { appRouter } from "../../src/routers/app.ts"
import { maxBodyBytesOf, metaOf } from "../../src/routers/trpc.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>

/** Those that take a body, with their path over REST. */
const taking = Object.entries(procedures).flatMap(([name, procedure]) => {
  const { openapi } = metaOf(procedure)
  if (openapi === undefined || procedure._def.type !== "mutation") return []
  const path = openapi.path.replaceAll(/\{\w+\}/g, "x".repeat(24))
  return [{ name, procedure, method: openapi.method, path, protect: openapi.protect !== false }]
})

async function statusOf(method: string, path: string, { body = "", token = "" }): Promise<number> {
  const response = await fetch(server.address + path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

test("without a token nothing of a body is parsed, at any door", async () => {
  const parsed: string[] = []
  // What is parsed would be a 400.
  const body = '{"a":}'
  for (const { name, method, path, protect } of taking) {
    if (!protect) continue
    const rest = method === "DELETE" ? 401 : await statusOf(method, path, { body })
    const rpc = await statusOf("POST", `/api/trpc/${name}`, { body })
    const batch = await statusOf("POST", `/api/trpc/${name},${name}?batch=1`, { body })
    if (rest !== 401 || rpc !== 401 || batch !== 401) parsed.push(`${name}: ${[rest, rpc, batch]}`)
  }
  expect(parsed).toEqual([])
  expect(await statusOf("POST", "/mcp", { body })).toBe(401)
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

test.each([
  ["names with NUL", { "\0a": 1 }],
  ["half characters", { "\ud800": 1 }],
])("%s are cleaned at both doors", async (_, names) => {
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`${Object.keys(names)[0]}${at}`, 1]),
  )
  const input = { workspaceId: "none", bot: { name: "B", settings: many } }
  const [rest, rpc] = [JSON.stringify(input), JSON.stringify({ json: input })]
  const { token } = server
  expect(await statusOf("POST", "/api/v1/bots/import", { body: rest, token })).toBe(
    await statusOf("POST", "/api/trpc/bot.import", { body: rpc, token }),
  )
})
