/** What callers without a token may start, and with how much. */
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { testServer } from "../support/server.ts"

const flow = bot(group("Hello", say("Hello {{Name}}"), ask.text({ saves: "Name" })))
const path = "/api/v1/bots/any/preview/startChat"

describe("12.5 previews without a token", async () => {
  const locked = await testServer()
  const denied = await testServer({ PARLEY_ANONYMOUS_PREVIEW: "deny" })

  test("run locked by default", async () => {
    const reply = await locked.send("POST", path, { token: null, body: { bot: flow } })
    expect(reply.status).toBe(200)
  })

  test.each([
    null,
    "nonsense",
  ])("are a 401 with a sentence where the operator denies them: %s", async (token) => {
    const reply = await denied.send("POST", path, { token, body: { bot: flow } })
    expectRefusal(reply, 401, "UNAUTHORIZED")
    expect(reply.body.message).toBe("A preview needs a valid API token on this service")
  })

  test("leave those with a token, and chats, alone", async () => {
    const { botId, publicId } = await publishBot(denied, flow)
    const own = `/api/v1/bots/${botId}/preview/startChat`
    expect((await denied.send("POST", own, { body: { bot: flow } })).status).toBe(200)
    const start = `/api/v1/bots/${publicId}/startChat`
    expect((await denied.send("POST", start, { token: null, body: {} })).status).toBe(200)
  })
})

describe("prefilled variables", async () => {
  const server = await testServer()
  const { botId, publicId } = await publishBot(server, flow)
  const start = `/api/v1/bots/${publicId}/startChat`
  const path = `/api/v1/bots/${botId}/preview/startChat`
  const long = "x".repeat(66_000)

  test.each([
    ["a value", { Name: long }],
    ["a name", { [long]: 1 }],
    ["values in all", { Name: "x".repeat(33_000), Other: ["x".repeat(33_000)] }],
    ["lists of nothing", { Name: Array(40_000).fill(0) }],
  ])("of a stranger have 64 kB at most: %s", async (_, prefilledVariables) => {
    for (const at of [start, path]) {
      const body = { bot: flow, prefilledVariables }
      const refused = await server.send("POST", at, { token: null, body })
      expectRefusal(refused, 400, "BAD_REQUEST")
      expect(refused.body.message).toContain("at most 64 kB, names included")
      expectRefusal(await server.send("POST", at, { token: "guess", body }), 400, "BAD_REQUEST")
      expect((await server.send("POST", at, { body })).status).toBe(200)
    }
  })

  test("below the bound are taken from everybody", async () => {
    const body = { bot: flow, prefilledVariables: { Name: "x".repeat(65_000) } }
    for (const at of [start, path]) {
      expect((await server.send("POST", at, { token: null, body })).status).toBe(200)
    }
  })
})
