/** Conversations under the caller's own keys: the one call for gateways, and what lists tell of them. */
import { expect, test } from "vitest"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
/** A second process on the same database. */
const other = { ...(await testServer({ DATABASE_URL: database.url })), token: server.token }
const otherSends: typeof server = {
  ...other,
  send: (method, path, sent) => other.send(method, path, { token: server.token, ...sent }),
}

const threeQuestions = await publishBot(
  server,
  bot(
    group(
      "Contact",
      ask.text({ saves: "Name", id: "name" }),
      say("Hi {{Name}}"),
      ask.text({ saves: "City", id: "city" }),
      say("{{City}} is nice"),
      ask.text({ saves: "End" }),
    ),
  ),
)

let count = 0
const newConversation = (where = server, key = `telegram:${++count}`) =>
  conversationOf(where, threeQuestions, key)

async function answersOf(resultId: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    "select content from answers where result_id = $1 order by idx",
    [resultId],
  )
  return rows.map(({ content }) => content)
}

test("the first message of a key starts a chat and answers its first input; later ones continue it", async () => {
  const ann = newConversation(server, "whatsapp:+55 11/999")
  const { status, body } = await ann.send("Ann")
  expect(status).toBe(200)
  expect(body).toMatchObject({
    messages: [{ content: { markdown: "Hi Ann" } }],
    input: { id: "city" },
    conversation: { key: "whatsapp:+55 11/999", state: "active", isNew: true },
  })
  const next = await ann.send("Rome")
  expect(next.body).toMatchObject({
    sessionId: body.sessionId,
    resultId: body.resultId,
    conversation: { state: "active", isNew: false },
  })
  expect(await answersOf(body.resultId)).toEqual(["Ann", "Rome"])
})

test("a chat that is over is followed by a new one, and says so to those who continue it", async () => {
  const ann = newConversation()
  const { body: first } = await ann.send("Ann")
  await ann.send("Rome")
  expect((await ann.send("Bye")).body.conversation).toMatchObject({ state: "ended" })
  expect(await ann.get()).toMatchObject({ state: "ended", sessionId: first.sessionId })
  const path = `/api/v1/sessions/${first.sessionId}/continueChat`
  const late = await server.send("POST", path, { token: null, body: { message: "Hello?" } })
  expect(late).toMatchObject({ status: 404, body: { reason: "CHAT_ENDED" } })
  expect(late.body.message).toContain("Session not found")
  const { body: second } = await ann.send("Bob")
  expect(second.conversation).toEqual({
    key: ann.path.split("/").at(-1)?.replace("%3A", ":"),
    state: "active",
    isNew: true,
  })
  expect(second.resultId).not.toBe(first.resultId)
})

test("a first message that is the last one, too, is followed by a new chat", async () => {
  const oneQuestion = await publishBot(
    server,
    bot(group("g", ask.text({ id: "only" }), say("Bye"))),
  )
  const ann = conversationOf(server, oneQuestion, "one question")
  const { body: first } = await ann.send("Ann")
  expect(first.conversation).toMatchObject({ state: "ended", isNew: true })
  const { body: second } = await ann.send("Bob")
  expect(second.conversation).toMatchObject({ state: "ended", isNew: true })
  expect(await answersOf(first.resultId)).toEqual(["Ann"])
  expect(await answersOf(second.resultId)).toEqual(["Bob"])
})

