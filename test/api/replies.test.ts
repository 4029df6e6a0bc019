/** A person of the team answers in paused chats: what is stored, shown, sent to clients, and refused. */
import { describe, expect, onTestFinished, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
const published = await publishBot(
  server,
  bot(group("A", say("Hi"), ask.text({ id: "name" }), ask.text({ id: "more" }))),
)

type Line = { id: string; from: string; text: string; author?: string }

/** A chat without a key, for its visitor and for the team. */
async function chat() {
  const visitor = await chatOver(server, published.publicId)
  const { sessionId, resultId } = visitor.step
  const path = `/api/v1/sessions/${sessionId}`
  const messages = async (query = "") => {
    const { body } = await server.send("GET", `${path}/messages${query}`)
    return body as { messages: Line[]; nextCursor?: string; hasMore: boolean }
  }
  return {
    ...visitor,
    sessionId,
    resultId,
    steer: (body: object) => server.send("PATCH", path, { body }),
    reply: (body: object, headers: Record<string, string> = {}) =>
      server.send("POST", `${path}/replies`, { body, headers }),
    /** Says something that is kept while the chat is paused. */
    tell: (message: unknown, headers: Record<string, string> = {}) =>
      server.send("POST", `${path}/continueChat`, {
        token: null,
        body: { message, acceptsPaused: true },
        headers,
      }),
    messages,
    /** Who said what. */
    said: async () => (await messages("?limit=200")).messages.map(({ from, text }) => [from, text]),
    /** The events that the client of the chat hears, from its start on. */
    async listen() {
      const controller = new AbortController()
      onTestFinished(() => controller.abort())
      const response = await fetch(`${server.address}${path}/events`, {
        headers: { "last-event-id": `/${resultId}` },
        signal: controller.signal,
      })
      let text = ""
      const read = async () => {
        const decoder = new TextDecoder()
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array)
      }
      read().catch(() => {})
      return () =>
        [...text.matchAll(/^event: conversation\.(.*)\n(?:id: .*\n)?data: (.*)$/gm)].map(
          ([, type, data]) => [type, JSON.parse(data ?? "")],
        )
    },
  }
}

