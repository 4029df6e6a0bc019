/** Messages under a key that follow each other closely are one turn with one answer. */
import { expect, test } from "vitest"
import { openBursts, withText } from "../../src/chat/conversations/burst.ts"
import { sendMessage } from "../../src/chat/conversations/sendMessage.ts"
import { readKey } from "../../src/chat/idempotency.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { caps } from "../../src/lib/shares.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { openTestChat } from "../support/chats.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const database = await testDatabase()
const environment = { DATABASE_URL: database.url, PARLEY_ALLOW_HOSTS: "127.0.0.1" }
const server = await testServer(environment)
const second = await testServer(environment)
/** A second process on the same database. */
const other: typeof server = {
  ...second,
  send: (method, path, sent) => second.send(method, path, { token: server.token, ...sent }),
}

const questions = [say("Hi {{Name}}"), ask.text({ saves: "City" }), say("{{City}} is nice")]
const flow = group("A", ask.text({ saves: "Name" }), ...questions, ask.text(), ask.text())
const published = await publishBot(server, bot(flow))

let count = 0

/** A conversation, in two processes. */
function conversation(of = published) {
  const key = `burst ${++count}`
  const ann = conversationOf(server, of, key)
  const there = conversationOf(other, of, key)
  /** What has been said and waits. */
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `select s.state from chat_sessions s join conversations c using (result_id) where c.key = $1`,
      [key],
    )
    const texts: unknown = rows[0] && JSON.parse(rows[0].state).conversation.burst?.texts
    return texts
  }
  return {
    ...ann,
    key,
    there,
    waits: (...texts: string[]) => eventually(async () => expect(await waiting()).toEqual(texts)),
    /** Ends the wait: a message with a file is one of its own. */
    end: () => ann.send({ type: "text", text: "", attachedFileUrls: ["https://x.example/a.pdf"] }),
    said: async () => {
      const { body } = await server.send("GET", `${ann.path}/messages?limit=200`)
      return (body.messages as { from: string; text: string }[]).map(({ from, text }) => [
        from,
        text,
      ])
    },
  }
}

const long = { collect: 10 }

test("texts that come in two processes are joined in order, answered alike, and recorded once", async () => {
  const { send, there, waits, end, said } = conversation()
  const calls = [send("Ann", long)]
  await waits("Ann")
  calls.push(there.send("Marie", long))
  await waits("Ann", "Marie")
  calls.push(send("Bell", long))
  await waits("Ann", "Marie", "Bell")
  await end()
  const answers = await Promise.all(calls)
  for (const { status, body } of answers) {
    expect({ status, body }).toEqual({ status: 200, body: answers[0]?.body })
    expect(textsOf(body)).toEqual(["Hi Ann\nMarie\nBell"])
    expect(body.conversation).toMatchObject({ isNew: true, state: "active" })
  }
  expect(await said()).toEqual([
    ["person", "Ann\nMarie\nBell"],
    ["bot", "Hi Ann\nMarie\nBell"],
    ["person", "https://x.example/a.pdf"],
    expect.anything(),
  ])
})

test("the settings of the bot say for how long, and a call may say otherwise", async () => {
  const settings = { sessions: { collectSeconds: 10 } }
  const { send, waits, end } = conversation(await publishBot(server, bot({ settings }, flow)))
  expect(textsOf((await send("Ann", { collect: 0 })).body)).toEqual(["Hi Ann"])
  const rome = send("Rome")
  await waits("Rome")
  await end()
  expect(textsOf((await rome).body)).toEqual(["Rome is nice"])
})

test("a message alone is answered once its time is over", async () => {
  const { send } = conversation()
  expect(textsOf((await send("Ann", { collect: 0.1 })).body)).toEqual(["Hi Ann"])
  expect(textsOf((await send("Rome", { collect: 0.1 })).body)).toEqual(["Rome is nice"])
})

test("a redelivered message is in its burst once, and gets the answer, also later", async () => {
  const { send, there, waits, end, said } = conversation()
  const keyed = { ...long, headers: { "idempotency-key": `k${count}` } }
  const calls = [send("Ann", keyed)]
  await waits("Ann")
  calls.push(there.send("Ann", keyed), send("Bell", long))
  await waits("Ann", "Bell")
  await end()
  const [first, again, third] = await Promise.all(calls)
  for (const each of [again, third]) expect(each?.body).toEqual(first?.body)
  const late = await there.send("Ann", keyed)
  expect(late.body).toEqual(first?.body)
  expect(late.headers.get("idempotent-replayed")).toBe("true")
  expect((await send("Bob", keyed)).status).toBe(422)
  expect((await said())[0]).toEqual(["person", "Ann\nBell"])
})

