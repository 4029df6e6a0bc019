/** Timers: silence fires once per threshold, is answered by the flow, and ends chats. */
import { describe, expect, test } from "vitest"
import { fireTimers } from "../../src/chat/conversations/fireTimers.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { ask, block, bot, group, onIdle, say } from "../support/bots.ts"
import { noSubscriptions } from "../support/chats.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { noneFired as none, timersOn } from "../support/timers.ts"
import { eventually } from "../support/waiting.ts"

const db = await testDatabase()
// So that no timer fires and no event leaves but by these tests: another process holds the jobs for good.
await db.pool.query(
  `insert into jobs (name, claimed_by, claimed_until)
  values ('fire_timers', 'test', 'infinity'), ('deliver_events', 'test', 'infinity')`,
)
const server = await testServer({ DATABASE_URL: db.url })

const { nothingIsOutside, openProcess, look, pass, toldTo } = timersOn(db)

async function timersOf(resultId: string): Promise<number> {
  const { rows } = await db.pool.query("select from timers where result_id = $1", [resultId])
  return rows.length
}

const reminding = {
  settings: { sessions: { idleAfter: [300], expiresAfter: 3_600 } },
  events: [onIdle(60, "Remind")],
}
const published = await publishBot(
  server,
  bot(
    reminding,
    group(
      "Order",
      say("Which size?"),
      ask.choice(["S", "L"], { id: "size" }),
      ask.text({ id: "name" }),
    ),
    group("Remind", say("Still there?")),
  ),
)

let count = 0
async function converse() {
  const ann = conversationOf(server, published, `key ${++count}`)
  const { body } = await ann.send()
  return { ann, resultId: body.resultId, sessionId: body.sessionId }
}

