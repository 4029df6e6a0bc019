/** What goes wrong with models is told without secrets, and ends what it began. */
import { describe, expect, test } from "vitest"
import { apiKey, ask, models, perform, provider } from "./modelWorld.ts"
import { callContext, json } from "./peer.ts"

describe("what goes wrong", () => {
  test("says what the provider says, without the key", async () => {
    const words = `Incorrect API key provided: ${apiKey}. Look it up.`
    provider.answers(json({ error: { message: words } }, 401))
    const outcome = await perform()
    expect(outcome).toEqual({
      failed: true,
      description: "The provider of the model refused with status 401",
      details: "Incorrect API key provided: ***. Look it up.",
      status: 401,
      reason: "credentials",
    })
  })

  test.each([
    [
      "text",
      (r: import("node:http").ServerResponse) => r.writeHead(200).end("<html>"),
      "The answer is no JSON",
    ],
    ["no message", json({}), "The answer holds no message"],
  ])("fails when the answer is %s", async (_, answer, details) => {
    provider.answers(answer)
    expect(await perform()).toMatchObject({ failed: true, details })
  })

  test("fails without a credential, or with one that has no key", async () => {
    const missing = { failed: true, reason: "credentials" }
    expect(await perform({ credential: { id: "no", type: "openai" } })).toMatchObject(missing)
    expect(await perform({ credential: { id: "empty", type: "openai" } })).toMatchObject(missing)
    expect(provider.received).toHaveLength(0)
  })

  test("does not carry the key to where the provider points", async () => {
    provider.answers((response) => response.writeHead(307, { location: "/elsewhere" }).end())
    expect(await perform()).toMatchObject({ failed: true, status: 307 })
    expect(provider.received).toHaveLength(1)
  })

  test("gives up when the turn is over", async () => {
    provider.answers(() => {})
    const context = callContext({ signal: AbortSignal.timeout(50) })
    expect(await perform({}, context)).toMatchObject({ failed: true, reason: "timeout" })
    expect(await perform({ delayMs: 5_000 }, context)).toMatchObject({ reason: "timeout" })
  })

  test("ends the provider's answer when the reader leaves", async () => {
    let isClosed: () => void = () => {}
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve
    })
    provider.answers((response) => {
      response.on("close", isClosed)
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')
    })
    for await (const event of models.stream(ask(), callContext())) {
      if (event.type === "text") break
    }
    await closed
  })
})
