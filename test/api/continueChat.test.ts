/** Continuing chats over REST: order, repetition, and what is never done twice. */
import { describe, expect, it } from "vitest"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()

const echo = bot(
  group("Loop", ask.text({ saves: "Said" }), say("You said {{Said}}", { to: "Loop" })),
)
const { publicId, botId } = await publishBot(server, echo)

const resultOf = async (resultId: string) => {
  const { body } = await server.send("GET", `/api/v1/bots/${botId}/results/${resultId}`)
  return body.result as { answers: { content: string }[] }
}

describe("2.1 a message", () => {
  it.each([
    ["a bare string", "hi"],
    ["an object", { type: "text", text: "hi" }],
    ["an object with more members", { type: "text", text: "hi", more: 1 }],
  ])("may be %s", async (_, message) => {
    const chat = await chatOver(server, publicId)
    expect(textsOf((await chat.say(message)).body)).toEqual(["You said hi"])
  })

  it("may be absent or null, which an input that needs one refuses with 200", async () => {
    const chat = await chatOver(server, publicId)
    const refused = await chat.say()
    expect(refused.status).toBe(200)
    expect(textsOf(refused.body)).toEqual(["That answer is not valid. Please try again."])
    expect((await chat.say(null)).status).toBe(200)
  })

  it("2.4 finds no session under an id that is unknown, garbled or over", async () => {
    const once = await publishBot(server, bot(group("A", ask.text())))
    const chat = await chatOver(server, once.publicId)
    await chat.say("done")
    const over = await chat.say("more")
    expect(over.status).toBe(404)
    expect(over.body.message).toContain("Session not found")
    for (const id of ["x", "0".repeat(54), chat.step.sessionId.slice(0, 40)]) {
      const reply = await server.send("POST", `/api/v1/sessions/${id}/continueChat`, {
        token: null,
      })
      expect(reply).toMatchObject({ status: 404 })
    }
  })

  it("1.4 keeps running on the version that the chat started on", async () => {
    const first = await publishBot(server, bot(group("A", ask.text(), say("old"))))
    const chat = await chatOver(server, first.publicId)
    const changed = bot(group("A", ask.text(), say("new")))
    const body = { bot: { groups: changed.groups } }
    await server.send("PATCH", `/api/v1/bots/${first.botId}`, { body })
    await server.send("POST", `/api/v1/bots/${first.botId}/publish`)
    expect(textsOf((await chat.say("x")).body)).toEqual(["old"])
    const fresh = await chatOver(server, first.publicId)
    expect(textsOf((await fresh.say("x")).body)).toEqual(["new"])
  })
})

describe("2.8 turns", () => {
  it("are each carried out once when they arrive at once, and answered each for itself", async () => {
    const chat = await chatOver(server, publicId)
    const words = Array.from({ length: 20 }, (_, index) => `word ${index}`)
    const replies = await Promise.all(words.map((word) => chat.say(word)))
    expect(replies.map(({ body }) => textsOf(body))).toEqual(
      words.map((word) => [`You said ${word}`]),
    )
    const { answers } = await resultOf(chat.step.resultId)
    expect(answers.map((answer) => answer.content).toSorted()).toEqual(words.toSorted())
  })

  it("2.9 are done once for one Idempotency-Key, however often it is sent", async () => {
    const chat = await chatOver(server, publicId)
    const key = { "idempotency-key": "same" }
    const replies = await Promise.all(Array.from({ length: 10 }, () => chat.say("hi", key)))
    for (const reply of replies) expect(reply.body).toEqual(replies[0]?.body)
    const replayed = replies.filter((reply) => reply.headers.get("idempotent-replayed") === "true")
    expect(replayed).toHaveLength(9)
    expect((await resultOf(chat.step.resultId)).answers).toHaveLength(1)
  })

  it("2.9 refuse a key that comes back with another message", async () => {
    const chat = await chatOver(server, publicId)
    await chat.say("one", { "idempotency-key": "k" })
    expect((await chat.say("two", { "idempotency-key": "k" })).status).toBe(422)
    expect((await resultOf(chat.step.resultId)).answers).toHaveLength(1)
  })

  it("2.9 replay the last answer of a chat that is over", async () => {
    const once = await publishBot(server, bot(group("A", ask.text(), say("bye"))))
    const chat = await chatOver(server, once.publicId)
    const first = await chat.say("x", { "idempotency-key": "last" })
    expect((await chat.say("x", { "idempotency-key": "last" })).body).toEqual(first.body)
  })

  it("2.9 start one chat for one Idempotency-Key", async () => {
    const start = (body: object = {}) =>
      server.send("POST", `/api/v1/bots/${publicId}/startChat`, {
        token: null,
        body,
        headers: { "idempotency-key": "begin" },
      })
    const replies = await Promise.all([start(), start(), start(), start()])
    for (const reply of replies) expect(reply.body).toEqual(replies[0]?.body)
    expect((await start({ isStreamEnabled: true })).status).toBe(422)
  })

  it("2.9 start no chat of another bot for an Idempotency-Key, nor of one that had its address", async () => {
    const [old, next] = [await publishBot(server, echo), await publishBot(server, echo)]
    const start = async (address: string) => {
      const headers = { "idempotency-key": "k" }
      const path = `/api/v1/bots/${address}/startChat`
      const reply = await server.send("POST", path, { token: null, body: {}, headers })
      return [reply.status, (reply.body.bot as { id: string }).id]
    }
    const rename = (id: string, publicId: string) =>
      server.send("PATCH", `/api/v1/bots/${id}`, { body: { bot: { publicId } } })
    expect(await start(old.publicId)).toEqual([200, old.botId])
    expect(await start(next.publicId)).toEqual([200, next.botId])
    await rename(old.botId, `${old.publicId}-former`)
    await rename(next.botId, old.publicId)
    expect(await start(old.publicId)).toEqual([200, next.botId])
  })
})

describe("a linked bot", () => {
  it("records a result of its own, and the parent goes on", async () => {
    const child = await publishBot(
      server,
      bot(group("C", say("child"), ask.text({ saves: "Inner" }))),
    )
    const parent = bot(
      group("P", ask.text({ saves: "Outer" }), link(child.botId), say("back {{Outer}}")),
    )
    const { publicId, botId } = await publishBot(server, parent)
    const chat = await chatOver(server, publicId)
    expect(textsOf((await chat.say("out")).body)).toEqual(["child"])
    expect(textsOf((await chat.say("in")).body)).toEqual(["back out"])
    const own = await server.send("GET", `/api/v1/bots/${botId}/results/${chat.step.resultId}`)
    expect(own.body.result).toMatchObject({ answers: [{ content: "out" }] })
    const { body } = await server.send("GET", `/api/v1/bots/${child.botId}/results`)
    expect(body.results).toMatchObject([{ isCompleted: true, answers: [{ content: "in" }] }])
  })
})
