/** Compares our answers to tRPC calls with those of the adapter of @trpc/server, byte for byte. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { fetchRequestHandler } from "@trpc/server/adapters/fetch"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { isOnSide } from "../../src/http/rest/routes.ts"
import { appRouter } from "../../src/routers/app.ts"
import type { Context } from "../../src/routers/context.ts"
import { tokenProcedure } from "../../src/routers/trpc.ts"
import { json, serveToy, type Toy, toyRouter } from "./toy.ts"

let toy: Toy

beforeAll(async () => {
  toy = await serveToy()
})
afterAll(() => toy.stop(100))

const requestId = "rpc-1"

const asked: [title: string, path: string, input?: string][] = [
  ["a query", "things.get?input=%7B%22json%22%3A%7B%22thingId%22%3A%22a%22%7D%7D"],
  [
    "a query with a date",
    `things.get?input=${encodeURIComponent(
      '{"json":{"thingId":"a","since":"2025-01-02T00:00:00.000Z"},"meta":{"values":{"since":["Date"]}}}',
    )}`,
  ],
  ["a query without input", "things.wordy"],
  ["a query that lacks its input", "things.get"],
  ["a query with a list for superjson", "things.get?input=%5B%5D"],
  ["a mutation", "things.import", '{"json":{"bot":{"groups":[]}}}'],
  ["a mutation with wrong input", "things.import", '{"json":{"bot":{"groups":[{}]}}}'],
  ["a mutation without a body", "things.import", ""],
  ["a mutation for callers with a token only", "things.create", '{"json":{"name":"b"}}'],
  [
    "a batch",
    "things.get,things.wordy?batch=1&input=%7B%220%22%3A%7B%22json%22%3A%7B%22thingId%22%3A%22a%22%7D%7D%7D",
  ],
  ["a batch of one", "things.wordy?batch=1"],
  ["a batch that fails in part", "things.get,things.wordy,failures.bug?batch=1&input=%7B%7D"],
  ["a batch of failures of one kind", "failures.conflict,failures.conflict?batch=1"],
  [
    "a batch of mutations",
    "things.import,things.create?batch=1",
    '{"0":{"json":{}},"1":{"json":{}}}',
  ],
  ["a bug", "failures.bug"],
  ["too many requests", "failures.busy"],
  ["a lost database", "failures.lost"],
  ["an unknown procedure", "things.none"],
  ["an unknown procedure in a batch", "things.wordy,things.none?batch=1"],
  ["a query sent as a mutation", "things.get", "{}"],
  ["a name of every object", "toString"],
]

describe("tRPC answers as the adapter does to", () => {
  test.each(asked)("%s", async (_, path, input) => {
    const init = {
      headers: {
        "x-request-id": requestId,
        ...(input !== undefined && { "content-type": "application/json" }),
      },
      ...(input !== undefined && { method: "POST", body: input }),
    }
    const ours = await fetch(`${toy.address}/api/trpc/${path}`, init)
    const theirs = await byAdapter(path, init)
    expect({ status: ours.status, body: await ours.json() }).toEqual({
      status: theirs.status,
      body: await theirs.json(),
    })
    expect(ours.headers.get("content-type")).toBe(theirs.headers.get("content-type"))
    expect(ours.headers.get("vary")).toContain("trpc-accept, accept")
  })
})

test.each([
  ["no JSON", "things.get?input=%7B"],
  ["nothing that superjson writes", "things.get?input=null"],
  ["a text for a whole batch", "things.get?batch=1&input=%22x%22"],
])("input that is %s is refused", async (_, path) => {
  const response = await fetch(`${toy.address}/api/trpc/${path}`)
  expect(response.status).toBe(400)
  expect((await byAdapter(path, {})).status).toBe(400)
})

test.each([
  ["a refusal", "failures.conflict", -32009],
  ["too many requests", "failures.busy", -32029],
  ["a missing token", "things.create", -32001],
  ["input that breaks its schema", "things.get", -32600],
  ["a bug", "failures.bug", -32603],
])("%s has the number of its kind in JSON-RPC", async (_, path, code) => {
  const init = path === "things.create" ? json('{"json":{"name":"b"}}') : {}
  const response = await fetch(`${toy.address}/api/trpc/${path}`, {
    ...init,
    ...(init.body !== undefined && { method: "POST" }),
  })
  expect(await response.json()).toMatchObject({ error: { json: { code } } })
})

test("a streamed batch is answered line by line", async () => {
  const response = await fetch(`${toy.address}/api/trpc/things.wordy?batch=1`, {
    headers: { "trpc-accept": "application/jsonl" },
  })
  expect(response.headers.get("content-type")).toBe("application/json")
  expect((await response.text()).trim().split("\n").length).toBeGreaterThan(1)
})

const router: AnyTRPCRouter = appRouter
const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures

test("the only middleware is the check of tokens, which calls without tRPC's chain understand", () => {
  const middlewareOf = (procedure: AnyTRPCProcedure) => {
    const { middlewares } = procedure._def as unknown as { middlewares: { _type?: string }[] }
    return middlewares.filter(({ _type }) => _type === undefined).slice(0, -1)
  }
  const known = [[], tokenProcedure._def.middlewares]
  for (const [name, procedure] of Object.entries(procedures)) {
    expect(known, name).toContainEqual(middlewareOf(procedure))
  }
})

test("the answers of chats are nothing but JSON, so that superjson has nothing to add", () => {
  const chat = Object.entries(procedures).filter(([, procedure]) => isOnSide(procedure, "chat"))
  expect(chat.map(([name]) => name)).toContain("chat.continue")
  for (const [name, procedure] of chat) {
    const { output } = procedure._def as unknown as { output?: z.ZodType }
    const kinds = new Set<string>()
    z.toJSONSchema(output ?? z.date(), {
      io: "output",
      unrepresentable: "any",
      override: ({ zodSchema }) => void kinds.add(zodSchema._zod.def.type),
    })
    expect(
      ["date", "bigint", "map", "set", "nan"].filter((kind) => kinds.has(kind)),
      name,
    ).toEqual([])
  }
})

function byAdapter(path: string, init: RequestInit): Promise<Response> {
  const ctx = {
    requestId,
    authenticate: async () => undefined,
    limit: async () => {},
    setHeader: () => {},
  } satisfies Partial<Context>
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: new Request(`http://adapter.test/api/trpc/${path}`, init),
    router: toyRouter,
    createContext: () => ctx as unknown as Context,
  })
}
