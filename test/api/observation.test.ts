/** What operators see: metrics, times of chat calls, traces, request ids; and who may see them. */
import { request } from "node:http"
import { text } from "node:stream/consumers"
import { context, trace } from "@opentelemetry/api"
import { afterEach, describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { recordSpans } from "../support/spans.ts"

const flow = bot(group("Hello", say("Name?"), ask.text({ saves: "Name" }), say("Bye {{Name}}")))
const server = await testServer()
const { publicId } = await publishBot(server, flow)

async function metricsOf(headers: Record<string, string> = {}, address = server.address) {
  const response = await fetch(`${address}/metrics`, { headers })
  return { status: response.status, text: await response.text() }
}

describe("metrics", () => {
  test("count requests, chat calls, blocks and calls by their kinds", async () => {
    const chat = await chatOver(server, publicId)
    await chat.say("Ann")
    await chat.say("Ann")
    await server.send("POST", "/api/v1/bots/nobody/startChat")
    const { text: seen } = await metricsOf()
    expect(seen).toContain('parley_turns_total{kind="start",outcome="done"} 1')
    expect(seen).toContain('parley_turns_total{kind="start",outcome="refused"} 1')
    expect(seen).toContain('parley_turns_total{kind="continue",outcome="done"} 1')
    expect(seen).toContain('parley_turns_total{kind="continue",outcome="refused"} 1')
    expect(seen).toContain('parley_blocks_total{type="text"} 2')
    expect(seen).toContain('parley_blocks_total{type="text input"} 1')
    expect(seen).toContain('parley_http_requests_total{operation="chat.continue",status="200"} 1')
    expect(seen).toContain('parley_http_requests_total{operation="chat.continue",status="404"} 1')
    expect(seen).toMatch(/parley_http_request_duration_seconds_count\{operation="chat.start"\} 2/)
    expect(seen).toMatch(/parley_turn_part_seconds_total\{part="database"\} 0\.\d+/)
    expect(seen).toMatch(/parley_db_main_connections\{state="waiting"\} 0/)
    expect(seen).toMatch(/nodejs_eventloop_lag_p99_seconds \d/)
    // Nothing that a caller sent becomes a name.
    expect(seen).not.toContain("nobody")
  })

  test("are for this machine, unless something was passed on", async () => {
    expect((await metricsOf()).status).toBe(200)
    expect((await metricsOf({ "x-forwarded-for": "127.0.0.1" })).status).toBe(404)
    expect((await metricsOf({ forwarded: "for=127.0.0.1" })).status).toBe(404)
  })

  test("ask everybody for the token when there is one", async () => {
    const token = "token-of-the-scraper"
    const guarded = await testServer({ PARLEY_METRICS_TOKEN: token })
    const status = async (headers: Record<string, string> = {}) =>
      (await metricsOf(headers, guarded.address)).status
    expect(await status()).toBe(404)
    expect(await status({ authorization: "Bearer token-of-the-scrapes" })).toBe(404)
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200)
    expect(await status({ authorization: `Bearer ${token}`, "x-forwarded-for": "6.6.6.6" })).toBe(
      200,
    )
  })
})

test("chat answers say what their time was spent on", async () => {
  const chat = await chatOver(server, publicId)
  const { headers } = await chat.say("Ann")
  const parts = /^engine;dur=([\d.]+), db;dur=([\d.]+), outside;dur=([\d.]+)$/.exec(
    headers.get("server-timing") ?? "",
  )
  expect(Number(parts?.[2])).toBeGreaterThan(0)
  expect(Number(parts?.[3])).toBe(0)
  const managed = await server.send("GET", "/api/v1/workspaces")
  expect(managed.headers.get("server-timing")).toBeNull()
})

test("a request id is taken over, and an outlandish one replaced", async () => {
  const idOf = (sent: string) =>
    new Promise<string>((resolve, reject) => {
      const url = `${server.address}/api/v1/workspaces`
      request(url, { headers: { "x-request-id": sent } }, async (reply) => {
        const { instance } = JSON.parse(await text(reply))
        expect(reply.headers["x-request-id"]).toBe(instance)
        resolve(instance)
      })
        .on("error", reject)
        .end()
    })
  expect(await idOf("order-4711:a.b")).toBe("order-4711:a.b")
  expect(await idOf("a b <script>")).toMatch(/^[\da-f-]{36}$/)
  expect(await idOf("x".repeat(65))).toMatch(/^[\da-f-]{36}$/)
})

describe("traces", () => {
  afterEach(() => {
    trace.disable()
    context.disable()
  })

  test("have a span per request, chat call and block with an exporter", async () => {
    const ended = recordSpans()
    const chat = await chatOver(server, publicId)
    await chat.say("Ann")
    expect(ended.map(({ name }) => name)).toEqual([
      "block text",
      "block text input",
      "turn start",
      "POST chat.start",
      "block text",
      "turn continue",
      "POST chat.continue",
    ])
    const [block, , , start] = ended
    expect(block?.attributes).toEqual({ "parley.block_id": expect.any(String) })
    expect(start?.attributes).toMatchObject({
      "http.request.method": "POST",
      "http.response.status_code": 200,
      "parley.request_id": expect.any(String),
    })
    // Nothing that users or authors wrote is in them.
    expect(JSON.stringify(ended)).not.toContain("Ann")
  })
})