describe("a reply", () => {
  test("is refused in a chat that is not paused, which stays as it is", async () => {
    const { reply, said, say: answer } = await chat()
    expect(await reply({ text: "Hello" })).toMatchObject({
      status: 409,
      body: { reason: "CHAT_NOT_PAUSED" },
    })
    expect(await answer("Ann")).toMatchObject({ status: 200 })
    expect(await said()).toEqual([
      ["bot", "Hi"],
      ["person", "Ann"],
    ])
  })

  test("pauses the chat in the same turn, comes once to its client, and is in the transcript", async () => {
    const { reply, listen, said, resultId, steer, say: answer } = await chat()
    const heard = await listen()
    const sent = { text: "I am Eve", author: "Eve", attachedFileUrls: ["https://x.example/a.pdf"] }
    const { status, body } = await reply({ ...sent, pause: true })
    expect({ status, body }).toEqual({
      status: 200,
      body: { reply: { id: expect.any(String), ...sent } },
    })
    await steer({ state: "active" })
    await eventually(() => expect(heard()).toHaveLength(3))
    expect(heard()).toEqual([
      ["paused", {}],
      ["reply", body.reply],
      ["resumed", {}],
    ])
    await answer("Ann")
    expect(await said()).toEqual([
      ["bot", "Hi"],
      ["team", "https://x.example/a.pdf\n\nI am Eve"],
      ["person", "Ann"],
    ])
    const path = `/api/v1/bots/${published.botId}/results/${resultId}/transcript`
    const { body: transcript } = await server.send("GET", path)
    expect(transcript.lines).toContainEqual(
      expect.objectContaining({ from: "team", author: "Eve", text: expect.stringMatching("Eve$") }),
    )
    const { body: page } = await server.send("GET", `${path}?format=markdown`)
    expect(page.markdown).toContain("**Team (Eve)**")
  })

  test("is taken once under an Idempotency-Key, whatever other text comes with it", async () => {
    const { reply, said } = await chat()
    const headers = { "idempotency-key": "1" }
    const first = await reply({ text: "One", pause: true }, headers)
    const second = await reply({ text: "One", pause: true }, headers)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get("idempotent-replayed")).toBe("true")
    expect(await reply({ text: "Two", pause: true }, headers)).toMatchObject({ status: 422 })
    expect((await said()).filter(([from]) => from === "team")).toEqual([["team", "One"]])
  })

  test("of rich text is stored with its Markdown", async () => {
    const { reply, said } = await chat()
    const richText = [{ type: "p", children: [{ text: "Bold", bold: true }] }]
    const { body } = await reply({ richText, pause: true })
    expect(body.reply).toMatchObject({ richText, text: "**Bold**" })
    expect((await said()).at(-1)).toEqual(["team", "**Bold**"])
  })

  test.each([
    ["without words and files", {}],
    ["with text and rich text", { text: "a", richText: [{ type: "p", children: [] }] }],
    ["with a script as file", { attachedFileUrls: ["javascript:alert(1)"] }],
    ["with eleven files", { attachedFileUrls: Array(11).fill("https://x.example/a") }],
    ["with a text of 100,001 characters", { text: "a".repeat(100_001) }],
    ["with a name of 101 characters", { text: "a", author: "a".repeat(101) }],
    ["with rich text of over 100,000 characters", { richText: [{ text: "a".repeat(100_000) }] }],
  ])("%s is a 400", async (_, body) => {
    const { reply } = await chat()
    expect(await reply({ pause: true, ...body })).toMatchObject({ status: 400 })
  })

  test("to a chat that is over, or has not begun, is refused", async () => {
    const { reply, steer } = await chat()
    await steer({ state: "ended" })
    expect(await reply({ text: "a", pause: true })).toMatchObject({
      status: 404,
      body: { reason: "CHAT_ENDED" },
    })
    const registered = await chatOver(server, published.publicId, { isOnlyRegistering: true })
    const path = `/api/v1/sessions/${registered.step.sessionId}/replies`
    expect(await server.send("POST", path, { body: { text: "a", pause: true } })).toMatchObject({
      status: 409,
    })
  })

  test("under a key reaches the chat of that key", async () => {
    const ann = conversationOf(server, published, "reply ann")
    await ann.send()
    const { body } = await server.send("POST", `${ann.path}/replies`, {
      body: { text: "Hello", pause: true },
    })
    const { body: read } = await server.send("GET", `${ann.path}/messages`)
    expect((read.messages as Line[]).at(-1)).toMatchObject({
      id: (body.reply as Line).id,
      from: "team",
      text: "Hello",
    })
    expect(await ann.get()).toMatchObject({ state: "paused" })
  })
})

describe("a visitor in a paused chat", () => {
  test("writes to the team if the client says that it shows replies, once under a key", async () => {
    const { reply, tell, say: answer, said, steer } = await chat()
    await reply({ text: "Hello", pause: true })
    expect(await answer("Old client")).toMatchObject({ status: 409 })
    const headers = { "idempotency-key": "m1" }
    const kept = await tell("Is anybody there?", headers)
    expect(kept).toMatchObject({ status: 200, body: { messages: [], state: "paused" } })
    expect((await tell("Is anybody there?", headers)).body).toEqual(kept.body)
    expect(await said()).toEqual([
      ["bot", "Hi"],
      ["team", "Hello"],
      ["person", "Is anybody there?"],
    ])
    await steer({ state: "active" })
    expect((await tell("Ann")).body).not.toHaveProperty("state")
  })

  test("cannot send nothing, or a command", async () => {
    const { reply, tell } = await chat()
    await reply({ text: "Hello", pause: true })
    for (const message of [undefined, " ", { type: "command", command: "go" }])
      expect(await tell(message)).toMatchObject({ status: 409, body: { reason: "CHAT_PAUSED" } })
  })

  test("and the team cannot write more than a chat may hold", async () => {
    const { reply, tell } = await chat()
    await reply({ text: "Hello", pause: true })
    const long = "a".repeat(99_900)
    let status = 200
    for (let sent = 0; status === 200 && sent < 50; sent++) status = (await tell(long)).status
    expect(status).toBe(413)
    expect(await reply({ text: long })).toMatchObject({
      status: 413,
      body: { reason: "CHAT_TOO_LARGE", data: { limit: 4_000_000, unit: "characters" } },
    })
  })
})

