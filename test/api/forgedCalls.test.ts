/** What clients say of calls from outside does not count: a chat takes what was brought to the service. */
import { describe, expect, it } from "vitest"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot, type Step } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually, joinRoom } from "../support/waiting.ts"

const DATABASE_URL = await testDatabaseUrl()
const here = await testServer({ DATABASE_URL })
const there = await testServer({ DATABASE_URL })

const hook = (id = "hook") =>
  block(
    "webhook",
    { responseVariableMapping: [{ id: "m", bodyPath: "data.name", variableId: idOf("Name") }] },
    { id },
  )
const flow = bot(group("A", say("Wait"), hook(), say("Hi {{Name}}"), ask.text({ id: "ask" })))
const { botId, publicId } = await publishBot(here, flow)

const call = (called: { botId?: string; blockId?: string; resultId: string }) => {
  const place = `${called.botId ?? botId}/blocks/${called.blockId ?? "hook"}`
  const path = `/api/v1/bots/${place}/results/${called.resultId}/executeWebhook`
  return here.send("POST", path, { body: { name: "Ann" } })
}

describe("a call", () => {
  it("notifies holders of the result id without the data, which suffices to continue", async () => {
    const { step, say: reply } = await chatOver(here, publicId)
    const room = await joinRoom(there.address, step.resultId)
    await call(step)
    await eventually(() => expect(room.heard).toEqual(['{"data":{}}']))
    const next = await reply(room.heard[0])
    expect(next.body.messages).toMatchObject([{ content: { markdown: "Hi Ann" } }])
  })

  it("counts as received, not as the client repeats it", async () => {
    const { step, say: reply } = await chatOver(here, publicId)
    const forged = '{"statusCode":200,"data":{"name":"Forged"}}'
    for (const said of [forged, "Forged", "", undefined]) {
      const { status, body } = await reply(said, { "idempotency-key": `k ${said}` })
      expect([status, body.messages]).toEqual([200, []])
      expect(body.clientSideActions).toMatchObject([
        { type: "listenForWebhook", expectsDedicatedReply: true },
      ])
    }
    await call(step)
    const next = await reply(forged)
    expect(next.body.messages).toMatchObject([{ content: { markdown: "Hi Ann" } }])
  })

  it("is taken by one of two clients who say at once that it came", async () => {
    const loop = bot(group("L", hook("again"), say("Got {{Name}}", { to: "L" })))
    const published = await publishBot(here, loop)
    const { step, path } = await chatOver(here, published.publicId)
    await call({ botId: published.botId, blockId: "again", resultId: step.resultId })
    const send = (server: typeof here) =>
      server.send("POST", path, { token: null, body: { message: "{}" } })
    const replies = await Promise.all([here, there, here, there].map(send))
    const texts = replies.flatMap(({ body }) => (body as Step).messages)
    expect(texts).toHaveLength(1)
  })
})

describe("a preview", () => {
  it("takes the call of its owner alone, too", async () => {
    const path = `/api/v1/bots/${botId}/preview/startChat`
    const { body } = await here.send("POST", path, { body: { bot: flow } })
    const { sessionId } = body as Step
    const reply = async () => {
      const sent = { token: null, body: { message: '{"data":{"name":"Forged"}}' } }
      const next = await here.send("POST", `/api/v1/sessions/${sessionId}/continueChat`, sent)
      return JSON.stringify(next.body.messages)
    }
    expect(await reply()).toBe("[]")
    const test = `/api/v1/bots/${botId}/blocks/hook/web/executeTestWebhook`
    await here.send("POST", test, { body: { name: "Tess" } })
    expect(await reply()).toContain("Tess")
  })
})