test("two first messages at once, on two processes, make one chat that answers both in order", async () => {
  for (let round = 0; round < 20; round++) {
    const key = `at once ${round}`
    const [one, two] = await Promise.all([
      newConversation(server, key).send("One"),
      newConversation(otherSends, key).send("Two"),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.body.sessionId).toBe(one.body.sessionId)
    const news = [one, two].map(({ body }) => body.conversation.isNew)
    expect(news.toSorted()).toEqual([false, true])
    const [first, second] = news[0] ? ["One", "Two"] : ["Two", "One"]
    expect(await answersOf(one.body.resultId)).toEqual([first, second])
  }
})

test("a redelivered message gets the first answer, also when its chat is over by then", async () => {
  const ann = newConversation()
  const keyed = (key: string) => ({ headers: { "idempotency-key": key } })
  const first = await ann.send("Ann", keyed("1"))
  const again = await ann.send("Ann", keyed("1"))
  expect(again.body).toEqual(first.body)
  expect(again.headers.get("idempotent-replayed")).toBe("true")
  await ann.send("Rome", keyed("2"))
  const last = await ann.send("Bye", keyed("3"))
  const second = await ann.send("Bob", keyed("4"))
  expect(second.body.conversation.isNew).toBe(true)
  // In the chat before the present one.
  expect((await ann.send("Bye", keyed("3"))).body).toEqual(last.body)
  expect((await ann.send("Rome", keyed("2"))).status).toBe(200)
  expect(await answersOf(first.body.resultId)).toEqual(["Ann", "Rome", "Bye"])
  expect(await answersOf(second.body.resultId)).toEqual(["Bob"])
  expect((await ann.send("Eve", keyed("4"))).status).toBe(422)
})

test("one message that is delivered by two processes at once is answered once", async () => {
  for (let round = 0; round < 10; round++) {
    const key = `twice ${round}`
    const headers = { "idempotency-key": "m" }
    const replies = await Promise.all(
      [server, otherSends, server, otherSends].map((where) =>
        newConversation(where, key).send("Ann", { headers }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { body } of replies) expect(body).toEqual(replies[0]?.body)
    expect(await answersOf(replies[0]?.body.resultId ?? "")).toEqual(["Ann"])
  }
})

test("a bot that says all it has at once ends with each message, and each starts anew", async () => {
  const parrot = await publishBot(server, bot(group("A", say("Hello"))))
  const ann = conversationOf(server, parrot, "ann")
  const first = await ann.send("Hi")
  expect(first.body.conversation).toEqual({ key: "ann", state: "ended", isNew: true })
  const second = await ann.send("Hi")
  expect(second.body.conversation.isNew).toBe(true)
  expect(second.body.resultId).not.toBe(first.body.resultId)
})

test("values are prefilled when the chat starts, and a choice is named by its item", async () => {
  const flow = bot(
    group(
      "A",
      say("Hi {{Name}}"),
      ask.choice(["Yes", "No"], { id: "c", saves: "Choice" }),
      say("{{Choice}}"),
      ask.text(),
    ),
  )
  const published = await publishBot(server, {
    ...flow,
    variables: [...flow.variables, { id: "vn", name: "Name" }],
  })
  const ann = conversationOf(server, published, "ann")
  const started = await ann.send(undefined, { prefilledVariables: { Name: "Ann" } })
  expect(started.body.messages[0]?.content.markdown).toBe("Hi Ann")
  const item = started.body.input?.items?.[1]
  expect(await ann.say("whatever", { metadata: { replyId: item?.id } })).toEqual(["No"])
})

test("a bot that is not published starts no chat, but those under way go on", async () => {
  const closing = await publishBot(server, bot(group("A", ask.text({ saves: "X" }), ask.text())))
  const ann = conversationOf(server, closing, "ann")
  await ann.send("One")
  await server.send("POST", `/api/v1/bots/${closing.botId}/unpublish`)
  expect((await ann.send("Two")).status).toBe(200)
  expect((await ann.send("Three")).status).toBe(404)
  expect((await conversationOf(server, closing, "bob").send("One")).status).toBe(404)
})

test("keys of one bot mean nothing to another, and have 1 to 255 characters", async () => {
  const { body } = await newConversation(server, "shared").send("Ann")
  const elsewhere = await publishBot(server, bot(group("A", ask.text())))
  const { body: apart } = await conversationOf(server, elsewhere, "shared").send()
  expect(apart.conversation.isNew).toBe(true)
  expect(apart.resultId).not.toBe(body.resultId)
  expect((await newConversation(server, "k".repeat(256)).send("Ann")).status).toBe(400)
})

test("the conversation of a key has its position and variables, session variables by name only", async () => {
  const flow = bot(
    group(
      "Contact",
      ask.text({ saves: "Name" }),
      ask.text({ saves: "Pin", id: "pin" }),
      ask.text(),
    ),
  )
  const variables = flow.variables.map((variable) =>
    variable.name === "Pin" ? { ...variable, isSessionVariable: true } : variable,
  )
  const published = await publishBot(server, { ...flow, variables })
  // An import would say otherwise of a variable that an input saves to.
  await database.pool.query(
    `update bot_versions set payload = jsonb_set(payload, '{variables}', $2::jsonb) where bot_id = $1`,
    [published.botId, JSON.stringify(variables)],
  )
  const ann = conversationOf(server, published, "ann")
  const { body } = await ann.send("Ann")
  expect(await ann.get()).toEqual({
    key: "ann",
    state: "active",
    sessionId: body.sessionId,
    resultId: body.resultId,
    versionNumber: 1,
    startedAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    expiresAt: expect.stringMatching(/Z$/),
    waitsFor: { groupTitle: "Contact", blockId: "pin", type: "text input" },
    variables: [{ name: "Name", value: "Ann" }, { name: "Pin" }],
  })
})

test("chats without a key are found by their session", async () => {
  const { step } = await chatOver(server, threeQuestions.publicId)
  const path = `/api/v1/sessions/${step.sessionId}`
  const { body } = await server.send("GET", path)
  expect(body.conversation).toMatchObject({ state: "active", sessionId: step.sessionId })
  expect(body.conversation).not.toHaveProperty("key")
  expect((await server.send("GET", `/api/v1/sessions/${"0".repeat(54)}`)).status).toBe(404)
})

test("a session of a foreign bot is answered as one that never was", async () => {
  const { step } = await chatOver(server, threeQuestions.publicId)
  const account = { email: "stranger@example.com", plan: "UNLIMITED" } as const
  const { token } = await createAccount(database, account)
  for (const [method, body] of [["GET"], ["PATCH", { state: "ended" }]] as const) {
    const ask = (sessionId: string) =>
      server.send(method, `/api/v1/sessions/${sessionId}`, { token, ...(body && { body }) })
    const foreign = await ask(step.sessionId)
    const unknown = await ask(newSessionId(newUuid()))
    expect(foreign.status).toBe(404)
    const { instance, ...told } = unknown.body
    expect(foreign.body).toEqual({ ...told, instance: expect.not.stringMatching(String(instance)) })
  }
})

test("lists go from the latest start to the first, page by page, by state and by last move", async () => {
  const listed = await publishBot(server, bot(group("A", ask.text({ saves: "X" }), ask.text())))
  const keys = ["a", "b", "c", "d", "e"]
  for (const key of keys) await conversationOf(server, listed, key).send("Hi")
  await conversationOf(server, listed, "b").send("Bye")
  await conversationOf(server, listed, "d").change({ state: "paused" })
  const list = async (query: string) => {
    const { body } = await server.send("GET", `/api/v1/bots/${listed.botId}/conversations?${query}`)
    const found = body.conversations as { key: string }[]
    return { keys: found.map(({ key }) => key), next: body.nextCursor as string | undefined, found }
  }
  const first = await list("limit=2")
  expect(first.keys).toEqual(["e", "d"])
  expect(first.found[0]).not.toHaveProperty("variables")
  const second = await list(`limit=2&cursor=${first.next}`)
  expect(second.keys).toEqual(["c", "b"])
  const third = await list(`limit=2&cursor=${second.next}`)
  expect(third).toMatchObject({ keys: ["a"], next: undefined })
  expect((await list("state=ended")).keys).toEqual(["b"])
  expect((await list("state=paused")).keys).toEqual(["d"])
  const active = await list("state=active&limit=2")
  expect(active.keys).toEqual(["e", "c"])
  expect((await list(`state=active&limit=2&cursor=${active.next}`)).keys).toEqual(["a"])
  const moved = await list("state=paused&updatedSince=2020-01-01T00:00:00Z")
  expect(moved.keys).toEqual(["d"])
  expect((await list("updatedSince=2100-01-01T00:00:00Z")).keys).toEqual([])

  // Of a chat page, without a key, and listed once it has an answer.
  const visitor = await chatOver(server, listed.publicId)
  await chatOver(server, listed.publicId)
  await visitor.say("Hi")
  const all = await list("chats=all&limit=3")
  expect(all.keys).toEqual([undefined, "e", "d"])
  expect(all.found[0]).toMatchObject({ sessionId: visitor.step.sessionId, state: "active" })
  expect((await list(`chats=all&cursor=${all.next}`)).keys).toEqual(["c", "b", "a"])
  expect((await list("chats=all&state=ended")).keys).toEqual(["b"])
})

test("a chat whose linked bot was deleted for good is over, and hides no other", async () => {
  const kid = await publishBot(server, bot(group("k", ask.text(), ask.text())))
  const parent = await publishBot(server, bot(group("p", ask.text(), link(kid.botId))))
  const { send } = conversationOf(server, parent, "lost")
  const { body } = await send("into the linked bot")
  await database.pool.query("delete from bots where id = $1", [kid.botId])
  // A process that has not run it.
  const path = `/api/v1/bots/${parent.botId}/conversations`
  expect((await otherSends.send("GET", path)).body).toEqual({ conversations: [] })
  const late = { body: { message: "late" } }
  const reply = await otherSends.send(
    "POST",
    `/api/v1/sessions/${body.sessionId}/continueChat`,
    late,
  )
  expect(reply.status).toBe(404)
})
