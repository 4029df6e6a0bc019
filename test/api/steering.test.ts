/** Chats that are steered from outside: a person takes over, ends them, or has them go on elsewhere. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, describe, expect, test } from "vitest"
import { ask, bot, group, groupIdOf, link, say, set } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const settings = { DATABASE_URL: database.url, PARLEY_ALLOW_HOSTS: "127.0.0.1" }
const server = await testServer(settings)
const second = await testServer(settings)
const otherProcess: typeof server = {
  ...second,
  send: (method, path, sent) => second.send(method, path, { token: server.token, ...sent }),
}

const published = await publishBot(
  server,
  bot(
    group(
      "Order",
      ask.text({ saves: "Name", id: "name" }),
      say("Hi {{Name}}"),
      ask.text({ id: "size" }),
      say("Thanks"),
    ),
    group("Complaint", say("Sorry, {{Name}}"), ask.text({ saves: "What", id: "what" })),
  ),
)

let count = 0
const newConversation = (of = published) => conversationOf(server, of, `key ${++count}`)

async function keptOf(resultId: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    "select message->>'text' as text from kept_messages where result_id = $1 order by id",
    [resultId],
  )
  return rows.map(({ text }) => text)
}

describe("a paused conversation", () => {
  test("keeps what the person says, says nothing, and goes on where it was once it is resumed", async () => {
    const ann = newConversation()
    const { body } = await ann.send("Ann")
    const paused = await ann.change({ state: "paused" })
    expect(paused.body).toEqual({
      conversation: expect.objectContaining({ state: "paused", pausedAt: expect.any(String) }),
    })
    const unheard = await ann.send("Is anybody there?", { headers: { "idempotency-key": "1" } })
    expect(unheard).toMatchObject({
      status: 200,
      body: { messages: [], conversation: { state: "paused", isNew: false } },
    })
    expect(unheard.body).not.toHaveProperty("input")
    await ann.send("Is anybody there?", { headers: { "idempotency-key": "1" } })
    await ann.send("Hello?")
    expect(await keptOf(body.resultId)).toEqual(["Is anybody there?", "Hello?"])
    const resumed = await ann.change({ state: "active" })
    expect(resumed.body.conversation).toMatchObject({
      state: "active",
      waitsFor: { blockId: "size" },
    })
    expect(resumed.body.conversation).not.toHaveProperty("pausedAt")
    expect(await ann.say("Large")).toEqual(["Thanks"])
  })

  test("refuses those who continue its session with 409 and CHAT_PAUSED", async () => {
    const { step, say: reply } = await chatOver(server, published.publicId)
    const path = `/api/v1/sessions/${step.sessionId}`
    expect(await server.send("PATCH", path, { body: { state: "paused" } })).toMatchObject({
      status: 200,
      body: { conversation: { state: "paused" } },
    })
    expect(await reply("Ann")).toMatchObject({
      status: 409,
      body: { code: "CHAT_PAUSED", reason: "CHAT_PAUSED" },
    })
    await server.send("PATCH", path, { body: { state: "active" } })
    expect(await reply("Ann")).toMatchObject({ status: 200 })
  })

  test("lives for 30 days", async () => {
    const ann = newConversation()
    await ann.send("Ann")
    await ann.change({ state: "paused" })
    const { expiresAt } = await ann.get()
    const days = (Date.parse(String(expiresAt)) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
  })

  test("does not go on elsewhere before it is resumed", async () => {
    const ann = newConversation()
    await ann.send("Ann")
    await ann.change({ state: "paused" })
    const continueAt = { groupId: groupIdOf("Complaint") }
    expect(await ann.change({ continueAt })).toMatchObject({
      status: 409,
      body: { reason: "CHAT_PAUSED" },
    })
    const { body } = await ann.change({ state: "active", continueAt })
    expect(body.messages).toMatchObject([{ content: { richText: expect.anything() } }])
    expect(body).toMatchObject({ input: { id: "what" }, conversation: { state: "active" } })
  })
})

describe("a conversation that is ended", () => {
  test("says so, may be ended again, and is followed by a new one", async () => {
    const ann = newConversation()
    const { body: first } = await ann.send("Ann")
    const ended = await ann.change({ state: "ended" })
    expect(ended.body.conversation).toMatchObject({
      state: "ended",
      sessionId: first.sessionId,
      variables: [
        { name: "Name", value: "Ann" },
        { name: "What", value: null },
      ],
    })
    expect(ended.body.conversation).not.toHaveProperty("expiresAt")
    expect((await ann.change({ state: "ended" })).status).toBe(200)
    expect(await ann.change({ state: "paused" })).toMatchObject({
      status: 404,
      body: { reason: "CHAT_ENDED" },
    })
    const path = `/api/v1/sessions/${first.sessionId}/continueChat`
    const late = await server.send("POST", path, { token: null, body: { message: "Large" } })
    expect(late).toMatchObject({ status: 404, body: { reason: "CHAT_ENDED" } })
    expect((await ann.send("Bob")).body.conversation.isNew).toBe(true)
  })
})

describe("continueAt", () => {
  test("walks from a group or from a block of it, and answers its step", async () => {
    const ann = newConversation()
    await ann.send("Ann")
    const walked = await ann.change({
      continueAt: { groupId: groupIdOf("Complaint") },
      textBubbleContentFormat: "markdown",
    })
    expect(walked.body).toMatchObject({
      messages: [{ content: { markdown: "Sorry, Ann" } }],
      input: { id: "what" },
      conversation: { waitsFor: { groupTitle: "Complaint", blockId: "what" } },
    })
    const asked = await ann.change({
      continueAt: { groupId: groupIdOf("Order"), blockId: "size" },
    })
    expect(asked.body).toMatchObject({ messages: [], input: { id: "size" } })
    expect(await ann.say("Large")).toEqual(["Thanks"])
  })

  test("names the group that the running version lacks, even if a later one has it", async () => {
    const ann = newConversation(
      await publishBot(server, bot(group("Old", ask.text({ id: "old" }), ask.text()))),
    )
    await ann.send("Ann")
    const refused = await ann.change({ continueAt: { groupId: groupIdOf("New") } })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toBe(
      `The version of the bot that this chat runs has no group "${groupIdOf("New")}"`,
    )
    const block = await ann.change({ continueAt: { groupId: groupIdOf("Old"), blockId: "gone" } })
    expect(block.body.message).toBe(
      'The group "Old" has no block "gone" in the version that this chat runs',
    )
  })

  test("leaves the linked bot that runs for a group of the bot that was started", async () => {
    const child = await publishBot(server, bot(group("Inner", ask.text({ id: "inner" }))))
    const flow = bot(
      group("Outer", ask.text({ id: "first" }), link(child.botId), ask.text()),
      group("Help", say("How can I help?"), ask.text({ id: "help" })),
    )
    const ann = newConversation(await publishBot(server, flow))
    await ann.send("Ann")
    expect(await ann.get()).toMatchObject({ waitsFor: { blockId: "inner" } })
    const { body } = await ann.change({ continueAt: { groupId: groupIdOf("Help") } })
    expect(body).toMatchObject({
      input: { id: "help" },
      conversation: { waitsFor: { blockId: "help" } },
    })
  })
})

describe("variables", () => {
  test("are set by name, for what is said next, and in the result", async () => {
    const ann = newConversation()
    const { body } = await ann.send("Ann")
    const changed = await ann.change({ variables: { Name: "Anne" } })
    expect(changed.body.conversation).toMatchObject({
      variables: [
        { name: "Name", value: "Anne" },
        { name: "What", value: null },
      ],
    })
    const { rows } = await database.pool.query(
      "select variables from results where result_id = $1",
      [body.resultId],
    )
    expect(rows[0].variables).toMatchObject([{ name: "Name", value: "Anne" }])
    expect(await ann.change({ variables: { Nmae: "x" } })).toMatchObject({
      status: 400,
      body: { message: 'This chat has no variable "Nmae"' },
    })
  })

  test("of a linked bot are set there and in the bots that wait for it", async () => {
    const child = await publishBot(
      server,
      bot(
        { variables: { Floor: "1" } },
        group("Inner", ask.text({ id: "in" }), say("{{Agent}} of {{Floor}}"), ask.text()),
      ),
    )
    const flow = bot(
      group(
        "Outer",
        ask.text({ saves: "Agent" }),
        link(child.botId),
        say("Bye {{Agent}}"),
        ask.text(),
      ),
    )
    const ann = newConversation(await publishBot(server, flow))
    await ann.send("Bot")
    await ann.change({ variables: { Agent: "Eve", Floor: "3" } })
    expect(await ann.say("Hi")).toEqual(["Eve of 3"])
    expect(await ann.say("Bye")).toEqual(["Bye Eve"])
  })
})

describe("a change and a turn at once", () => {
  let open = () => {}
  /** The upstream answers nothing before. */
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let ring = () => {}
  const asked = new Promise<void>((resolve) => {
    ring = resolve
  })
  const upstream = createServer((_request, response) => {
    ring()
    void opened.then(() => response.end(JSON.stringify({ text: "done" })))
  })
  upstream.listen(0, "127.0.0.1")
  afterAll(() => upstream.close())

  test("a pause during a call to another system follows the answer, from any process", async () => {
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
    const call = { type: "Webhook", options: { webhook: { url, method: "GET" } } }
    const slow = await publishBot(
      server,
      bot(group("A", ask.text({ saves: "Name" }), call, say("Asked for {{Name}}"), ask.text())),
    )
    const ann = conversationOf(server, slow, "ann")
    await ann.send()
    const turn = ann.send("Ann")
    await asked
    const pause = conversationOf(otherProcess, slow, "ann").change({ state: "paused" })
    open()
    expect(textsOf((await turn).body)).toEqual(["Asked for Ann"])
    expect((await pause).body.conversation).toMatchObject({ state: "paused" })
    expect((await ann.send("More")).body).toMatchObject({ messages: [] })
  })

  test("neither loses the other, however they race on two processes", async () => {
    const flow = bot(
      group("A", ask.text({ saves: "Said" }), set("Said", "{{Said}}!"), ask.text({ to: "A" })),
    )
    const counted = await publishBot(server, {
      ...flow,
      variables: [...flow.variables, { id: "vt", name: "Tag" }],
    })
    for (let round = 0; round < 15; round++) {
      const ann = conversationOf(server, counted, `race ${round}`)
      await ann.send()
      const elsewhere = conversationOf(otherProcess, counted, `race ${round}`)
      const [said, tagged] = await Promise.all([
        ann.send("Hi"),
        elsewhere.change({ variables: { Tag: String(round) } }),
      ])
      expect([said.status, tagged.status]).toEqual([200, 200])
      const { variables } = await ann.get()
      expect(variables).toMatchObject([
        { name: "Said", value: "Hi!" },
        { name: "Tag", value: String(round) },
      ])
    }
  })
})
