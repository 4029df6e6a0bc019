/** People who work on one bot hear what the others do, in whichever process: edits, publications, presence. */
import { getEventListeners } from "node:events"
import { afterAll, expect, onTestFinished, test, vi } from "vitest"
import { openBotListeners } from "../../src/bots/changes/botListeners.ts"
import { openPresence } from "../../src/bots/changes/presence.ts"
import { createParleyClient, isParleyError, type ParleyOutputs } from "../../src/client.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { tooManyRequests } from "../../src/lib/errors.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { appRouter } from "../../src/routers/app.ts"
import type { Services } from "../../src/routers/context.ts"
import { createCallerFactory } from "../../src/routers/trpc.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { contextOf, insertPerson } from "../support/people.ts"
import { publishBot } from "../support/publish.ts"
import { sendTo, testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const DATABASE_URL = await testDatabaseUrl()
const here = await testServer({ DATABASE_URL })
const there = await testServer({ DATABASE_URL })
const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
afterAll(() => db.close())

const { body: ann } = await here.send("GET", "/api/v1/users/me")
const bob = await createAccount(db, { email: "bob@example.com", name: "Bob" })
const asBob = sendTo(there.address, bob.token)
const { body: me } = await asBob("GET", "/api/v1/users/me")

/** A published bot that Bob may edit, with its revision. */
async function shared() {
  const { botId } = await publishBot(here, bot(group("A", say("Hi"))))
  const collaborator = { botId, userId: String(me.id), type: "WRITE" as const }
  await db.kysely.insertInto("botCollaborators").values(collaborator).execute()
  const { body } = await here.send("GET", `/api/v1/bots/${botId}`)
  const { revision } = body.bot as { revision: number }
  return { botId, path: `/api/v1/bots/${botId}`, revision }
}

const named = (id: string, changeId?: string) => ({
  edits: [{ type: "variable.put", variable: { id, name: id } }],
  ...(changeId !== undefined && { changeId }),
})

type Options = { token?: string; at?: string; lastId?: string; query?: string }

/** Listens to a bot; each event is its type and its data. */
async function listen(path: string, { token, at, lastId, query = "" }: Options = {}) {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const response = await fetch(`${at ?? here.address}${path}/changes${query}`, {
    headers: {
      authorization: `Bearer ${token ?? here.token}`,
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
      ([, type = "", id, data = ""]) => ({ type, id, ...JSON.parse(data) }),
    )
  await eventually(() => expect(events()).not.toEqual([]))
  return {
    heard,
    events,
    of: (type: string) => events().filter((each) => each.type === type),
    lastId: () => events().at(-1)?.id,
    leave: () => controller.abort(),
  }
}

test("two people hear of each other's edits, in different processes, and know their own", async () => {
  const { path, revision } = await shared()
  const first = await listen(path)
  const second = await listen(path, { token: bob.token, at: there.address })
  await here.send("POST", `${path}/edits`, { body: { revision, ...named("a", "mine") } })
  await asBob("POST", `${path}/edits`, { body: { revision, ...named("b") } })
  await asBob("POST", `${path}/edits/undo`, { body: { revision: revision + 2 } })
  for (const { of } of [first, second]) {
    await eventually(() => expect(of("edited")).toHaveLength(3))
    expect(of("edited")).toMatchObject([
      { id: `${revision + 1}`, kind: "edit", author: { id: ann.id }, ...named("a", "mine") },
      { revision: revision + 2, author: { id: me.id, name: "Bob" }, ...named("b") },
      { kind: "undo", target: revision + 2, edits: [{ type: "variable.remove" }] },
    ])
  }
  // A collaborator sees no addresses of members.
  expect(second.of("edited")[0].author).not.toHaveProperty("email")
})

test("a reader who comes back hears what was missed, once and in order", async () => {
  const { path, revision } = await shared()
  const before = await listen(path)
  await here.send("POST", `${path}/edits`, { body: { revision, ...named("a") } })
  await eventually(() => expect(before.of("edited")).toHaveLength(1))
  before.leave()
  const names = Array.from({ length: 25 }, (_, index) => `v${index}`)
  for (const name of names)
    await here.send("POST", `${path}/edits`, { body: { revision, ...named(name) } })
  const after = await listen(path, { lastId: before.lastId() })
  await eventually(() => expect(after.of("edited")).toHaveLength(names.length))
  const ids = after.of("edited").map(({ edits: [edit] }) => edit.variable.id)
  expect(ids).toEqual(names)
  expect(after.of("replaced")).toEqual([])
  const fromDraft = await listen(path, { query: `?revision=${revision}` })
  await eventually(() => expect(fromDraft.of("edited")).toHaveLength(names.length + 1))
})

test("a reader gets `replaced` when the whole draft changed, or too much", async () => {
  const { path, botId, revision } = await shared()
  const first = await listen(path)
  await here.send("PATCH", path, { body: { bot: { name: "New" } } })
  await here.send("POST", `${path}/edits`, { body: { revision: revision + 1, ...named("a") } })
  await eventually(() => expect(first.lastId()).toBe(`${revision + 2}`))
  expect(first.of("replaced")).not.toEqual([])
  // An edit that came after the change says nothing of it.
  const between = await listen(path, { lastId: `${revision}` })
  await eventually(() => expect(between.of("replaced")).toMatchObject([{ revision: revision + 2 }]))
  expect(between.of("edited")).toEqual([])
  await db.pool.query(
    `insert into bot_edits (bot_id, revision, kind, edits, inverses, elements, bytes)
    select $1, $2 + n, 'edit', '[]', '[]', '[]', 6 from generate_series(1, 1001) n`,
    [botId, revision + 2],
  )
  await db.pool.query("update bots set revision = revision + 1001 where id = $1", [botId])
  const far = await listen(path, { lastId: `${revision + 2}` })
  await eventually(() => expect(far.of("replaced")).toMatchObject([{ revision: revision + 1_003 }]))
  expect(far.of("edited")).toEqual([])
  const text = (id: string) => ({ id, type: "text", content: { plainText: "x".repeat(90_000) } })
  const group = { id: "g", title: "G", graphCoordinates: { x: 0, y: 0 } }
  const put = { type: "group.put", group: { ...group, blocks: ["1", "2", "3"].map(text) } }
  const large = { revision: revision + 1_003, edits: [put] }
  await here.send("POST", `${path}/edits`, { body: large })
  await eventually(() => expect(far.of("replaced")).toHaveLength(2))
  const ahead = await listen(path, { lastId: "2000000" })
  await eventually(() =>
    expect(ahead.of("replaced")).toMatchObject([{ revision: revision + 1_004 }]),
  )
})

test("the last publication is heard first, and then each", async () => {
  const { path } = await shared()
  await here.send("POST", `${path}/publish`, { body: { note: "Second" } })
  const { of } = await listen(path, { at: there.address })
  await eventually(() => expect(of("published")).toHaveLength(1))
  await here.send("POST", `${path}/unpublish`)
  await eventually(() => expect(of("published")).toHaveLength(2))
  expect(of("published").map(({ publication: { kind, note } }) => [kind, note])).toEqual([
    ["publish", "Second"],
    ["unpublish", undefined],
  ])
})

test("each publication is heard once, also what happens while a slow reader hears of others", async () => {
  const { botId, path, revision } = await shared()
  let ring = (_: string) => {}
  const notifications: Parameters<typeof openBotListeners>[0]["notifications"] = {
    on: (channel, listener) => {
      if (channel === "bot_changed") ring = listener
      return () => {}
    },
    notify: async () => {},
  }
  const listeners = openBotListeners({ db, log: silentLog(), notifications, processId: "slow" })
  const controller = new AbortController()
  const { signal } = controller
  const person = { userId: String(ann.id), name: null }
  const news = listeners.hear({ botId, person, admit: async () => {}, signal })
  onTestFinished(async () => {
    controller.abort()
    await news.return()
    listeners.close()
  })
  const next = async () => {
    const { value } = await news.next()
    return value?.type === "published" ? value.publication.note : value?.type
  }
  const publish = (note: string) => here.send("POST", `${path}/publish`, { body: { note } })

  expect([await next(), await next(), await next()]).toEqual(["listening", null, "present"])
  await here.send("POST", `${path}/edits`, { body: { revision, ...named("a") } })
  await publish("first")
  ring(botId)
  expect(await next()).toBe("edited")
  const notes = Array.from({ length: 12 }, (_, index) => `${index}`)
  for (const note of notes) await publish(note)
  const heard: unknown[] = []
  for (const _ of ["first", ...notes]) heard.push(await next())
  expect(heard).toEqual(["first", ...notes])
  await publish("last")
  ring(botId)
  expect(await next()).toBe("last")
})

test("everybody hears who is there and where, across processes", async () => {
  const { path } = await shared()
  const first = await listen(path)
  const second = await listen(path, { token: bob.token, at: there.address })
  const everybody = (...focus: (string | undefined)[]) => [
    expect.objectContaining({ userId: ann.id, ...(focus[0] && { focus: focus[0] }) }),
    expect.objectContaining({ userId: me.id, name: "Bob", ...(focus[1] && { focus: focus[1] }) }),
  ]
  const latest = ({ of }: typeof first) => of("present").at(-1)?.present
  const both = (people: unknown[]) =>
    eventually(() => {
      for (const each of [first, second]) {
        expect(latest(each)).toHaveLength(people.length)
        expect(latest(each)).toEqual(expect.arrayContaining(people))
      }
    })
  await both(everybody())
  // By way of the process in which they do not listen.
  await here.send("POST", `${path}/presence`, { token: bob.token, body: { focus: "b1" } })
  await both(everybody(undefined, "b1"))
  await asBob("POST", `${path}/presence`, { body: {} })
  await eventually(() => expect(latest(first)?.[1]).not.toHaveProperty("focus"))
  second.leave()
  await eventually(() => expect(latest(first)).toMatchObject([{ userId: ann.id }]))
})

test("a listener of a killed process disappears after a while", () => {
  let hear = (_payload: string) => {}
  let now = 0
  const clock = performance.now
  performance.now = () => now
  onTestFinished(() => {
    performance.now = clock
  })
  const notifications = {
    on: (_: string, listener: (payload: string) => void) => {
      hear = listener
      return () => {}
    },
    notify: async () => {},
  }
  const presence = openPresence({ notifications, processId: "own", repeatMs: 20_000 })
  onTestFinished(() => presence.close())
  const onChange = vi.fn()
  const leave = presence.enter("bot", { userId: "ann", name: "Ann", onChange })
  const note = { from: "other", botId: "bot", userId: "bob", name: "Bob" }
  hear(JSON.stringify({ ...note, kind: "here" }))
  // What is only repeated is no news.
  hear(JSON.stringify({ ...note, kind: "here" }))
  hear("not JSON")
  expect(onChange).toHaveBeenCalledTimes(1)
  const present = () => presence.list("bot").map(({ userId }) => userId)
  expect(present()).toEqual(["ann", "bob"])
  now = 61_000
  hear(JSON.stringify({ ...note, kind: "at", userId: "carol" }))
  expect(present()).toEqual(["ann"])
  leave()
  expect(present()).toEqual([])
})

test("a listener who connects again, to another process, keeps their focus", () => {
  const sent: string[] = []
  const listeners = new Set<(payload: string) => void>()
  const notifications = {
    on: (_: string, listener: (payload: string) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify: async (_: string, payload: string) => void sent.push(payload),
  }
  const deliver = () => {
    for (let note = sent.shift(); note !== undefined; note = sent.shift())
      for (const hear of listeners) hear(note)
  }
  const [one, other] = ["one", "other"].map((processId) => {
    const presence = openPresence({ notifications, processId })
    onTestFinished(() => presence.close())
    return presence
  })
  const bob = { userId: "bob", name: "Bob", onChange: () => {} }
  one?.enter("bot", bob)
  one?.focus("bot", { userId: "bob", focus: "b1" })
  const leave = other?.enter("bot", bob)
  deliver()
  const places = () => [one, other].flatMap((each) => each?.list("bot").map(({ focus }) => focus))
  expect(places()).toEqual(["b1", "b1"])
  other?.focus("bot", { userId: "bob" })
  deliver()
  expect(places()).toEqual([undefined, undefined])
  leave?.()
})

test("a removed member, and a revoked token, stop hearing", async () => {
  const { path, botId, revision } = await shared()
  const { body: made } = await asBob("POST", "/api/v1/users/me/api-tokens", { body: { name: "T" } })
  const { id, token } = made.apiToken as { id: string; token: string }
  const revoked = await listen(path, { token, at: there.address })
  const removed = await listen(path, { token: bob.token, at: there.address })
  await asBob("DELETE", `/api/v1/users/me/api-tokens/${id}`)
  await here.send("POST", `${path}/edits`, { body: { revision, ...named("a") } })
  await eventually(() => expect(removed.of("edited")).toHaveLength(1))
  await eventually(() => expect(revoked.heard.isOver).toBe(true))
  expect(revoked.of("edited")).toEqual([])
  await db.kysely.deleteFrom("botCollaborators").where("botId", "=", botId).execute()
  await here.send("POST", `${path}/edits`, { body: { revision, ...named("b") } })
  await eventually(() => expect(removed.heard.isOver).toBe(true))
  expect(removed.of("edited")).toHaveLength(1)
  const url = `${there.address}${path}/changes`
  const refused = await fetch(url, { headers: { authorization: `Bearer ${bob.token}` } })
  expect(refused.status).toBe(404)
})

test("the client gets the same, typed, and an error when it loses access", async () => {
  const { botId, revision } = await shared()
  const client = createParleyClient({ url: there.address, token: bob.token })
  const heard: ParleyOutputs["bot"]["changes"] extends AsyncIterable<infer Heard, unknown, unknown>
    ? Heard[]
    : never = []
  const errors: unknown[] = []
  const { unsubscribe } = client.bot.changes.subscribe(
    { botId },
    { onData: (each) => heard.push(each), onError: (error) => errors.push(error) },
  )
  onTestFinished(unsubscribe)
  await eventually(() => expect(heard[0]).toMatchObject({ id: `${revision}` }))
  const edits = [{ type: "bot.set" as const, name: "Shop" }]
  await client.bot.edit.mutate({ botId, revision, edits })
  await eventually(() => {
    const [edited] = heard.flatMap(({ data }) => (data.type === "edited" ? [data] : []))
    expect(edited?.edits).toEqual(edits)
  })
  await db.kysely.deleteFrom("botCollaborators").where("botId", "=", botId).execute()
  await here.send("POST", `/api/v1/bots/${botId}/edits`, {
    body: { revision: revision + 1, ...named("a") },
  })
  await eventually(() => expect(errors).toHaveLength(1))
  expect(isParleyError(errors[0]) && errors[0].data?.httpStatus).toBe(404)
})

test("of one bot so many streams are open at a time, and of one user", async () => {
  const { path } = await shared()
  const streams = []
  for (let count = 0; count < 30; count++) streams.push(await listen(path))
  const url = `${here.address}${path}/changes`
  const refused = await fetch(url, { headers: { authorization: `Bearer ${here.token}` } })
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ data: { limit: "openStreams" } })
  streams.pop()?.leave()
  await eventually(async () => {
    await listen(path)
  })
})

test("a stream that is refused leaves nothing behind", async () => {
  const person = await insertPerson(db)
  const { signal: stopping } = new AbortController()
  const admit = () => {
    throw tooManyRequests("openStreams", "Too many", 1)
  }
  const live = { stopping, admit } as unknown as Services["live"]
  const context = contextOf(db, { live, findCaller: async () => person }, "Bearer any")
  const changes = await createCallerFactory(appRouter)(context).bot.changes({ botId: "any" })
  await expect(changes[Symbol.asyncIterator]().next()).rejects.toThrow("Too many")
  expect(getEventListeners(stopping, "abort")).toEqual([])
})

test("a listener who leaves another process disappears at once, and the others stay", () => {
  const listeners = new Set<(payload: string) => void>()
  const notifications = {
    on: (_: string, listener: (payload: string) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify: async (_: string, payload: string) => {
      for (const listener of [...listeners]) listener(payload)
    },
  }
  const [here, there] = ["here", "there"].map((processId) => {
    const presence = openPresence({ notifications, processId })
    onTestFinished(() => presence.close())
    return presence
  }) as [ReturnType<typeof openPresence>, ReturnType<typeof openPresence>]
  const onChange = vi.fn()
  const person = (userId: string) => ({ userId, name: userId, onChange: () => {} })
  here.enter("bot", { ...person("ann"), onChange })
  const leaves = ["bob", "carol"].map((userId) => there.enter("bot", person(userId)))
  const leaveElsewhere = there.enter("other", person("carol"))
  const present = () => here.list("bot").map(({ userId }) => userId)
  expect(present()).toEqual(["ann", "bob", "carol"])
  const before = onChange.mock.calls.length
  leaveElsewhere()
  leaves[0]?.()
  expect(present()).toEqual(["ann", "carol"])
  expect(onChange).toHaveBeenCalledTimes(before + 1)
  leaves[1]?.()
  expect(present()).toEqual(["ann"])
})