describe("a chat of a bot that asks for it", () => {
  test("has one timer, which is postponed while the chat is active", async () => {
    const { ann, resultId } = await converse()
    expect(await timersOf(resultId)).toBe(1)
    await pass(resultId, 50)
    await ann.send("S")
    await pass(resultId, 20)
    expect(await look()).toEqual({ ...none, postponed: 1 })
    expect(await look()).toEqual(none)
    expect(await toldTo(resultId)).toEqual([])
    await pass(resultId, 41)
    expect(await look()).toEqual({ ...none, idle: 1 })
  })

  test("is not silent while a message waits for others of its burst", async () => {
    const { resultId } = await converse()
    const burst = { id: "burst", until: Date.now() + 600_000, texts: ["S"] }
    await db.pool.query(
      `update chat_sessions set state = jsonb_set(state::jsonb, '{conversation,burst}', $2)::text
      where result_id = $1`,
      [resultId, JSON.stringify(burst)],
    )
    await pass(resultId, 61)
    expect(await look()).toEqual({ ...none, postponed: 1 })
  })

  test("fires each threshold once, runs its flow, and asks again", async () => {
    const { ann, resultId } = await converse()
    await pass(resultId, 61)
    expect(await look()).toEqual({ ...none, idle: 1 })
    expect(await look()).toEqual(none)
    await pass(resultId, 240)
    expect(await look()).toEqual({ ...none, idle: 1 })
    const still = { content: { markdown: "Still there?" } }
    const told = await toldTo(resultId)
    expect(told).toEqual([
      ["conversation.idle", expect.objectContaining({ afterSeconds: 60 })],
      ["conversation.idle", { afterSeconds: 300, messages: [] }],
    ])
    expect(told[0]?.[1]).toMatchObject({ messages: [still], input: { id: "size" } })
    expect((await ann.send("L")).body.input?.id).toBe("name")
  })

  test("falls silent anew after every message", async () => {
    const { ann, resultId } = await converse()
    for (let round = 1; round <= 3; round++) {
      await pass(resultId, 61)
      expect(await look()).toEqual({ ...none, idle: 1 })
      expect(await toldTo(resultId)).toHaveLength(round)
      // Not an option, but not silence either.
      await ann.send("no such size")
    }
  })

  test("fires missed thresholds in order, after a time without processes", async () => {
    const { resultId } = await converse()
    await pass(resultId, 1_000)
    expect(await look()).toMatchObject({ idle: 1 })
    expect(await look()).toMatchObject({ idle: 1 })
    expect(await look()).toEqual(none)
    const seconds = (await toldTo(resultId)).map(([, data]) => data.afterSeconds)
    expect(seconds).toEqual([60, 300])
  })

  test("fires once for any number of concurrent processes", async () => {
    const { resultId } = await converse()
    await pass(resultId, 61)
    const looks = await Promise.all([look(), look(), look(), look()])
    expect(looks.reduce((sum, { idle = 0 }) => sum + idle, 0)).toBe(1)
    expect(await toldTo(resultId)).toHaveLength(1)
  })

  test("ends by silence, says so to those who come late, and begins anew for its key", async () => {
    const { ann, resultId, sessionId } = await converse()
    await ann.send("S")
    await pass(resultId, 3_601)
    expect(await look()).toEqual({ ...none, expired: 1 })
    expect(await timersOf(resultId)).toBe(0)
    expect((await toldTo(resultId)).at(-1)).toEqual(["conversation.expired", {}])
    const path = `/api/v1/sessions/${sessionId}/continueChat`
    const late = await server.send("POST", path, { token: null, body: { message: "Ann" } })
    expect(late).toMatchObject({ status: 404, body: { reason: "CHAT_EXPIRED" } })
    expect(await ann.get()).toMatchObject({ state: "expired", sessionId })
    expect((await ann.send()).body).toMatchObject({ conversation: { isNew: true } })
  })

  test("sends subscribed endpoints its end by silence", async () => {
    const { ann, resultId, sessionId } = await converse()
    await ann.send("S")
    await pass(resultId, 3_601)
    const wanting = { ...noSubscriptions, concern: () => true, wants: () => true }
    expect(await look(openProcess(undefined, wanting))).toEqual({ ...none, expired: 1 })
    const { rows } = await db.pool.query(
      "select type, sequence, payload from outbox where result_id = $1",
      [resultId],
    )
    const payload = { resultId, sessionId, conversationKey: `key ${count}` }
    expect(rows).toEqual([{ type: "conversation.expired", sequence: 1, payload }])
  })

  test("is over for a message that comes before the timer has ended it", async () => {
    const { ann, resultId } = await converse()
    await ann.send("S")
    await pass(resultId, 3_601)
    const { body } = await ann.send()
    expect(body.conversation.isNew).toBe(true)
    expect(body.resultId).not.toBe(resultId)
    expect((await toldTo(resultId)).at(-1)?.[0]).toBe("conversation.expired")
    expect(await look()).toEqual(none)
  })

  test("is not silent while a person has taken over, and is again once it is resumed", async () => {
    const { ann, resultId } = await converse()
    await ann.change({ state: "paused" })
    await pass(resultId, 4_000)
    expect(await look()).toEqual({ ...none, postponed: 1 })
    await ann.change({ state: "active" })
    await pass(resultId, 61)
    expect(await look()).toEqual({ ...none, idle: 1 })
  })

  test("has no timer any more when its flow is over", async () => {
    const { ann, resultId } = await converse()
    await ann.send("S")
    expect((await ann.send("Ann")).body.conversation.state).toBe("ended")
    expect(await timersOf(resultId)).toBe(0)
  })
})

test("a path that fails after a call is not repeated: its threshold fires without it", async () => {
  const looping = await publishBot(
    server,
    bot(
      { events: [onIdle(60, "Call")] },
      group("A", ask.text({ id: "a" })),
      group("Call", block("Webhook", { webhook: { url: "https://crm.example" } }, { to: "Loop" })),
      group("Loop", say("On and on", { to: "Loop" })),
    ),
  )
  const ann = conversationOf(server, looping, "ann")
  const { resultId } = (await ann.send()).body
  const calls: string[] = []
  const chat = openProcess(async (call) => {
    calls.push(call.kind)
    return nothingIsOutside()
  })
  await pass(resultId, 61)
  expect(await look(chat)).toEqual({ ...none, idle: 1 })
  await pass(resultId, 61)
  expect(await look(chat)).toEqual(none)
  expect(calls).toEqual(["http"])
  expect(await toldTo(resultId)).toEqual([
    ["conversation.idle", { afterSeconds: 60, messages: [] }],
  ])
  expect((await ann.send("Ann")).body.conversation.state).toBe("ended")
})

