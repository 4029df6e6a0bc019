/** Clients of chats that listen: what happens outside of their own turns comes to them as events. */
import { expect, onTestFinished, test, vi } from "vitest"
import { openSessionListeners } from "../../src/chat/conversations/sessionListeners.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { firstUuidAt } from "../../src/lib/ids.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { ask, block, bot, group, groupIdOf, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const DATABASE_URL = await testDatabaseUrl()
const here = await testServer({ DATABASE_URL })
const there = await testServer({ DATABASE_URL })

const published = await publishBot(
  here,
  bot(
    group("A", ask.text({ saves: "Name" }), block("webhook", {}, { id: "hook" }), ask.text()),
    group("Help", say("Help"), ask.text({ id: "help" })),
  ),
)

/** Listens to a session; `text` is all that came so far. */
async function listen(sessionId: string, lastId?: string) {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const headers = { ...(lastId !== undefined && { "last-event-id": lastId }) }
  const url = `${there.address}/api/v1/sessions/${sessionId}/events`
  const response = await fetch(url, { headers, signal: controller.signal })
  expect(response.headers.get("x-accel-buffering")).toBe("no")
  const heard = { text: "", isOver: false }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk as Uint8Array)
    heard.isOver = true
  }
  read().catch(() => {})
  return {
    heard,
    events: () =>
      [...heard.text.matchAll(/^event: (.*)\nid: .*\ndata: (.*)$/gm)].map(([, type, data]) => [
        type,
        JSON.parse(data ?? ""),
      ]),
    lastId: () => [...heard.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "",
    leave: () => controller.abort(),
  }
}

const steer = (sessionId: string, body: object) =>
  here.send("PATCH", `/api/v1/sessions/${sessionId}`, { body })

test("a client hears in another process that its chat is paused, resumed, led elsewhere and ended", async () => {
  const { step } = await chatOver(here, published.publicId)
  const { sessionId } = step
  const client = await listen(sessionId)
  await steer(sessionId, { state: "paused" })
  await steer(sessionId, { state: "active" })
  await steer(sessionId, { continueAt: { groupId: groupIdOf("Help") } })
  await steer(sessionId, { state: "ended" })
  await eventually(() => expect(client.heard.isOver).toBe(true))
  expect(client.events()).toEqual([
    ["conversation.paused", {}],
    ["conversation.resumed", {}],
    [
      "conversation.continued",
      expect.objectContaining({ input: expect.objectContaining({ id: "help" }) }),
    ],
    ["conversation.ended", {}],
  ])
})

test("a client that comes back hears what it missed, and nothing twice", async () => {
  const { step } = await chatOver(here, published.publicId)
  const { sessionId } = step
  const first = await listen(sessionId)
  await eventually(() => expect(first.lastId()).not.toBe(""))
  first.leave()
  await steer(sessionId, { state: "paused" })
  const second = await listen(sessionId, first.lastId())
  await eventually(() => expect(second.events()).toHaveLength(1))
  second.leave()
  await steer(sessionId, { state: "active" })
  const third = await listen(sessionId, second.lastId())
  await eventually(() => expect(third.events()).toEqual([["conversation.resumed", {}]]))
})

test("a client that reads slowly has one event at a time read for it", async () => {
  const { step } = await chatOver(here, published.publicId)
  const { sessionId } = step
  for (const state of ["paused", "active", "paused"]) await steer(sessionId, { state })
  const notifications = { on: () => () => {} }
  const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
  onTestFinished(() => db.close())
  const told = openSessionListeners({
    chat: { db, log: silentLog(), notify: async () => {} },
    notifications,
  })
  onTestFinished(() => told.close())
  let read = () => {}
  const heard: string[] = []
  const onEvent = vi.fn(({ type }: { type: string }) => {
    heard.push(type)
    return new Promise<void>((resolve) => {
      read = resolve
    })
  })
  const queries = vi.spyOn(db, "run")
  told.listen({ sessionId, after: firstUuidAt(0), onEvent, onTyping: () => {} })
  for (const count of [1, 2, 3]) {
    await eventually(() => expect(heard).toHaveLength(count))
    expect(queries).toHaveBeenCalledTimes(count)
    read()
  }
  expect(heard).toEqual(["conversation.paused", "conversation.resumed", "conversation.paused"])
})

test("the call of another system comes in the same stream, after which it ends", async () => {
  const chat = await chatOver(here, published.publicId)
  const { sessionId, resultId } = chat.step
  const client = await listen(sessionId)
  await steer(sessionId, { state: "paused" })
  await steer(sessionId, { state: "active" })
  await eventually(() => expect(client.events()).toHaveLength(2))
  await chat.say("Ann")
  const path = `/api/v1/bots/${published.botId}/blocks/hook/results/${resultId}/executeWebhook`
  await here.send("POST", path, { body: { paid: true } })
  await eventually(() => expect(client.heard.isOver).toBe(true))
  expect(client.heard.text).toContain('data: {"data":{"paid":true}}')
})
