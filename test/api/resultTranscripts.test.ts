/** Transcripts of conversations: what was said, told from what is kept with the turns. */
import { afterAll, describe, expect, test } from "vitest"
import { findHistory } from "../../src/db/chats/runnable.ts"
import { openDatabase } from "../../src/db/connection/open.ts"
import { ask, bot, group, link, say, set } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, type PublishedBot, publishBot } from "../support/publish.ts"
import { recordOf, said, talkTo } from "../support/recordedChats.ts"
import { testServer } from "../support/server.ts"

const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl })
const database = await openDatabase({ url: databaseUrl, poolSize: 1 })
afterAll(() => database.close())

const talk = (published: PublishedBot, ...texts: string[]) => talkTo(server, published, ...texts)

describe("11.9 a transcript", () => {
  test("has the lines of bot and person, and is a page in Markdown", async () => {
    const flow = bot(
      group("Hello", say("Who?"), ask.text({ saves: "Name", id: "name" }), say("Hi {{Name}}")),
    )
    const chat = await talk(await publishBot(server, flow), "Ann")
    const told = await chat.transcript()
    expect(told).toMatchObject({ isExact: true, reasons: [] })
    expect(said(told)).toEqual(["bot: Who?", "person: Ann", "bot: Hi Ann"])
    expect(told.lines[1]).toMatchObject({ groupTitle: "Hello", blockId: "name", type: "text" })
    const { markdown = "" } = await chat.markdown()
    expect(markdown).toMatch(/^## Hello\n\n\*\*Bot\*\* [\d -:]+\n\n> Who\?\n/)
    expect(markdown).toContain("> Ann\n")
  })

  test("goes through linked bots, whose results are their own", async () => {
    const child = bot(
      group("Child", ask.text({ saves: "Inner", id: "inner" }), say("So {{Inner}}", { id: "so" })),
    )
    const linked = await publishBot(server, child)
    const into = link(linked.botId, { mergeResults: false })
    const flow = bot(group("Parent", say("In", { id: "in" }), into, say("Out", { id: "out" })))
    const chat = await talk(await publishBot(server, flow), "Ann")
    const told = await chat.transcript()
    expect(said(told)).toEqual(["bot: In", "person: Ann", "bot: So Ann", "bot: Out"])
    expect(told.isExact).toBe(true)
  })

  test("goes on when a person comes back to a newer version", async () => {
    const settings = { general: { rememberUser: { isEnabled: true } } }
    const flow = { ...bot(group("One", ask.text({ saves: "Name", id: "name" }))), settings }
    const published = await publishBot(server, flow)
    const { resultId, transcript } = await talk(published, "Ann")
    const newer = bot(group("Two", say("Again, {{Name}}", { id: "again" }), ask.text({ id: "x" })))
    await server.send("PATCH", `/api/v1/bots/${published.botId}`, {
      body: { bot: { ...newer, settings }, overwrite: true },
    })
    await server.send("POST", `/api/v1/bots/${published.botId}/publish`)
    const back = await chatOver(server, published.publicId, { resultId })
    expect(back.step.resultId).toBe(resultId)
    await back.say("Yes")
    expect(said(await transcript())).toEqual(["person: Ann", "bot: Again, Ann", "person: Yes"])
  })

  test("says where code has run once more", async () => {
    const flow = bot(group("A", say("{{=1 + 1=}} {{=Date.now()=}}"), ask.text()))
    const chat = await talk(await publishBot(server, flow))
    const told = await chat.transcript()
    expect(told.lines[0]?.text).toMatch(/^2 \d+$/)
    expect(told).toMatchObject({ isExact: false, reasons: [expect.stringContaining("holds code")] })
  })

  test("goes through a linked bot that asks more than once", async () => {
    const child = bot(
      group("Child", ask.text({ saves: "One" }), say("{{One}}?"), ask.text(), say("Good")),
    )
    const linked = await publishBot(server, child)
    const flow = bot(group("Parent", link(linked.botId, { mergeResults: false }), say("Out")))
    const chat = await talk(await publishBot(server, flow), "a", "b")
    const told = await chat.transcript()
    expect(said(told)).toEqual(["person: a", "bot: a?", "person: b", "bot: Good", "bot: Out"])
    expect(told.isExact).toBe(true)
  })

  test("ends with a question that was skipped", async () => {
    const flow = bot(
      group("A", say("Hi"), ask.text(), say("A file?"), ask.file({ isRequired: false })),
    )
    const published = await publishBot(server, flow)
    const chat = await chatOver(server, published.publicId)
    await chat.say("Ann")
    expect((await chat.say()).body).not.toHaveProperty("input")
    const told = await recordOf(server, published, chat.step.resultId).transcript()
    expect(said(told)).toEqual(["bot: Hi", "person: Ann", "bot: A file?"])
    expect(told.isExact).toBe(true)
  })

  test("has what was said while the chat was paused, where it was said", async () => {
    const flow = bot(group("A", say("Who?"), ask.text({ saves: "Name" }), say("Hi {{Name}}")))
    const published = await publishBot(server, { ...flow, name: "Paused" })
    const ann = conversationOf(server, published, "ann")
    const { resultId } = (await ann.send()).body
    await ann.change({ state: "paused" })
    await ann.send("Is anybody there?")
    const files = ["https://files.example/a.png"]
    await ann.send({ type: "text", text: "Look", attachedFileUrls: files })
    await ann.send({ type: "audio", url: "https://files.example/a.mp3" })
    await ann.change({ state: "active" })
    await ann.send("Ann")
    const record = recordOf(server, published, resultId)
    const told = await record.transcript()
    expect(said(told)).toEqual([
      "bot: Who?",
      "person: Is anybody there?",
      `person: ${files[0]}\n\nLook`,
      "person: https://files.example/a.mp3",
      "person: Ann",
      "bot: Hi Ann",
    ])
    expect(told.isExact).toBe(true)
    const kept = told.lines.filter(({ wasPaused }) => wasPaused)
    expect(kept.map(({ type, blockId }) => [type, blockId])).toEqual([
      ["text", undefined],
      ["text", undefined],
      ["audio", undefined],
    ])
    const { markdown = "" } = await record.markdown()
    expect(markdown).toMatch(/\*\*Person\*\* [\d -:]+ \(paused\)\n\n> Is anybody there\?\n/)
    expect(markdown.match(/^## A$/gm)).toHaveLength(1)
  })

  test("knows what was set from outside", async () => {
    const flow = bot(
      { variables: { Tag: null, Quiet: null } },
      group("A", ask.text({ id: "in" }), say("Tag {{Tag}}"), ask.text()),
    )
    const published = await publishBot(server, flow)
    const ann = conversationOf(server, published, "ann")
    const { resultId } = (await ann.send()).body
    await ann.change({ variables: { Tag: "set outside", Quiet: "unseen" } })
    await ann.send("Ann")
    const record = recordOf(server, published, resultId)
    const told = await record.transcript()
    expect(said(told)).toEqual(["person: Ann", "bot: Tag set outside"])
    expect(told.isExact).toBe(true)
    const { turns } = await record.trace()
    expect(turns.flatMap(({ variables }) => variables).map(({ name }) => name)).toEqual([
      "Tag",
      "Quiet",
    ])
  })

  test("says where a bot that waited was told something", async () => {
    const linked = await publishBot(server, bot(group("Child", ask.text())))
    const into = link(linked.botId, { mergeResults: false })
    const flow = bot({ variables: { Tag: null } }, group("A", say("Hi"), into, say("Tag {{Tag}}")))
    const published = await publishBot(server, flow)
    const ann = conversationOf(server, published, "ann")
    const { resultId } = (await ann.send()).body
    await ann.change({ variables: { Tag: "set outside" } })
    await ann.send("Ann")
    const { isExact, reasons } = await recordOf(server, published, resultId).transcript()
    expect({ isExact, reasons }).toEqual({
      isExact: false,
      reasons: [expect.stringContaining("linked bot")],
    })
  })

  test("says where a session variable was shown, whose values are not kept", async () => {
    const parts = { sessionVariables: ["Pin"] }
    const flow = bot(parts, group("A", set("Pin", "secret"), say("It is {{Pin}}"), ask.text()))
    const chat = await talk(await publishBot(server, flow))
    const { lines, isExact, reasons } = await chat.transcript()
    expect({ texts: lines.map(({ text }) => text.trim()), isExact, reasons }).toEqual({
      texts: ["It is"],
      isExact: false,
      reasons: [expect.stringContaining("session variable")],
    })
  })

  test("says that values are gone where nobody answered", async () => {
    const flow = bot(group("A", set("Name", "Ann"), say("Hi {{Name}}"), ask.text()))
    const published = await publishBot(server, flow)
    const chat = await talk(published)
    expect((await chat.transcript()).isExact).toBe(true)
    const earlier = new Date(Date.now() - 3 * 3_600_000)
    for (const change of [
      "update parley_migrations set applied_at = $1",
      "update results set created_at = $1",
      "update result_steps set created_at = $1",
    ]) {
      await database.pool.query(change, [earlier])
    }
    const { isExact, reasons } = await chat.transcript()
    expect({ isExact, reasons }).toEqual({
      isExact: false,
      reasons: [expect.stringContaining("Nobody answered")],
    })
  })
})

test("a chat reads nothing for a transcript of itself that no turn could take", async () => {
  const flow = bot(
    group("A", ask.text({ saves: "Name" }), set("T", "", { type: "Transcript" }), ask.text()),
  )
  const { publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  await database.pool.query(
    `insert into answers (result_id, idx, block_id, content)
    select $1, n, 'gone', repeat('x', 1000000) from generate_series(100, 108) n`,
    [chat.step.resultId],
  )
  expect(await findHistory(database, chat.step.resultId)).toBeUndefined()
  const { status, body } = await chat.say("Ann")
  expect({ status, code: body.code }).toEqual({ status: 422, code: "FLOW_TOO_EXPENSIVE" })
})
