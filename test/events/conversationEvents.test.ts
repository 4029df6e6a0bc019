/** What happens in chats is written to the outbox with the turn, numbered, and only when it is wanted. */
import { beforeEach, describe, expect, test } from "vitest"
import { eventTypes } from "../../src/chat/events/eventSchemas.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { allTypes, database, forgetEndpoints, newEndpoint, outboxOf, server } from "./scene.ts"

const url = "http://127.0.0.1:9/hook"
const asking = bot(
  group("Contact", say("Hi"), ask.text({ id: "name", saves: "Name" }), ask.text({ id: "more" })),
)

beforeEach(forgetEndpoints)

const typesOf = async (resultId: string) => (await outboxOf(resultId)).map(({ type }) => type)

async function sessionOf(resultId: string): Promise<Record<string, unknown>> {
  const { rows } = await database.pool.query(
    "select state from chat_sessions where result_id = $1",
    [resultId],
  )
  return JSON.parse(rows[0].state)
}

test("events cover a conversation from its start to its end, without gaps", async () => {
  await newEndpoint(url)
  const { publicId } = await publishBot(server, asking)
  const { step, say: reply } = await chatOver(server, publicId)
  expect(await outboxOf(step.resultId)).toEqual([
    {
      type: "conversation.started",
      sequence: 1,
      payload: { resultId: step.resultId, sessionId: step.sessionId },
    },
  ])
  await reply("Ann")
  await reply("Nothing")
  const [, first, second, completed, ended, ...others] = await outboxOf(step.resultId)
  expect(first).toMatchObject({
    type: "answer.submitted",
    sequence: 2,
    payload: {
      answer: {
        blockId: "name",
        groupTitle: "Contact",
        variableName: "Name",
        content: "Ann",
        resultId: step.resultId,
      },
    },
  })
  expect(second).toMatchObject({ sequence: 3, payload: { answer: { content: "Nothing" } } })
  expect(completed).toMatchObject({
    type: "result.completed",
    sequence: 4,
    payload: {
      result: {
        id: step.resultId,
        answers: [
          { name: "Name", variableName: "Name", blockId: "name", content: "Ann" },
          { name: "Contact (1)", blockId: "more", content: "Nothing" },
        ],
      },
    },
  })
  expect(ended).toMatchObject({ type: "conversation.ended", sequence: 5 })
  expect(others).toEqual([])
})

test("a chat that is only registered starts with its first message", async () => {
  await newEndpoint(url)
  const { publicId } = await publishBot(server, asking)
  const { step, say: reply } = await chatOver(server, publicId, { isOnlyRegistering: true })
  const resultId = step.sessionId.slice(0, 32)
  expect(await outboxOf(resultId)).toEqual([])
  await reply()
  expect(await typesOf(resultId)).toEqual(["conversation.started"])
})

test("a chat that ended within its start begins anew, and its numbers continue", async () => {
  await newEndpoint(url)
  const { publicId } = await publishBot(server, bot(group("A", say("Bye"))))
  const { step, say: reply } = await chatOver(server, publicId)
  await reply()
  const told = await outboxOf(step.sessionId.slice(0, 32))
  expect(told.map(({ type, sequence }) => [type, sequence])).toEqual([
    ["conversation.started", 1],
    ["conversation.ended", 2],
    ["conversation.started", 3],
    ["conversation.ended", 4],
  ])
})

test("the numbers count subscribed events", async () => {
  await newEndpoint(url, { types: ["answer.submitted"] })
  const { publicId } = await publishBot(server, asking)
  const { step, say: reply } = await chatOver(server, publicId)
  await reply("Ann")
  await reply("Nothing")
  expect((await outboxOf(step.resultId)).map(({ sequence }) => sequence)).toEqual([1, 2])
})