test("what a killed process had collected is answered when its caller repeats it", async () => {
  const { key, send, said, waits } = conversation()
  const db = await openDatabase({ url: database.url, poolSize: 1 })
  const never = new Promise<void>(() => {})
  const killed = openTestChat({
    ...{ db, log: silentLog(), snapshots: createSnapshots(db) },
    effects: { isOutside: () => false, perform: () => Promise.reject(new Error("None")) },
    bursts: { admit: () => () => {}, ended: () => never, end: async () => {} },
  })
  const message = { type: "text", text: "Ann" } as const
  const body = { message: "Ann", collect: 0.1, textBubbleContentFormat: "markdown" }
  const input = { botId: published.botId, key, ...body }
  const sent = { botId: published.botId, key, message, collect: 0.1 }
  void sendMessage(killed, { ...sent, textFormat: "markdown", keyed: readKey("k", input) })
  await waits("Ann")
  await db.close()
  const headers = { "idempotency-key": "k" }
  const { status, body: answer } = await send("Ann", { collect: 0.1, headers })
  expect([status, status === 200 && textsOf(answer)]).toEqual([200, ["Hi Ann"]])
  expect(await said()).toEqual([
    ["person", "Ann"],
    ["bot", "Hi Ann"],
  ])
})

test("what comes while a burst is answered is the next one", async () => {
  const peer = await startPeer()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  peer.answers((response) => void opened.then(() => response.end("{}")))
  const request = block("Webhook", { webhook: { url: peer.url, method: "GET" } })
  const asking = group("A", ask.text({ saves: "Name" }), request, say("Hi {{Name}}"), ask.text())
  const { send, there, waits, end } = conversation(await publishBot(server, bot(asking)))
  const first = send("Ann", { collect: 0.1 })
  await eventually(() => expect(peer.received).toHaveLength(1))
  const next = [there.send("One", long)]
  open()
  expect(textsOf((await first).body)).toEqual(["Hi Ann"])
  await waits("One")
  next.push(send("Two", long))
  await waits("One", "Two")
  await end()
  const [one, two] = await Promise.all(next)
  expect(one?.body).toEqual(two?.body)
})

test("what was said in a chat that is paused before it begins is kept", async () => {
  const { send, waits, change, said } = conversation()
  const call = send("One", { collect: 1 })
  await waits("One")
  await change({ state: "paused" })
  expect((await call).body).toMatchObject({ messages: [], conversation: { state: "paused" } })
  await change({ state: "active" })
  expect(textsOf((await send("Two", { collect: 0 })).body)).toEqual(["Hi Two"])
  expect((await said()).slice(0, 2)).toEqual(["One", "Two"].map((text) => ["person", text]))
})

test("what was said in a chat that is paused meanwhile is kept for the team, message by message", async () => {
  const { send, waits, change, said } = conversation()
  await send("Ann")
  const calls = [send("One", { collect: 2 })]
  await waits("One")
  calls.push(send("Two", { collect: 2 }))
  await waits("One", "Two")
  await change({ state: "paused" })
  for (const { body } of await Promise.all(calls)) {
    expect(body).toMatchObject({ messages: [], conversation: { state: "paused" } })
  }
  expect((await send("Three", long)).body).toMatchObject({ conversation: { state: "paused" } })
  expect((await said()).slice(2)).toEqual(["One", "Two", "Three"].map((text) => ["person", text]))
})

test("what was said in a chat that ends meanwhile starts the next one", async () => {
  const { send, waits, change, get } = conversation()
  const { body: before } = await send("Ann")
  const call = send("Bob", { collect: 1, headers: { "idempotency-key": "next" } })
  await waits("Bob")
  await change({ state: "ended" })
  const { body } = await call
  expect(body.conversation).toMatchObject({ isNew: true })
  expect(textsOf(body)).toEqual(["Hi Bob"])
  expect(body.sessionId).not.toBe(before.sessionId)
  expect(await get()).toMatchObject({ sessionId: body.sessionId })
})

test("a burst holds 20 messages and as many characters as one, and a bot a bounded number of calls", () => {
  const first = withText(undefined, "a", 1)
  let burst = first
  for (let at = 1; at < 20 && burst; at++) burst = withText(burst, "a", 1)
  expect(burst?.texts).toHaveLength(20)
  expect(burst && withText(burst, "a", 1)).toBeUndefined()
  expect(withText(first, "x".repeat(99_998), 1)?.texts).toHaveLength(2)
  expect(withText(first, "x".repeat(99_999), 1)).toBeUndefined()
  const { admit } = openBursts({ on: () => () => {}, notify: async () => {} })
  const leaves = Array.from({ length: caps.collectedMessages.each.bot }, () => admit("bot"))
  expect(() => admit("bot")).toThrow("Too many messages wait")
  leaves[0]?.()
  admit("bot")
})
