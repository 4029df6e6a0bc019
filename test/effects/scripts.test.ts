/** Tests that requests of scripts carry keys by which other servers recognise a repetition. */
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { createModels } from "../../src/effects/models/models.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { openSandbox } from "../../src/effects/sandbox/sandbox.ts"
import { createScripts } from "../../src/effects/scripts.ts"
import type { Call, Outcome, Script } from "../../src/engine/calls.ts"
import { openLatch } from "../support/waiting.ts"
import { callContext, plainFetch, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const peer = await startPeer()
const sandbox = openSandbox()
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
const scripts = createScripts({ sandbox, outbound, allowsRestricted: false })
afterAll(async () => {
  sandbox.close()
  await outbound.close()
})
beforeEach(() => peer.answers((response) => response.end("{}")))

/** What arrives if a call makes these requests: `[path, body, key]`. */
async function arriving(code: string, idempotencyKey = "session1-1-0") {
  peer.received.length = 0
  const script: Script = { code, mode: "program", globals: { url: peer.url } }
  const call: Call<"script"> = { kind: "script", scripts: [script] }
  const outcome = await scripts(call, callContext({ idempotencyKey }))
  expect(outcome).toEqual({ results: [{}] })
  return peer.received.map(({ path, text, headers }) => [path, text, headers["idempotency-key"]])
}

const post = (path: string, body: string) =>
  `await fetch(url + "${path}", { method: "post", body: "${body}" })`

describe("the key of a script's request", () => {
  it("is the same when the turn is repeated, and another in every other call", async () => {
    const code = `${post("/a", "1")}; ${post("/b", "1")}`
    const first = await arriving(code)
    expect(first.map(([path]) => path)).toEqual(["/a", "/b"])
    for (const [, , key] of first) expect(key).toMatch(/^parley-[\w-]{43}$/)
    expect(await arriving(code)).toEqual(first)
    const others = await arriving(code, "session1-2-0")
    expect(new Set([...first, ...others].map(([, , key]) => key)).size).toBe(4)
  })

  it("distinguishes equal requests by their order", async () => {
    const [[, , one] = [], [, , two] = []] = await arriving(
      `${post("/a", "1")}; ${post("/a", "1")}`,
    )
    expect(one).toBeDefined()
    expect(two).not.toBe(one)
  })

  it("stays with its request for any order of answers", async () => {
    const code = `
      const after = async (path, body) => {
        await fetch(url + path)
        await fetch(url + "/done", { method: "POST", body })
      }
      await Promise.all([after("/a", "1"), after("/b", "2")])`
    const delayed = (slow: string) => {
      const other = openLatch()
      peer.answers(async (response, { path }) => {
        if (path === "/done") other.open()
        if (path === slow) await other.isOpen
        response.end("{}")
      })
    }
    delayed("/a")
    const done = async () => (await arriving(code)).filter(([path]) => path === "/done")
    const first = await done()
    delayed("/b")
    const second = await done()
    expect(first.map(([, body]) => body)).toEqual(["2", "1"])
    expect(second.map(([, body]) => body)).toEqual(["1", "2"])
    expect(second.toReversed()).toEqual(first)
  })

  it("is absent from requests that only read, and gives way to the script's own", async () => {
    const own = `{ method: "PUT", headers: { "Idempotency-KEY": "mine" } }`
    expect(await arriving(`await fetch(url + "/a"); await fetch(url + "/b", ${own})`)).toEqual([
      ["/a", "", undefined],
      ["/b", "", "mine"],
    ])
  })

  it("differs when a model asks twice for the same function with the same arguments", async () => {
    const credentials = wallet({
      ai: { type: "openai", data: { apiKey: "sk-1" }, allowedHosts: [new URL(peer.url).host] },
    })
    const models = createModels({
      credentials,
      mcp: createMcpTools({ credentials, fetch: plainFetch }),
      readFile: async () => ({ failed: true, description: "No files" }),
      fetch: plainFetch,
      script: scripts,
    })
    const order = (id: string) => ({ id, type: "function", function: { name: "order" } })
    const calling = { role: "assistant", content: "", tool_calls: [order("1"), order("2")] }
    let answers = 0
    peer.answers((response, { path }) => {
      const message = answers++ === 0 ? calling : { role: "assistant", content: "Done" }
      response.end(path === "/order" ? "{}" : JSON.stringify({ choices: [{ message }] }))
    })
    const code = post("/order", "one")
    const script = { code, mode: "program", globals: { url: peer.url } } as const
    const call: Call<"model"> = {
      kind: "model",
      protocol: "chatCompletions",
      credential: { id: "ai", type: "openai" },
      baseUrl: `${peer.url}/v1`,
      model: "m-1",
      messages: [{ role: "user", content: "Two, please" }],
      tools: [{ name: "order", parameters: { type: "object" }, script }],
      maxSteps: 3,
    }
    expect(await models.performer(call, callContext())).toMatchObject({ text: "Done" })
    const orders = peer.received.filter(({ path }) => path === "/order")
    expect(new Set(orders.map(({ headers }) => headers["idempotency-key"])).size).toBe(2)
  })
})

describe("a request that cannot be sent", () => {
  it.each([
    ["a header of another alphabet", '{ headers: { "X-Name": "\u0141ukasz" } }'],
    ["a header with a space", '{ headers: { "X Name": "Ann" } }'],
    ["a body where there can be none", '{ method: "GET", body: "1" }'],
    ["a method that is none", '{ method: "GE T" }'],
    ["a method of proxies", '{ method: "CONNECT" }'],
  ])("is reported as such, and blames no server: %s", async (_, init) => {
    peer.received.length = 0
    const code = `await fetch(url, ${init})`
    const call: Call<"script"> = {
      kind: "script",
      scripts: [{ code, mode: "program", globals: { url: peer.url } }],
    }
    const { results } = (await scripts(call, callContext())) as Outcome<"script">
    expect(results).toEqual([
      { failed: true, description: expect.stringContaining("The request cannot be sent") },
    ])
    expect(peer.received).toHaveLength(0)
  })
})

describe("the answers that a script gets", () => {
  const megabyte = "x".repeat(1_000_000)
  /** How many characters each of some requests is answered, and why another is refused. */
  async function answered(code: string): Promise<unknown> {
    const script: Script = { code, mode: "program", globals: { url: peer.url } }
    const { results } = (await scripts({ kind: "script", scripts: [script] }, callContext())) as {
      results: { value?: unknown }[]
    }
    return results[0]?.value
  }

  it("have five megabytes together, also side by side", async () => {
    peer.answers((response) => response.end(megabyte.repeat(2)))
    const code = `
      const all = await Promise.allSettled([1, 2, 3].map(() => fetch(url)))
      return all.map(({ value, reason }) => value ? value.length : reason.message).sort()`
    const refusal = "The responses are too large"
    expect(await answered(code)).toEqual([2_000_000, 2_000_000, refusal])
  })

  it("leave room to others when they have too much or break off", async () => {
    peer.answers(
      (response) => response.end(megabyte.repeat(6)),
      (response) => {
        response.writeHead(200, { "content-length": 4_000_000 }).write(megabyte.repeat(3))
        setImmediate(() => response.destroy())
      },
      (response) => response.end(megabyte.repeat(4)),
    )
    const code = `
      const lengths = []
      for (let n = 0; n < 3; n++) lengths.push(await fetch(url).then((t) => t.length, () => "none"))
      return lengths`
    expect(await answered(code)).toEqual(["none", "none", 4_000_000])
  })
})
