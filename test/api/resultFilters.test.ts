/** Filters and search of lists of results, and what answers are called. */
import { describe, expect, test } from "vitest"
import { firstUuidAt, newUuid } from "../../src/lib/ids.ts"
import { enoughMs, looksAt, readResultPage } from "../../src/results/listResults.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { insertDraft, insertPerson, insertTeam, recordChat } from "../support/people.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const everyId = { fromId: firstUuidAt(0), beforeId: firstUuidAt(2 ** 48 - 1) }

const server = await testServer()
const database = await testDatabase()

type Result = {
  id: string
  versionNumber?: number
  answers: { blockId: string; groupTitle?: string; variableName?: string; content: string }[]
}

async function list(botId: string, query: Record<string, string>) {
  const path = `/api/v1/bots/${botId}/results?${new URLSearchParams(query)}`
  const { status, body } = await server.send("GET", path)
  const results = (body.results ?? []) as Result[]
  return { status, body, results, ids: results.map(({ id }) => id) }
}

const flow = bot(
  group("Contact", ask.text({ saves: "Name", id: "name" }), ask.text({ id: "more" })),
  group("Bye", say("Bye")),
)

const hostile = [
  "100%",
  "a_b",
  `it's "quoted"`,
  "back\\slash",
  "(.*)[a-z]+^$|?{2}",
  "***=x",
  "شكرا \u202e جزيلا",
  "👩‍👩‍👧 family",
  "'; drop table results; --",
]

/** Chats with a bot, each with the replies given; returns their results, the first one first. */
async function chats(publicId: string, ...conversations: string[][]): Promise<string[]> {
  const ids: string[] = []
  for (const replies of conversations) {
    const chat = await chatOver(server, publicId)
    for (const text of replies) expect((await chat.say(text)).status).toBe(200)
    ids.push(chat.step.resultId)
  }
  return ids
}

test("results are filtered by whether their chats reached the end", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const [partial, completed] = await chats(publicId, ["Ann"], ["Bob", "nothing"])
  expect((await list(botId, { status: "partial" })).ids).toEqual([partial])
  expect((await list(botId, { status: "completed" })).ids).toEqual([completed])
  expect((await list(botId, { status: "other" })).status).toBe(400)
})

test("answers tell the group and the variable of their input, as it was in their version", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const [first] = await chats(publicId, ["Ann", "x"])
  const changed = bot(group("Person", ask.text({ saves: "Nick", id: "name" })))
  await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: changed, overwrite: true } })
  await server.send("POST", `/api/v1/bots/${botId}/publish`)
  const [second] = await chats(publicId, ["Bob"])
  const { results } = await list(botId, {})
  expect(results).toMatchObject([
    {
      id: second,
      versionNumber: 2,
      answers: [{ groupTitle: "Person", variableName: "Nick", content: "Bob" }],
    },
    {
      id: first,
      versionNumber: 1,
      answers: [
        { groupTitle: "Contact", variableName: "Name", content: "Ann" },
        { blockId: "more", groupTitle: "Contact", content: "x" },
      ],
    },
  ])
  expect(results[1]?.answers[1]).not.toHaveProperty("variableName")
  const one = await server.send("GET", `/api/v1/bots/${botId}/results/${first}`)
  expect(one.body.result).toEqual(results[1])
  expect((await list(botId, { version: "1" })).ids).toEqual([first])
  expect((await list(botId, { version: "3" })).status).toBe(404)
})

test("answers to inputs of a linked bot are named too", async () => {
  const linked = await publishBot(
    server,
    bot(group("Inside", ask.text({ saves: "Inner", id: "inner" }))),
  )
  const parent = bot(group("Outside", link(linked.botId, { mergeResults: true }), say("Bye")))
  const { botId, publicId } = await publishBot(server, parent)
  await chats(publicId, ["Ann"])
  expect((await list(botId, {})).results[0]?.answers).toMatchObject([
    { groupTitle: "Inside", variableName: "Inner", content: "Ann" },
  ])
})