/** As if a user who belongs to nothing else had created the workspace of these bots. */
async function handOver(botIds: readonly string[]): Promise<void> {
  await db.pool.query(
    "insert into workspaces (id, name, creator_id) values ('greedy', 'Greedy', 'greedy')",
  )
  await db.pool.query("update bots set workspace_id = 'greedy' where id = any($1)", [botIds])
}

test.each([
  ["a bot hangs", 1],
  ["all bots of a user hang", 5],
])("timers of others fire while %s, for any number due", async (_, count) => {
  const hanging = []
  for (let nth = 0; nth < count; nth++) {
    const flow = bot(
      { events: [onIdle(60, "Call")] },
      group("A", ask.text({ id: "a" })),
      group("Call", block("Webhook", { webhook: { url: "https://never.example" } })),
    )
    hanging.push(await publishBot(server, flow))
  }
  for (const one of hanging) {
    const { body } = await conversationOf(server, one, "ann").send()
    await pass(body.resultId, 3_600)
    await db.pool.query(
      `insert into chat_sessions (result_id, id, bot_id, version_id, state, updated_at)
      select copy, replace(copy::text, '-', '') || right(id, 22), bot_id, version_id, state, updated_at
      from chat_sessions
      cross join (select gen_random_uuid() as copy from generate_series(1, $2::int)) copies
      where result_id = $1`,
      [body.resultId, 1_100 / count],
    )
    await db.pool.query(
      `insert into timers (result_id, session_id, due_at)
      select result_id, id, updated_at from chat_sessions where bot_id = $1 and result_id <> $2`,
      [one.botId, body.resultId],
    )
  }
  if (count > 1) await handOver(hanging.map(({ botId }) => botId))
  const { resultId } = await converse()
  await pass(resultId, 61)

  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const chat = openProcess(() => released.then(nothingIsOutside))
  const stopping = new AbortController()
  const running = fireTimers(chat, { db, log: silentLog(), everyMs: 10 }, stopping.signal)
  await eventually(async () => expect(await toldTo(resultId)).toHaveLength(1))
  stopping.abort()
  release()
  await running
})

describe("the time after which a chat ends", () => {
  const start = async (settings: object, isKeyed: boolean) => {
    const flow = bot(
      { settings: { ...settings } },
      group("A", ask.text({ saves: "X" }), ask.text()),
    )
    const of = await publishBot(server, flow)
    if (isKeyed) return (await conversationOf(server, of, "ann").send("Hi")).body.sessionId
    const chat = await chatOver(server, of.publicId)
    await chat.say("Hi")
    return chat.step.sessionId
  }
  test.each([
    ["48 hours", {}, true, 48],
    ["48 hours, without a key", {}, false, 48],
    ["that of the settings", { sessions: { expiresAfter: 7_200 } }, false, 2],
    ["that of WhatsApp for a key", { whatsApp: { sessionExpiryTimeout: 6 } }, true, 6],
    ["not that of WhatsApp without a key", { whatsApp: { sessionExpiryTimeout: 6 } }, false, 48],
    [
      "that of the settings before that of WhatsApp",
      { sessions: { expiresAfter: 3_600 }, whatsApp: { sessionExpiryTimeout: 6 } },
      true,
      1,
    ],
  ])("is %s", async (_, settings, isKeyed, hours) => {
    const sessionId = await start(settings, isKeyed)
    const { body } = await server.send("GET", `/api/v1/sessions/${sessionId}`)
    const { expiresAt, updatedAt } = body.conversation as Record<string, string>
    const lasts = Date.parse(expiresAt ?? "") - Date.parse(updatedAt ?? "")
    expect(Math.round(lasts / 60_000)).toBe(hours * 60)
  })
})

test("a bot without keys and thresholds has no timers, and its sessions no time of their own", async () => {
  const plain = await publishBot(server, bot(group("A", ask.text({ saves: "X" }), ask.text())))
  const chat = await chatOver(server, plain.publicId)
  await chat.say("Hi")
  const { resultId } = chat.step
  const { rows } = await db.pool.query(
    "select state, expires_at from chat_sessions where result_id = $1",
    [resultId],
  )
  expect(rows[0].expires_at).toBeNull()
  expect(JSON.parse(rows[0].state)).not.toHaveProperty("conversation")
  expect(await timersOf(resultId)).toBe(0)
})
