/** Transcripts of conversations: what was said, told from what is kept with the turns. */
import { afterAll, describe, expect, test } from "vitest"
import type { Chat } from "../../src/chat/chat.ts"
import { findHistory } from "../../src/db/chats/runnable.ts"
import { emptyUnanswered } from "../../src/db/chats/unanswered.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { rebuildConversation } from "../../src/engine/recorded/rebuildConversation.ts"
import { readChat } from "../../src/results/readChat.ts"
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

  test("has replies that were refused, and choices by their labels", async () => {
    const flow = bot(
      group(
        "Ask",
        ask.email({ saves: "Mail" }),
        ask.choice([{ content: "Yes, please", value: "1" }], { saves: "Wish" }),
        say("Thanks {{Wish}}"),
      ),
    )
    const chat = await talk(await publishBot(server, flow), "none", "ann@example.com", "1")
    const told = await chat.transcript()
    expect(said(told)).toEqual([
      "person: none",
      expect.stringMatching(/^bot: .*email/),
      "person: ann@example.com",
      "person: Yes, please",
      "bot: Thanks 1",
    ])
    expect(told.isExact).toBe(true)
    expect((await chat.trace()).turns).toHaveLength(3)
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

  test("has the turns of two chats of one result apart, though they took them at once", async () => {
    const settings = { general: { rememberUser: { isEnabled: true } } }
    const flow = bot({ settings }, group("A", ask.text({ id: "a" }), say("Thanks"), ask.text()))
    const published = await publishBot(server, flow)
    const { resultId, transcript } = await talk(published, "One")
    await (await chatOver(server, published.publicId, { resultId })).say("Two")
    await database.pool.query("update answers set created_at = $2 where result_id = $1", [
      resultId,
      new Date(),
    ])
    expect(said(await transcript())).toEqual([
      "person: One",
      "bot: Thanks",
      "person: Two",
      "bot: Thanks",
    ])
  })

  test("has what code in a text gave, which does not run again", async () => {
    const flow = bot(group("A", say("{{=1 + 1=}} {{=Date.now()=}}"), ask.text()))
    const published = await publishBot(server, flow)
    const chat = await chatOver(server, published.publicId)
    const shown = chat.step.messages.map(({ content }) => content.markdown)
    const told = await recordOf(server, published, chat.step.resultId).transcript()
    expect(told.lines.map(({ text }) => text)).toEqual(shown)
    expect(told.isExact).toBe(true)
  })

  test("needs neither the flow nor anything that could run it", async () => {
    const flow = bot(group("A", say("{{=6 * 7=}}"), ask.text({ saves: "N" }), say("Hi {{N}}")))
    const published = await publishBot(server, flow)
    const { resultId } = await talk(published, "Ann")
    // The version is gone, and there are no effects.
    const chat = { snapshots: { load: async () => undefined } } as unknown as Chat
    const { turns, bots } = await readChat(
      { db: database, chat },
      { botId: published.botId, resultId },
    )
    const { lines, ...missing } = rebuildConversation(turns, [], bots)
    expect(lines.map(({ text, groupTitle }) => [text, groupTitle])).toEqual([
      ["42", undefined],
      ["Ann", undefined],
      ["Hi Ann", undefined],
    ])
    expect(missing).toEqual({ isOld: false, isPartial: false })
  })

  test("of a linked bot is its own part, which goes with its result", async () => {
    const child = bot(group("Child", say("Who?"), ask.text({ saves: "Inner" }), say("{{Inner}}!")))
    const linked = await publishBot(server, child)
    const into = link(linked.botId, { mergeResults: false })
    const flow = bot(group("Parent", say("In"), into, say("Out"), ask.text({ id: "last" })))
    const chat = await talk(await publishBot(server, flow), "Ann")
    const { body } = await server.send("GET", `/api/v1/bots/${linked.botId}/results`)
    const [{ id }] = body.results as [{ id: string }]
    const own = recordOf(server, linked, id)
    expect(said(await own.transcript())).toEqual(["bot: Who?", "person: Ann", "bot: Ann!"])
    const { turns } = await own.trace()
    expect(turns.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ["text", "text input"],
      ["text"],
    ])
    const path = `/api/v1/bots/${linked.botId}/results?resultIds=${id}`
    expect((await server.send("DELETE", path)).status).toBe(200)
    expect(said(await chat.transcript())).toEqual(["bot: In", "bot: Out"])
  })

  test("has the beginning of long texts, and whole answers", async () => {
    const long = "y".repeat(1_001)
    const flow = bot({ variables: { Long: long } }, group("A", say("{{Long}}"), ask.text()))
    const { lines, isExact, reasons } = await (
      await talk(await publishBot(server, flow), long)
    ).transcript()
    expect(lines.map(({ text }) => text)).toEqual([`${"y".repeat(999)}…`, long])
    expect({ isExact, reasons }).toEqual({
      isExact: false,
      reasons: [expect.stringContaining("Long texts are cut")],
    })
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

  test("knows what was set while the bot waited for another one", async () => {
    const linked = await publishBot(server, bot(group("Child", ask.text())))
    const into = link(linked.botId, { mergeResults: false })
    const flow = bot({ variables: { Tag: null } }, group("A", say("Hi"), into, say("Tag {{Tag}}")))
    const published = await publishBot(server, flow)
    const ann = conversationOf(server, published, "ann")
    const { resultId } = (await ann.send()).body
    await ann.change({ variables: { Tag: "set outside" } })
    await ann.send("Ann")
    const told = await recordOf(server, published, resultId).transcript()
    expect(said(told)).toEqual(["bot: Hi", "person: Ann", "bot: Tag set outside"])
    expect(told.isExact).toBe(true)
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

  test("is missing where no answer came in time", async () => {
    const flow = bot(group("A", set("Name", "Ann"), say("Hi {{Name}}"), ask.text()))
    const chat = await talk(await publishBot(server, flow))
    expect(said(await chat.transcript())).toEqual(["bot: Hi Ann"])
    await database.pool.query("delete from chat_sessions where result_id = $1", [chat.resultId])
    await emptyUnanswered(database, [chat.resultId], { resultIds: [], sessionIds: [] })
    expect(await chat.transcript()).toEqual({
      lines: [],
      isExact: false,
      reasons: [expect.stringContaining("no answer came in time")],
    })
  })

  test("of a former version has its answers, and says so", async () => {
    const flow = bot(group("A", say("Hi"), ask.text({ saves: "Name" }), say("Bye"), ask.text()))
    const published = await publishBot(server, flow)
    const chat = await chatOver(server, published.publicId)
    await chat.say("Ann")
    const { resultId } = chat.step
    // As it stored them: nothing that was shown, ways, and calls by the place of a visit.
    const trace = { path: ["gone", 2], calls: [[0, "http", 200, 5]] }
    for (const forget of [
      "update answers set shown = null where result_id = $1",
      `update result_steps set shown = null, trace = '${JSON.stringify(trace)}' where result_id = $1`,
    ]) {
      await database.pool.query(forget, [resultId])
    }
    const record = recordOf(server, published, resultId)
    const former = await record.transcript()
    expect(said(former)).toEqual(["person: Ann"])
    expect(former.reasons).toEqual([expect.stringContaining("an earlier version")])
    const { isTraced, turns } = await record.trace()
    const calls = [{ kind: "http", status: "done", httpStatus: 200, ms: 5 }]
    expect({ isTraced, first: turns[0] }).toMatchObject({
      isTraced: false,
      first: { blocks: [], calls },
    })
    expect(turns[0]?.calls[0]).not.toHaveProperty("blockId")
    // It goes on with the present one.
    await chat.say("Done")
    expect(said(await record.transcript())).toEqual(["person: Ann", "person: Done"])
  })
})

test.each([
  ["content", "repeat('x', 1000000)"],
  ["content, attached_file_urls", "'', to_jsonb(array[repeat('x', 1000000)])"],
])("a chat reads no %s for a transcript of itself that no turn could take", async (columns, values) => {
  const flow = bot(
    group("A", ask.text({ saves: "Name" }), set("T", "", { type: "Transcript" }), ask.text()),
  )
  const { publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  await database.pool.query(
    `insert into answers (result_id, idx, block_id, ${columns})
    select $1, n, 'gone', ${values} from generate_series(100, 108) n`,
    [chat.step.resultId],
  )
  expect(await findHistory(database, chat.step.resultId)).toBeUndefined()
  const { status, body } = await chat.say("Ann")
  expect({ status, reason: body.reason }).toEqual({ status: 422, reason: "FLOW_TOO_EXPENSIVE" })
})