test("concurrent and repeated messages leave no gap and no duplicate", async () => {
  await newEndpoint(url, { types: ["answer.submitted"] })
  const inputs = Array.from({ length: 6 }, () => ask.text())
  const { publicId } = await publishBot(server, bot(group("A", ...inputs, ask.text())))
  const { step, say: reply } = await chatOver(server, publicId)
  const keys = ["a", "b", "c", "a", "b", "c"]
  await Promise.all(keys.map((key) => reply(key, { "idempotency-key": key })))
  const told = await outboxOf(step.resultId)
  expect(told.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
})

test("answers in a linked bot with its own results come with that result, also on completion", async () => {
  await newEndpoint(url, { types: ["answer.submitted", "result.completed"] })
  const child = await publishBot(server, bot(group("Inner", ask.text({ id: "inner", saves: "X" }))))
  const parent = await publishBot(
    server,
    bot(group("A", link(child.botId, { mergeResults: false })), group("B", ask.text())),
  )
  const { step, say: reply } = await chatOver(server, parent.publicId)
  await reply("deep")
  const [answer, completed] = await outboxOf(step.resultId)
  expect(answer?.payload).toMatchObject({
    resultId: step.resultId,
    answer: { blockId: "inner", variableName: "X", content: "deep" },
  })
  const { rows } = await database.pool.query("select result_id from results where bot_id = $1", [
    child.botId,
  ])
  expect(rows.map((row) => row.result_id)).toContain(
    (answer?.payload.answer as { resultId: string }).resultId,
  )
  // The linked bot is over, while the chat goes on in the bot that it was linked from.
  expect(completed).toMatchObject({
    type: "result.completed",
    payload: { result: { answers: [{ name: "X", variableName: "X", content: "deep" }] } },
  })
})

describe("nothing is written, and nothing counted", () => {
  const silent = async (publicId: string) => {
    const { step, say: reply } = await chatOver(server, publicId)
    await reply("Ann")
    expect(await outboxOf(step.resultId)).toEqual([])
    expect(await sessionOf(step.resultId)).not.toHaveProperty("events")
  }

  test("without an endpoint", async () => {
    await silent((await publishBot(server, asking)).publicId)
  })

  test("for bots that no endpoint names", async () => {
    const other = await publishBot(server, asking)
    await newEndpoint(url, { botIds: [other.botId] })
    await silent((await publishBot(server, asking)).publicId)
  })

  test("while the only endpoint is disabled, or was deleted", async () => {
    const { path } = await newEndpoint(url)
    const { publicId } = await publishBot(server, asking)
    await server.send("PATCH", path, { body: { isEnabled: false } })
    await database.pool.query("delete from outbox")
    await silent(publicId)
    await server.send("PATCH", path, { body: { isEnabled: true } })
    await server.send("DELETE", path)
    await silent(publicId)
  })

  test("for previews", async () => {
    await newEndpoint(url)
    const { botId } = await publishBot(server, asking)
    await database.pool.query("delete from outbox")
    const path = `/api/v1/bots/${botId}/preview/startChat`
    expect((await server.send("POST", path, { body: {} })).status).toBe(200)
    expect(await outboxOf()).toEqual([])
  })
})

describe("bots", () => {
  test("a publication and a rollback are events", async () => {
    await newEndpoint(url)
    const { botId } = await publishBot(server, asking)
    const path = `/api/v1/bots/${botId}`
    await server.send("PATCH", path, { body: { bot: { settings: { general: {} } } } })
    await server.send("POST", `${path}/publish`, { body: { note: "Better" } })
    await server.send("POST", `${path}/rollback`, { body: { version: 1 } })
    expect(await outboxOf()).toEqual([
      { type: "bot.published", sequence: null, payload: { version: 1 } },
      { type: "bot.published", sequence: null, payload: { version: 2, note: "Better" } },
      { type: "bot.rolledBack", sequence: null, payload: { version: 1 } },
    ])
  })

  test("refusals are not events", async () => {
    const { botId } = await publishBot(server, asking)
    await newEndpoint(url)
    const path = `/api/v1/bots/${botId}`
    expect((await server.send("POST", `${path}/rollback`, { body: { version: 7 } })).status).toBe(
      404,
    )
    expect(await outboxOf()).toEqual([])
  })
})

test("events go with their result when it is deleted", async () => {
  await newEndpoint(url, { types: allTypes })
  const { botId, publicId } = await publishBot(server, asking)
  const { step, say: reply } = await chatOver(server, publicId)
  await reply("Ann")
  expect(await outboxOf(step.resultId)).toHaveLength(2)
  await server.send("DELETE", `/api/v1/bots/${botId}/results?resultIds=${step.resultId}`)
  expect(await outboxOf(step.resultId)).toEqual([])
})

test("actions of a person on a conversation are events with its key, and its end once", async () => {
  await newEndpoint(url, {
    types: ["conversation.paused", "conversation.resumed", "conversation.ended"],
  })
  const { botId } = await publishBot(server, asking)
  const path = `/api/v1/bots/${botId}/conversations/whatsapp:551`
  const sent = await server.send("POST", `${path}/messages`, { body: {} })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  for (const state of ["paused", "active", "ended"]) {
    expect((await server.send("PATCH", path, { body: { state } })).status).toBe(200)
  }
  const told = await outboxOf(String(sent.body.resultId))
  expect(told).toMatchObject([
    { type: "conversation.paused", sequence: 1, payload: { conversationKey: "whatsapp:551" } },
    { type: "conversation.resumed", sequence: 2 },
    { type: "conversation.ended", sequence: 3, payload: { conversationKey: "whatsapp:551" } },
  ])
})

test("a reply, its pause and who is in charge are reported in this order, and only if wanted", async () => {
  await newEndpoint(url, { types: eventTypes.filter((type) => type.startsWith("conv")) })
  const { publicId } = await publishBot(server, asking)
  const { step } = await chatOver(server, publicId)
  const path = `/api/v1/sessions/${step.sessionId}`
  const said = { text: "Hello", author: "Eve" }
  await server.send("POST", `${path}/replies`, { body: { ...said, pause: true } })
  const { body: me } = await server.send("GET", "/api/v1/users/me")
  for (const assigneeId of [me.id, me.id, null]) {
    await server.send("PATCH", path, { body: { assigneeId } })
  }
  const [, ...told] = await outboxOf(step.resultId)
  const ids = { resultId: step.resultId, sessionId: step.sessionId }
  const reply = { id: expect.any(String), ...said }
  expect(told).toEqual([
    { type: "conversation.paused", sequence: 2, payload: ids },
    { type: "conversation.reply", sequence: 3, payload: { ...ids, reply } },
    { type: "conversation.assigned", sequence: 4, payload: { ...ids, assigneeId: me.id } },
    { type: "conversation.assigned", sequence: 5, payload: ids },
  ])
  await forgetEndpoints()
  await server.send("POST", `${path}/replies`, { body: said })
  expect(await outboxOf(step.resultId)).toEqual([])
})