describe("search", () => {
  test("finds a text in answers and in values of variables, in any case", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const [ann, bob] = await chats(publicId, ["Ann MÜLLER"], ["Bob", "straße"])
    expect((await list(botId, { search: "müller" })).ids).toEqual([ann])
    expect((await list(botId, { search: "STRASSE" })).ids).toEqual([])
    expect((await list(botId, { search: "STRAßE" })).ids).toEqual([bob])
    expect((await list(botId, { search: "b" })).ids).toEqual([bob])
    // Names and ids of variables are no values.
    expect((await list(botId, { search: "Name" })).ids).toEqual([])
  })

  test("finds letters with accents and without, and accents in one character or two", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const [plain, apart, whole] = await chats(publicId, ["Zoe"], ["ZOE\u0308 B"], ["Zoë"])
    for (const search of ["zoë", "zoe\u0308", "ZOE"]) {
      expect((await list(botId, { search })).ids).toEqual([whole, apart, plain])
    }
  })

  test("finds letters of ASCII by themselves and by others whose other case they are", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const [upper, lower] = await chats(publicId, ["XI [K]"], ["xi [k]"])
    for (const search of ["Xi [K", "xI [\u212a"]) {
      expect((await list(botId, { search })).ids).toEqual([lower, upper])
    }
    // The upper case of a dotless i is I; its own i is another letter.
    expect((await list(botId, { search: "xı [k]" })).ids).toEqual([upper])
    expect((await list(botId, { search: "xй" })).ids).toEqual([])
  })

  test("finds elements of lists", async () => {
    const owner = await insertPerson(database)
    const workspaceId = await insertTeam(database, [[owner, "ADMIN"]])
    const listBotId = await insertDraft(database, { workspaceId })
    const variables = [{ id: "v", name: "List", value: ["one", null, 'say "two"'] }]
    const row = { variables, hasStarted: true, isCompleted: false }
    await recordChat(database, { botId: listBotId, rows: { result: row } })
    const found = async (search: string) => {
      const filter = { botId: listBotId, ...everyId, search }
      return (await readResultPage(database, filter, { limit: 10 })).results.length
    }
    expect(await found("ONE")).toBe(1)
    expect(await found('"two"')).toBe(1)
    expect(await found('one", null')).toBe(0)
  })

  test("takes every text as it is", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const ids = await chats(publicId, ...hostile.map((text) => [`<${text}>`]), ["100 a-b"])
    for (const [index, text] of hostile.entries()) {
      expect((await list(botId, { search: text })).ids, text).toEqual([ids[index]])
    }
  })

  test("refuses texts that are empty or too long, and drops NUL like answers do", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const [id] = await chats(publicId, ["a\0b"])
    expect((await list(botId, { search: "a\0b" })).ids).toEqual([id])
    for (const search of ["", "\0", "x".repeat(201), "x".repeat(10_000)]) {
      const { status, body } = await list(botId, { search })
      expect(status).toBe(400)
      expect(body).toMatchObject({ detail: expect.stringContaining("search") })
    }
    const [longest] = await chats(publicId, ["Ä".repeat(200)])
    expect((await list(botId, { search: "ä".repeat(200) })).ids).toEqual([longest])
  })

  test("looks at a bounded number of results, fewer if that takes long, and goes on", async () => {
    const owner = await insertPerson(database)
    const workspaceId = await insertTeam(database, [[owner, "ADMIN"]])
    const botId = await insertDraft(database, { workspaceId })
    const { resultId } = await recordChat(database, { botId, startedAt: new Date(0) })
    const { least, page } = looksAt.texts
    await database.pool.query(
      `insert into results (result_id, bot_id, version_id, has_started)
      select (lpad(to_hex(1000 + i), 12, '0') || '7' || lpad('8', 19, '0'))::uuid, $1, $2, true
      from generate_series(1, $3) i`,
      [botId, newUuid(), page + 5],
    )
    const filter = { botId, ...everyId, search: resultId }
    const read = (startAt: string | undefined, now: () => number) =>
      readResultPage(database, filter, { limit: 10, startAt, now })
    const placeOf = (id = "") =>
      page + 5 - (Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - 1_000)
    let nowMs = 0
    const slow = await read(undefined, () => (nowMs += enoughMs))
    expect({ found: slow.results, looked: placeOf(slow.next) }).toEqual({
      found: [],
      looked: least,
    })
    const first = await read(undefined, () => 0)
    expect({ found: first.results, looked: placeOf(first.next) }).toEqual({
      found: [],
      looked: page,
    })
    const second = await read(first.next, () => 0)
    expect(second.results.map((row) => row.resultId)).toEqual([resultId])
    expect(second.next).toBeUndefined()
  })
})

describe("the key of a conversation", () => {
  test("finds all its results, ended ones too, and no others", async () => {
    const published = await publishBot(server, flow)
    const { botId, publicId } = published
    const key = "whatsapp:+55 11/999"
    const ann = conversationOf(server, published, key)
    const { resultId: first } = (await ann.send("Ann")).body
    expect((await ann.send("x")).body.conversation.state).toBe("ended")
    const { resultId: second } = (await ann.send("Ann again")).body
    await conversationOf(server, published, "whatsapp:+55 11/99").send("Ben")
    await chats(publicId, [key])
    const elsewhere = await publishBot(server, flow)
    await conversationOf(server, elsewhere, key).send("Ann")

    const ofAnn = { conversationKey: key }
    expect((await list(botId, ofAnn)).ids).toEqual([second, first])
    expect((await list(botId, { ...ofAnn, status: "completed" })).ids).toEqual([first])
    expect((await list(botId, { ...ofAnn, search: "again" })).ids).toEqual([second])
    const page = await list(botId, { ...ofAnn, limit: "1" })
    const cursor = String(page.body.nextCursor)
    expect((await list(botId, { ...ofAnn, limit: "1", cursor })).ids).toEqual([first])
    const path = `/api/v1/bots/${botId}/results/export?${new URLSearchParams(ofAnn)}`
    const file = await fetch(server.address + path, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const rows = (await file.text()).trimEnd().split("\r\n").slice(1)
    expect(rows.map((row) => row.split(",")[0])).toEqual([second, first])

    await server.send("DELETE", `/api/v1/bots/${botId}/results?resultIds=${first}`)
    expect((await list(botId, ofAnn)).ids).toEqual([second])
    expect((await list(botId, { ...ofAnn, timeFilter: "lastMonth" })).ids).toEqual([])
  })

  test("is taken as it is", async () => {
    const published = await publishBot(server, flow)
    const keys = [...hostile, "k".repeat(255), " ", "é", "É"]
    const ids: unknown[] = []
    for (const key of keys) {
      const { status, body } = await conversationOf(server, published, key).send("Hi")
      expect(status, key).toBe(200)
      ids.push(body.resultId)
    }
    for (const [index, conversationKey] of keys.entries()) {
      const found = await list(published.botId, { conversationKey })
      expect(found.ids, conversationKey).toEqual([ids[index]])
    }
    for (const unknown of ["%", "_", "k", `${keys[0]} `, "x".repeat(200)]) {
      expect((await list(published.botId, { conversationKey: unknown })).ids).toEqual([])
    }
    for (const wrong of ["", "\0", "x".repeat(256), "x".repeat(10_000)]) {
      expect((await list(published.botId, { conversationKey: wrong })).status).toBe(400)
    }
  })
})
