/** Members of the team watch a chat as people see it, while it goes on, in whichever process. */
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { continueChat } from "../../src/chat/continueChat.ts"
import { openChatListeners } from "../../src/chat/conversations/chatListeners.ts"
import { openWatchedChats } from "../../src/chat/conversations/watchedChats.ts"
import { createParleyClient } from "../../src/client.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { caps } from "../../src/lib/shares.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import type { ChatNews } from "../../src/routers/conversation/hearMessages.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { openTestChat } from "../support/chats.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const DATABASE_URL = await testDatabaseUrl()
const here = await testServer({ DATABASE_URL })
const there = await testServer({ DATABASE_URL })
const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
afterAll(() => db.close())

const flow = bot(
  group("A", say("Hi"), ask.text({ saves: "Name" }), say("Hello {{Name}}"), ask.text()),
)
const published = await publishBot(here, flow)

type Line = { id: string; from: string; text: string }
type Options = { token?: string; lastId?: string | undefined; query?: string }

/** Listens in the other process; each event is its type, its id and its data. */
async function listen(path: string, { token = here.token, lastId, query = "" }: Options = {}) {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const response = await fetch(`${there.address}${path}/messages/events${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastId !== undefined && { "last-event-id": lastId }),
    },
    signal: controller.signal,
  })
  const heard = { text: "", isOver: false }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk as Uint8Array)
    heard.isOver = true
  }
  read().catch(() => {})
  const events = () =>
    [...heard.text.matchAll(/^event: (.*)\nid: (.*)\ndata: (.*)$/gm)].map(
      ([, type = "", id = "", data = ""]) => ({ type, id, message: JSON.parse(data).message }),
    )
  const messages = (): Line[] => events().flatMap(({ message }) => message ?? [])
  return {
    status: response.status,
    heard,
    events,
    said: () => messages().map(({ text }) => text),
    messages,
    types: () => events().map(({ type }) => type),
    leave: () => controller.abort(),
  }
}

/** A chat without a key. */
async function chat() {
  const visitor = await chatOver(here, published.publicId)
  const { sessionId, resultId } = visitor.step
  const path = `/api/v1/sessions/${sessionId}`
  return {
    ...visitor,
    path,
    sessionId,
    resultId,
    reply: (text: string) => here.send("POST", `${path}/replies`, { body: { text, pause: true } }),
    tell: (message: string) =>
      here.send("POST", `${path}/continueChat`, {
        token: null,
        body: { message, acceptsPaused: true },
      }),
    steer: (state: string) => here.send("PATCH", path, { body: { state } }),
    lines: async (query = "") => {
      const { body } = await here.send("GET", `${path}/messages${query}`)
      return body as { messages: Line[]; nextCursor: string; hasMore: boolean }
    },
  }
}

/** A chat in which all sides have spoken. */
async function spoken() {
  const made = await chat()
  await made.say("Ann")
  await made.reply("I am Eve")
  await made.tell("Hello Eve")
  await made.steer("active")
  await made.say("Bye")
  return { ...made, all: ["Hi", "Ann", "Hello Ann", "I am Eve", "Hello Eve", "Bye"] }
}

describe("a stream of a chat", () => {
  test("has every line of the bot, the person and the team once and in order, as they come", async () => {
    const { path, say: answer, reply, tell, lines } = await chat()
    const { said, types, messages } = await listen(path)
    await eventually(() => expect(said()).toEqual(["Hi"]))
    await answer("Ann")
    await eventually(() => expect(said()).toEqual(["Hi", "Ann", "Hello Ann"]))
    await reply("I am Eve")
    await tell("Hello Eve")
    await eventually(() => expect(said().slice(3)).toEqual(["I am Eve", "Hello Eve"]))
    expect(types()[0]).toBe("listening")
    expect(messages()).toEqual((await lines()).messages)
  })

  test("continues after each of its events, and after a page of lines, without a gap", async () => {
    const { path, all, lines } = await spoken()
    const whole = await listen(path)
    await eventually(() => expect(whole.said()).toEqual(all))
    for (const [at, { id }] of whole.events().entries()) {
      const rest = await listen(path, { lastId: id })
      await eventually(() => expect(rest.said()).toEqual(all.slice(at)))
      rest.leave()
    }
    const { nextCursor } = await lines("?limit=2")
    const after = await listen(path, { query: `?after=${nextCursor}` })
    await eventually(() => expect(after.said()).toEqual(all.slice(2)))
    const { messages } = await lines(`?after=${whole.events().at(-3)?.id}`)
    expect(messages.map(({ text }) => text)).toEqual(all.slice(-1))
  })

  test("has the chat of a key, and each its own", async () => {
    const ann = conversationOf(here, published, "watched ann")
    const bob = conversationOf(here, published, "watched bob")
    for (const each of [ann, bob]) await each.send()
    const streams = [await listen(ann.path), await listen(bob.path)]
    await ann.send("Ann")
    await bob.send("Bob")
    for (const [at, name] of ["Ann", "Bob"].entries()) {
      await eventually(() => expect(streams[at]?.said()).toEqual(["Hi", name, `Hello ${name}`]))
    }
  })

  test("shows that the person types, not that the team does", async () => {
    const { path, reply } = await chat()
    await reply("Hello")
    const { types } = await listen(path)
    await eventually(() => expect(types()).toEqual(["listening", "message", "message"]))
    const sign = (of: string) => here.send("POST", `${path}/${of}`, { body: {} })
    await sign("replies/typing")
    await sign("typing")
    await eventually(() => expect(types().slice(3)).toEqual(["typing"]))
    await reply("There")
    await eventually(() => expect(types().slice(3)).toEqual(["typing", "message"]))
  })

  test("ends with the chat, after its last line, and does not begin again there", async () => {
    const { path, say: answer } = await chat()
    const stream = await listen(path)
    await answer("Ann")
    await answer("Bye")
    await eventually(() => expect(stream.heard.isOver).toBe(true))
    expect(stream.said()).toEqual(["Hi", "Ann", "Hello Ann", "Bye"])
    expect(stream.types().at(-1)).toBe("ended")
    const late = await listen(path)
    await eventually(() => expect(late.heard.isOver).toBe(true))
    expect(late.said()).toEqual(stream.said())
    const again = await listen(path, { lastId: stream.events().at(-1)?.id })
    expect(again.status).toBe(404)
    await eventually(() => expect(again.heard.text).toContain("CHAT_ENDED"))
  })

  test("ends with a chat that expires", async () => {
    const { path, sessionId } = await chat()
    const stream = await listen(path)
    await eventually(() => expect(stream.said()).toEqual(["Hi"]))
    await db.pool.query(
      "update chat_sessions set expires_at = now() - interval '1 s' where id = $1",
      [sessionId],
    )
    await here.send("POST", `${path}/typing`, { token: null, body: {} })
    await here.send("PATCH", path, { body: { state: "paused" } })
    await eventually(() => expect(stream.types().at(-1)).toBe("expired"))
  })

  test("takes no position of another chat, and no broken one", async () => {
    const [one, other] = [await chat(), await chat()]
    const { nextCursor } = await one.lines()
    for (const after of [nextCursor, "x", "/"]) {
      expect((await listen(other.path, { query: `?after=${after}` })).status).toBe(400)
      expect((await listen(other.path, { lastId: after })).status).toBe(400)
    }
  })

  test("closes once the token is revoked, or the role is gone", async () => {
    const { path, reply } = await chat()
    const { body } = await here.send("POST", "/api/v1/users/me/api-tokens", { body: { name: "t" } })
    const { id, token } = body.apiToken as { id: string; token: string }
    const eve = await createAccount(db, { email: "eve@example.com", name: "Eve" })
    const { body: me } = await here.send("GET", "/api/v1/users/me", { token: eve.token })
    const userId = String(me.id)
    const share = { botId: published.botId, userId, type: "READ" as const }
    await db.kysely.insertInto("botCollaborators").values(share).execute()
    const streams = [await listen(path, { token }), await listen(path, { token: eve.token })]
    for (const { said } of streams) await eventually(() => expect(said()).toEqual(["Hi"]))
    await here.send("DELETE", `/api/v1/users/me/api-tokens/${id}`)
    await db.kysely.deleteFrom("botCollaborators").where("userId", "=", userId).execute()
    await reply("A secret")
    for (const { heard, said } of streams) {
      await eventually(() => expect(heard.isOver).toBe(true))
      expect(said()).toEqual(["Hi"])
    }
    expect((await listen(path, { token })).status).toBe(401)
    expect((await listen(path, { token: eve.token })).status).toBe(404)
  })

  test("is offered by the typed client, with the same news", async () => {
    const { sessionId, say: answer } = await chat()
    const { conversation } = createParleyClient({ url: there.address, token: here.token })
    const heard: ChatNews[] = []
    let isComplete = false
    conversation.listenToSession.subscribe(
      { sessionId },
      {
        onData: ({ data }) => void heard.push(data),
        onComplete: () => {
          isComplete = true
        },
      },
    )
    await answer("Ann")
    await answer("Bye")
    await eventually(() => expect(isComplete).toBe(true))
    expect(heard.map((each) => (each.type === "message" ? each.message.text : each.type))).toEqual([
      ...["listening", "Hi", "Ann", "Hello Ann", "Bye", "ended"],
    ])
  })
})

describe("lines of one millisecond", () => {
  test("are each read once, page by page and when another one comes", async () => {
    const { path, resultId, all, lines } = await spoken()
    for (const table of ["answers", "result_steps", "kept_messages"]) {
      await db.pool.query(`update ${table} set created_at = '2026-01-01' where result_id = $1`, [
        resultId,
      ])
    }
    const pages: string[] = []
    let query = "?limit=1"
    for (let hasMore = true; hasMore; ) {
      const page = await lines(query)
      pages.push(...page.messages.map(({ text }) => text))
      query = `?limit=1&after=${page.nextCursor}`
      hasMore = page.hasMore
    }
    expect(pages.toSorted()).toEqual(all.toSorted())
    await db.pool.query(
      `insert into kept_messages (result_id, id, session_id, message, created_at)
      select result_id, gen_random_uuid(), session_id, '{"type": "text", "text": "Late"}', created_at
      from kept_messages where result_id = $1 limit 1`,
      [resultId],
    )
    await db.pool.query(
      "update kept_messages set id = 'ffffffff-ffff-7fff-bfff-ffffffffffff' where message->>'text' = 'Late'",
    )
    const last = await lines(query)
    expect(last.messages).toMatchObject([{ text: "Late" }])
    expect((await lines(`?after=${last.nextCursor}`)).messages).toEqual([])
    const stream = await listen(path, { query: query.replace("limit=1&", "") })
    await eventually(() => expect(stream.said()).toEqual(["Late"]))
  })
})

test("reading after a position reads what follows alone, of a chat too long to read as a whole", async () => {
  const { path, resultId, lines, tell, reply } = await chat()
  await reply("Hello")
  const { nextCursor } = await lines()
  await db.pool.query(
    `insert into kept_messages (result_id, id, session_id, message, created_at)
    select result_id, gen_random_uuid(), session_id, jsonb_build_object('type', 'text', 'text', repeat('x', 100000)),
      created_at - interval '1 s'
    from kept_messages, generate_series(1, 170) where result_id = $1`,
    [resultId],
  )
  expect(await here.send("GET", `${path}/messages`)).toMatchObject({ status: 422 })
  await tell("More")
  expect((await lines(`?after=${nextCursor}`)).messages).toMatchObject([{ text: "More" }])
})

describe("watched chats", () => {
  /** The notifications of one process, by hand. */
  function notified() {
    const listeners = new Map<string, (payload: string) => void>()
    const sent: [channel: string, payload: string][] = []
    return {
      sent,
      say: (channel: string, payload: string) => listeners.get(channel)?.(payload),
      notifications: {
        on(channel: string, listener: (payload: string) => void) {
          listeners.set(channel, listener)
          return () => listeners.delete(channel)
        },
        async notify(channel: string, payload: string) {
          sent.push([channel, payload])
        },
      },
    }
  }

  /** Streams of one process. */
  function opened() {
    const { notifications, ...hand } = notified()
    const watched = openWatchedChats(notifications)
    const chats = openChatListeners({ chat: { db, log: silentLog() }, notifications, watched })
    onTestFinished(() => chats.close())
    const hear = (userId: string, workspaceId: string) => {
      const { signal } = new AbortController()
      return chats.hear({ resultId: "r", sessionId: "s", workspaceId, userId, signal })
    }
    return { ...hand, watched, hear }
  }

  test("are announced to every process, in notifications that hold many", async () => {
    const { sent, say, watched, hear } = opened()
    await hear("ann", "w").next()
    expect(sent).toEqual([["chats_watched", "r"]])
    const ids = Array.from({ length: 201 }, (_, at) => `${at}`)
    await watched.watch(ids)
    expect(sent.map(([, payload]) => payload.split(" ").length)).toEqual([1, 200, 1])
    expect(watched.ids.has("200")).toBe(false)
    say("chats_watched", "199 200")
    expect([watched.ids.has("200"), watched.ids.has("1")]).toEqual([true, false])
  })

  test("have their turns announced, others have not", async () => {
    const watchedChat = await chat()
    const other = await chat()
    const snapshots = createSnapshots(db)
    const effects = { isOutside: () => false, perform: () => Promise.reject(new Error("None")) }
    const { sent, notifications } = notified()
    const ids = new Set([watchedChat.resultId])
    const { notify } = notifications
    const process = openTestChat({ db, log: silentLog(), snapshots, effects, watched: ids, notify })
    for (const { sessionId } of [watchedChat, other]) {
      const from = { onlyBots: undefined, address: "", textFormat: "markdown" as const }
      await continueChat(process, { sessionId, message: { type: "text", text: "Ann" }, ...from })
    }
    expect(sent).toEqual([["session_told", watchedChat.resultId]])
  })

  test("wake a slow reader once, for any number of changes, and not for typing before them", async () => {
    const { say, hear } = opened()
    const stream = hear("ann", "w")
    const next = async () => (await stream.next()).value
    expect([await next(), await next()]).toEqual(["listening", "news"])
    for (const _ of [1, 2, 3]) {
      say("session_typing", "r person")
      say("session_told", "r")
    }
    expect(await next()).toBe("news")
    say("session_typing", "r team")
    say("session_typing", "r person")
    expect(await next()).toBe("typing")
  })

  test("take a bounded number of streams of a user and of a workspace", async () => {
    const { user, workspace } = caps.chatStreams.each
    const { hear } = opened()
    const streams = Array.from({ length: user }, () => hear("ann", "w"))
    for (const each of streams) await each.next()
    const refused = { code: "TOO_MANY_REQUESTS" }
    await expect(hear("ann", "w").next()).rejects.toMatchObject(refused)
    for (let at = user; at < workspace; at++) await hear(`user ${at}`, "w").next()
    await expect(hear("bob", "w").next()).rejects.toMatchObject(refused)
    await hear("bob", "other").next()
    await streams[0]?.return()
    await hear("bob", "w").next()
  })
})
