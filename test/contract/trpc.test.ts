/** Holds the answers to tRPC calls, as JSON, to what clients of @trpc/client rely on. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { json, send, serveToy, type Toy } from "./toy.ts"

let toy: Toy

beforeAll(async () => {
  toy = await serveToy()
})
afterAll(() => toy.stop(100))

const ask = (path: string, init: RequestInit = {}) => fetch(`${toy.address}/api/trpc/${path}`, init)
const post = (path: string, body: string) => ask(path, { method: "POST", ...json(body) })

describe("an answer", () => {
  test("is one object to one call, and a list to a batch in its order", async () => {
    const one = await ask("things.wordy")
    expect(await one.json()).toEqual({ result: { data: expect.anything() } })
    const batch = await ask("things.get,things.wordy?batch=1&input=%7B%220%22%3A%7B%7D%7D")
    expect(await batch.json()).toMatchObject([{ error: {} }, { result: {} }])
    expect(batch.status).toBe(207)
  })

  test("is compressed for those who can read it", async () => {
    const { headers } = await ask("things.wordy", { headers: { "accept-encoding": "gzip" } })
    expect(headers.get("content-encoding")).toBe("gzip")
    expect(headers.get("vary")).toContain("trpc-accept, accept")
  })

  test.each([
    "things.wordy",
    "things.get",
    "failures.conflict",
    "unknown",
  ])("has no body for HEAD, and the status and headers as for GET: %s", async (path) => {
    const [got, head] = [await ask(path), await ask(path, { method: "HEAD" })]
    const passing = ["date", "x-request-id", "connection", "keep-alive"]
    const lasting = ({ headers }: Response) =>
      [...headers].filter(([name]) => !passing.includes(name))
    expect([head.status, lasting(head), await head.text()]).toEqual([got.status, lasting(got), ""])
  })

  test("comes line by line when the batch is to be streamed", async () => {
    const response = await ask("things.wordy?batch=1", {
      headers: { "trpc-accept": "application/jsonl" },
    })
    expect(response.headers.get("content-type")).toBe("application/json")
    expect((await response.text()).trim().split("\n").length).toBeGreaterThan(1)
  })
})

describe("one mutation in a request", () => {
  const deep = `${"[".repeat(100)}${"]".repeat(100)}`
  const sent = [
    ["things.publish", '{"json":{"thingId":"a"}}'],
    ["things.publish", '{"json":{"thingId":1},"meta":{"values":{"thingId":["undefined"]}}}'],
    ["things.remove", '{"json":{"thingId":"\\u0000a","force":true}}'],
    ["things.create", '{"json":{"name":"a"}}'],
    ["things.import", '{"json":{"bot":{"groups":[{"title":"A","blocks":[{"type":"text"}]}]}}}'],
    ["things.import", `{"json":${deep}}`],
    ["things.import", "{}"],
    ["things.import", "[]"],
    ["things.import", "null"],
    ["things.import", "{"],
    ["things.import", ""],
    ["chat.start", '{"json":{"publicId":"hello"}}'],
    ["failures.full", '{"json":{"name":"a"}}'],
    ["failures.full", '{"json":{"name":1}}'],
  ] as const

  const answerTo = async (path: string, body: string) => {
    const {
      status,
      headers,
      body: text,
    } = await send("POST", `${toy.address}/api/trpc/${path}`, {
      ...json(body, { "accept-encoding": "gzip" }),
    })
    const { date: _, "x-request-id": id = "", ...others } = Object.fromEntries(headers)
    return { status, headers: others, text: JSON.stringify(text).replaceAll(id, "id") }
  }

  // With another parameter in the query, the adapter of @trpc/server answers.
  test.each(sent)("%s with %s is answered as the adapter answers it", async (path, body) => {
    const alone = await answerTo(path, body)
    expect(alone).toEqual(await answerTo(`${path}?by=adapter`, body))
    const batch = body === "" || body === "{" ? body : `{"0":${body}}`
    const listed = await answerTo(`${path}?batch=1`, batch)
    expect(listed).toEqual(await answerTo(`${path}?batch=1&by=adapter`, batch))
  })

  test.each([
    '[{"json":{"thingId":"a"}}]',
    '"a"',
    "null",
    "{}",
  ])("a batch that is %s is answered as the adapter answers it", async (body) => {
    const answer = await answerTo("things.publish?batch=1", body)
    expect(answer).toEqual(await answerTo("things.publish?batch=1&by=adapter", body))
  })
})

describe("queries", () => {
  const answerTo = async (path: string, headers: Record<string, string>) => {
    // A compressed body is as long as the id in it wants.
    const response = await ask(path, { headers: { ...headers, "accept-encoding": "identity" } })
    const { date: _, "x-request-id": id = "", ...others } = Object.fromEntries(response.headers)
    const text = (await response.text()).replaceAll(id, "id")
    return { status: response.status, headers: others, text }
  }

  const input = (sent: unknown) => `input=${encodeURIComponent(JSON.stringify(sent))}`
  const thing = { json: { thingId: "a", limit: 3 } }
  const dated = {
    json: { thingId: "a", since: "2026-01-01" },
    meta: { values: { since: ["Date"] } },
  }
  test.each([
    "things.wordy",
    `things.get?${input(thing)}`,
    `things.get?${input(dated)}`,
    `things.get?${input({ json: { thingId: "\u0000a" } })}`,
    `things.get?${input({ json: { thingId: 1 } })}`,
    `things.get?${input([])}`,
    `things.get?${input(null)}`,
    `things.get?${input("a")}`,
    "things.get?input=",
    "things.get?input=%7B",
    "unknown",
    "things.wordy,things.wordy",
    "things.publish",
    "failures.busy",
    "failures.bug",
    "failures.conflict?batch=1",
    "things.wordy?batch=1",
    "failures.busy,failures.down,failures.bug,things.wordy,unknown?batch=1",
    "unknown,unknown?batch=1",
    "things.publish,things.wordy?batch=1",
    `things.get,things.get,things.get?batch=1&${input({ 0: thing, 2: dated, 7: thing })}`,
    `things.get,things.get?batch=1&${input([thing, thing])}`,
    "things.get,things.wordy?batch=1&input=%7B",
    "things.get,things.wordy?batch=1&input=7",
  ])("are answered as the adapter answers them: %s", async (path) => {
    // The adapter takes this content type, too, and answers.
    const adapter = { "content-type": "application/json; charset=utf-8" }
    expect(await answerTo(path, {})).toEqual(await answerTo(path, adapter))
  })
})

describe("what is refused", () => {
  test.each([
    ["no JSON", "things.get?input=%7B", 400],
    ["nothing that superjson writes", "things.get?input=null", 400],
    ["a text for a whole batch", "things.get?batch=1&input=%22x%22", 400],
    ["an unknown procedure", "things.none", 404],
    ["a name of every object", "toString", 404],
    ["a name behind dots", "things.none%2F..%2Fthings.wordy", 404],
    ["a broken escape", "things.%zz", 400],
    ["a batch that is too large", `${"things.wordy,".repeat(20)}things.wordy?batch=1`, 400],
  ])("%s is refused in the form of tRPC", async (_, path, status) => {
    const response = await ask(path)
    expect(response.status).toBe(status)
    const [first] = [await response.json()].flat()
    expect(first).toMatchObject({ error: { json: { data: { httpStatus: status } } } })
  })

  test("a batch beyond the limit says so, and a body beyond it", async () => {
    const batch = await ask(`${"things.wordy,".repeat(20)}things.wordy?batch=1`)
    const message = "A request may have at most 20 calls, not 21: send several"
    const data = { code: "BAD_REQUEST", reason: "BATCH_TOO_LARGE", requestId: expect.any(String) }
    expect(await batch.json()).toMatchObject({ error: { json: { code: -32600, message, data } } })
    const large = await post("things.create", JSON.stringify({ json: "x".repeat(4_200_000) }))
    expect(large.headers.get("content-type")).toMatch(/^application\/json/)
    expect(await large.json()).toMatchObject({ error: { json: { data: { httpStatus: 413 } } } })
  })

  test("a call beyond a limit names the limit", async () => {
    const limit = { limit: "toys", retryAfter: 3 }
    const data = { code: "TOO_MANY_REQUESTS", httpStatus: 429, data: limit }
    expect(await (await ask("failures.busy")).json()).toMatchObject({ error: { json: { data } } })
  })

  test("another method than that of the procedure, and one that tRPC has no use for", async () => {
    expect((await post("things.get", "{}")).status).toBe(405)
    const put = await ask("things.get", { method: "PUT" })
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"])
  })

  test.each([
    ["a refusal", "failures.conflict", -32009],
    ["too many requests", "failures.busy", -32029],
    ["a missing token", "things.create", -32001],
    ["input that breaks its schema", "things.get", -32600],
    ["a bug", "failures.bug", -32603],
  ])("%s has the number of its kind in JSON-RPC", async (_, path, code) => {
    const response = await (path === "things.create"
      ? post(path, '{"json":{"name":"b"}}')
      : ask(path))
    expect(await response.json()).toMatchObject({ error: { json: { code } } })
  })
})