describe("signs of typing", () => {
  test("come to the other side alone, not too often, and are not stored", async () => {
    const { listen, steer, sessionId } = await chat()
    const heard = await listen()
    await steer({ state: "paused" })
    const path = `/api/v1/sessions/${sessionId}`
    const sign = (of: string) => server.send("POST", `${path}/${of}`, { body: {} })
    expect(await sign("typing")).toMatchObject({ status: 200 })
    for (let sent = 0; sent < 5; sent++) {
      expect(await sign("replies/typing")).toMatchObject({ status: 200 })
    }
    await steer({ state: "active" })
    await eventually(() => expect(heard().at(-1)?.[0]).toBe("resumed"))
    expect(heard().map(([type]) => type)).toEqual(["paused", "typing", "resumed"])
    const later = await listen()
    await eventually(() => expect(later()).toHaveLength(2))
  })

  test("of a chat that is unknown are refused", async () => {
    const path = `/api/v1/sessions/${"0".repeat(54)}/typing`
    expect(await server.send("POST", path, { token: null, body: {} })).toMatchObject({
      status: 404,
    })
  })
})

describe("the lines of a chat", () => {
  test("are read page by page, and from where the last reading ended", async () => {
    const { reply, tell, messages } = await chat()
    await reply({ text: "1", pause: true })
    await tell("2")
    const first = await messages("?limit=2")
    expect(first).toMatchObject({ hasMore: true, messages: [{ text: "Hi" }, { text: "1" }] })
    const second = await messages(`?limit=2&after=${first.nextCursor}`)
    expect(second).toMatchObject({ hasMore: false, messages: [{ text: "2" }] })
    const none = await messages(`?after=${second.nextCursor}`)
    expect(none).toEqual({ messages: [], nextCursor: second.nextCursor, hasMore: false })
    await reply({ text: "3" })
    expect(await messages(`?after=${none.nextCursor}`)).toMatchObject({ messages: [{ text: "3" }] })
    const all = (await messages()).messages.map(({ id }) => id)
    expect(new Set(all).size).toBe(4)
  })

  test("take no position of another chat", async () => {
    const [one, other] = [await chat(), await chat()]
    const { nextCursor } = await one.messages()
    const path = `/api/v1/sessions/${other.sessionId}/messages?after=${nextCursor}`
    expect(await server.send("GET", path)).toMatchObject({ status: 400 })
  })
})

describe("the person in charge", () => {
  test("is a user with access to the bot, filters lists, and may be nobody", async () => {
    const flow = await publishBot(server, bot(group("A", ask.text())))
    const ann = conversationOf(server, flow, "ann")
    await ann.send()
    await conversationOf(server, flow, "bob").send()
    const { body: me } = await server.send("GET", "/api/v1/users/me")
    const { id } = me as { id: string }
    await ann.change({ assigneeId: id })
    expect(await ann.get()).toMatchObject({ assigneeId: id, state: "active" })
    const list = `/api/v1/bots/${flow.botId}/conversations?assigneeId=${id}`
    const { body } = await server.send("GET", list)
    expect(body.conversations).toMatchObject([{ key: "ann", assigneeId: id }])
    expect(await ann.change({ assigneeId: "stranger" })).toMatchObject({ status: 400 })
    await ann.change({ assigneeId: null })
    expect(await ann.get()).not.toHaveProperty("assigneeId")
  })
})
