/** Pauses that end by themselves: once, on time, and with an event. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { noneFired as none, timersOn } from "../support/timers.ts"

const db = await testDatabase()
// So that no timer fires but by these tests: another process holds the job for good.
await db.pool.query(
  "insert into jobs (name, claimed_by, claimed_until) values ('fire_timers', 'test', 'infinity')",
)
const server = await testServer({ DATABASE_URL: db.url })
const { look, pass, toldTo } = timersOn(db)
const published = await publishBot(server, bot(group("A", ask.text({ id: "name" }))))

let count = 0
async function converse() {
  const ann = conversationOf(server, published, `key ${++count}`)
  const { body } = await ann.send()
  return { ann, resultId: body.resultId }
}

test("is over once, also in a chat without other timers, and says so", async () => {
  const { step } = await chatOver(server, published.publicId)
  const { sessionId, resultId } = step
  const path = `/api/v1/sessions/${sessionId}`
  const { body } = await server.send("PATCH", path, {
    body: { state: "paused", resumeAfter: 600 },
  })
  const { resumesAt } = body.conversation as { resumesAt: string }
  expect(Math.round((Date.parse(resumesAt) - Date.now()) / 1_000)).toBe(600)
  await pass(resultId, 590)
  expect(await look()).toEqual(none)
  await pass(resultId, 11)
  expect(await look()).toEqual({ ...none, resumed: 1 })
  expect(await look()).toEqual({ ...none, postponed: 1 })
  expect(await toldTo(resultId)).toEqual([
    ["conversation.paused", {}],
    ["conversation.resumed", {}],
  ])
  const { body: after } = await server.send("GET", path)
  expect(after.conversation).toMatchObject({ state: "active" })
  expect(after.conversation).not.toHaveProperty("resumesAt")
})

test("is longer after a reply that says so, and lasts once its end is taken away", async () => {
  const { ann, resultId } = await converse()
  await ann.change({ state: "paused", resumeAfter: 60 })
  await server.send("POST", `${ann.path}/replies`, { body: { text: "Hi", resumeAfter: 600 } })
  await pass(resultId, 61)
  expect(await look()).toEqual(none)
  await ann.change({ state: "paused" })
  expect(await ann.get()).toHaveProperty("resumesAt")
  await ann.change({ state: "paused", resumeAfter: null })
  await pass(resultId, 600)
  expect(await look()).toEqual({ ...none, postponed: 1 })
  expect(await ann.get()).toMatchObject({ state: "paused" })
  expect(await ann.change({ resumeAfter: 5 })).toMatchObject({ status: 400 })
})

test("is over in one of two processes that look at once", async () => {
  const { ann, resultId } = await converse()
  await ann.change({ state: "paused", resumeAfter: 60 })
  await pass(resultId, 61)
  const looks = await Promise.all([look(), look()])
  expect(looks.map(({ resumed }) => resumed).toSorted()).toEqual([0, 1])
  expect((await toldTo(resultId)).map(([type]) => type)).toEqual([
    "conversation.paused",
    "conversation.resumed",
  ])
})
