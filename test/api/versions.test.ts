/** Bots of every version in the service: imported, stored since long ago, published, run, exported. */
import { afterAll, describe, expect, test } from "vitest"
import { largeBot } from "../../scripts/bench/largeBot.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { newId } from "../../src/lib/ids.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { fixtureBot, fixtureNames, readFixture } from "../support/fixtureBots.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

type Json = Record<string, unknown>

const DATABASE_URL = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL, PARLEY_DEFAULT_PLAN: "PRO" })
const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
afterAll(() => db.close())

const { workspaceId } = server

const oldNames = fixtureNames.filter((name) => !name.startsWith("v6"))
const read = async (path: string) => (await server.send("GET", `/api/v1/bots/${path}`)).body
const botOf = async (path: string) => (await read(path)).bot as Json

async function importBot(bot: object): Promise<Json> {
  const { body } = await server.send("POST", "/api/v1/bots/import", { body: { workspaceId, bot } })
  expect(body, JSON.stringify(body)).toHaveProperty("bot")
  return body.bot as Json
}

/** Puts a bot of an old version into the database as it would lie there since long ago. */
async function store(name: string, change = (text: string) => text): Promise<string> {
  const bot = JSON.parse(change(JSON.stringify(fixtureBot(name)))) as Json
  const id = newId()
  const json = (member: unknown) => JSON.stringify(member)
  await db.kysely
    .insertInto("bots")
    .values({
      id,
      workspaceId,
      name,
      version: String(bot.version ?? "3"),
      events: null,
      groups: json(bot.groups),
      edges: json(bot.edges),
      variables: json(bot.variables),
      theme: json(bot.theme),
      settings: json(bot.settings),
      publicId: `${name.replace(".", "-")}-${id}`,
    })
    .execute()
  return id
}

/** Rows as texts, with what tells of every write to them. */
async function rowsOf(table: "bots" | "bot_versions" | "published_bots", botId: string) {
  const column = table === "bots" ? "id" : "bot_id"
  const sql = `select t::text as row, t.xmin::text, t.ctid::text from ${table} t where ${column} = $1`
  const { rows } = await db.pool.query(sql, [botId])
  expect(rows).toHaveLength(1)
  return rows
}

async function publish(botId: string): Promise<string> {
  const { body } = await server.send("POST", `/api/v1/bots/${botId}/publish`)
  expect(body, JSON.stringify(body)).toMatchObject({ message: "success" })
  return String(body.publicId)
}

/** What an import makes of a flow on top of converting it. */
function sanitised(name: string): Json {
  const { latest } = readFixture(name)
  const isAnswer = new Set(
    latest.groups.flatMap(({ blocks }) =>
      blocks.flatMap((block) => {
        const { options } = block as { options?: { variableId?: string } }
        return / input$/.test(block.type) && options?.variableId ? [options.variableId] : []
      }),
    ),
  )
  const variables = latest.variables.map((variable) =>
    isAnswer.has(variable.id) ? { ...variable, isSessionVariable: false } : variable,
  )
  const text = JSON.stringify({ ...latest, variables })
  // The credential is of another workspace. Ids of new parts are not known before.
  return JSON.parse(text.replaceAll('"credentialsId":"credentials",', ""), (_, value) =>
    typeof value === "string" && /^new\d$/.test(value) ? expect.any(String) : value,
  )
}

describe.each(fixtureNames)("%s", (name) => {
  test("comes back as it was sent, apart from what an import changes", async () => {
    const sent = fixtureBot(name)
    const { id } = await importBot(sent)
    const bot = await botOf(String(id))
    expect(bot).toMatchObject(sanitised(name))
    for (const part of ["events", "groups", "edges", "variables", "theme", "settings"]) {
      expect(bot[part]).toEqual(sanitised(name)[part])
    }
    expect(bot).toMatchObject({
      name: sent.name,
      icon: sent.icon ?? null,
      publicId: null,
      workspaceId,
    })
    expect(bot.id).not.toBe(sent.id)
  })

  test("exported and imported again is the same bot under another id", async () => {
    const bot = await botOf(String((await importBot(fixtureBot(name))).id))
    const again = await importBot(bot)
    const { id, createdAt, updatedAt } = again
    expect(again).toEqual({ ...bot, id, createdAt, updatedAt })
    expect(again.id).not.toBe(bot.id)
  })
})

describe.each(oldNames)("%s in the database", (name) => {
  test("is shown in its own version, and in the latest when asked, without a write", async () => {
    const id = await store(name)
    const before = await rowsOf("bots", id)
    const { sent, latest } = readFixture(name)
    const parts = (flow: Json) => ({
      version: flow.version,
      groups: flow.groups,
      edges: flow.edges,
    })
    const own = await botOf(id)
    expect(own).toMatchObject({ ...parts(sent), events: null })
    const asked = await botOf(`${id}?migrateToLatestVersion=true`)
    expect(asked).toMatchObject({ version: "6.1", updatedAt: own.updatedAt })
    const ids = (flow: Json) => (flow.groups as { id: string }[]).map((group) => group.id)
    expect(ids(asked)).toEqual(ids(latest))
    expect(await rowsOf("bots", id)).toEqual(before)
  })

  test("is published and run in its own version, and its publication shown in both", async () => {
    const id = await store(name)
    const publicId = await publish(id)
    const { version } = readFixture(name).sent
    const chat = await server.send("POST", `/api/v1/bots/${publicId}/startChat`, { body: {} })
    expect(chat.body.bot).toMatchObject({ id, version })
    const before = [await rowsOf("bot_versions", id), await rowsOf("published_bots", id)]
    const shown = { version, publishedBot: { botId: id, version, events: null } }
    expect(await read(`${id}/publishedBot`)).toMatchObject(shown)
    expect(await read(`${id}/publishedBot?migrateToLatestVersion=true`)).toMatchObject({
      version,
      publishedBot: { botId: id, version: "6.1", events: [{ type: "start" }] },
    })
    expect([await rowsOf("bot_versions", id), await rowsOf("published_bots", id)]).toEqual(before)
  })
})

describe("a published bot", () => {
  const saidFirst = async (publicId: string) => textsOf((await chatOver(server, publicId)).step)[0]

  test("prints lists as the version that it is stored in does", async () => {
    expect(await saidFirst(await publish(await store("v5-lists")))).toBe("Your colours: blue")
    const { publicId } = await publishBot(server, fixtureBot("v5-lists"))
    expect(await saidFirst(publicId)).toBe(String.raw`Your colours: \["red","green","blue"\]`)
  })

  test("begins at the block or at the event that its version has", async () => {
    const chat = await chatOver(server, await publish(await store("v5-start-among-others")))
    expect(chat.step).toMatchObject({ messages: [], input: { id: "b-ask" }, bot: { version: "5" } })
    expect(textsOf((await chat.say("x")).body)).toEqual(["Here again", "The end"])
    const events = await publishBot(server, fixtureBot("v6-events"))
    expect((await chatOver(server, events.publicId)).step).toMatchObject({
      input: { id: "b-ask" },
      bot: { version: "6" },
    })
  })

  test("merges the results of links as its version does", async () => {
    const kid = await store("v5-linked")
    await publish(kid)
    const toKid = (text: string) => text.replaceAll('"kid"', JSON.stringify(kid))
    const heard = async (publicId: string) => {
      const chat = await chatOver(server, publicId)
      expect(chat.step.input).toMatchObject({ id: "b-ask" })
      return textsOf((await chat.say("x")).body)
    }
    const old = await store("v5-links", toKid)
    expect(await heard(await publish(old))).toEqual(["After the first: x"])
    const latest = JSON.parse(toKid(JSON.stringify(fixtureBot("v5-links"))))
    expect(await heard((await publishBot(server, latest)).publicId)).toEqual(["After the first: "])
  })

  test("goes on in its version when the draft is brought to the latest meanwhile", async () => {
    const id = await store("v5-lists")
    const publicId = await publish(id)
    const { version, events, groups, edges } = await botOf(`${id}?migrateToLatestVersion=true`)
    const body = { bot: { version, events, groups, edges } }
    expect((await server.send("PATCH", `/api/v1/bots/${id}`, { body })).status).toBe(200)
    expect(await saidFirst(publicId)).toBe("Your colours: blue")
    expect(await read(`${id}/publishedBot`)).toMatchObject({ version: "5" })
    await publish(id)
    expect(await saidFirst(publicId)).toBe(String.raw`Your colours: \["red","green","blue"\]`)
    expect(await read(`${id}/publishedBot`)).toMatchObject({ version: "6.1" })
  })
})

test("an update stores the version that it names and answers with the latest", async () => {
  const id = await store("v5-quiz")
  const { groups, edges } = fixtureBot("v4-hooks")
  const body = { bot: { version: "4", groups, edges } }
  const { body: answer } = await server.send("PATCH", `/api/v1/bots/${id}`, { body })
  expect(answer.bot).toMatchObject({ version: "6.1", events: [{ id: "g-start" }] })
  expect(await botOf(id)).toMatchObject({ version: "4", events: null, groups })
})

test("a file without a start is refused with a pointer", async () => {
  const at = async (bot: object) => {
    const body = { workspaceId, bot }
    const refused = await server.send("POST", "/api/v1/bots/import", { body })
    const { message, issues } = refused.body
    return [refused.status, message, (issues as { pointer: string }[])[0]?.pointer]
  }
  const message = "Invalid bot file: start event is missing"
  expect(await at({ version: "5", groups: [] })).toEqual([400, message, "/bot/groups"])
  expect(await at({ version: "6", groups: [] })).toEqual([400, message, "/bot/events"])
})

test("links keep the names that the file gives them", async () => {
  const options = { groupId: "g", mergeResults: true }
  const blocks = [
    { id: "a", type: "Typebot link", options: { typebotId: "current", ...options } },
    { id: "b", type: "Bot link", options: { botId: "current", ...options } },
  ]
  const file = fixtureBot("v6.1-services")
  const groups = [{ ...(file.groups as Json[])[0], blocks }]
  const bot = await importBot({ ...file, typebotId: "of-a-dump", groups })
  expect(bot.groups).toEqual(groups)
  expect(bot).not.toHaveProperty("typebotId")
})

test("the largest bot is imported, published and talked to", async () => {
  const sent = largeBot()
  const size = JSON.stringify(sent).length
  expect(size).toBeGreaterThan(4_000_000)
  expect(sent.groups.flatMap(({ blocks }) => blocks)).toHaveLength(5_000)
  const { botId, publicId } = await publishBot(server, sent)
  expect((await botOf(botId)).groups).toEqual(sent.groups)
  const chat = await chatOver(server, publicId)
  expect(chat.step).toMatchObject({ input: { id: "0-name" } })
  const { body } = await chat.say("Ann")
  expect(textsOf(body)[0]).toMatch(/^Thank you, Ann!/)
  expect(body.input).toMatchObject({ id: "0-pick" })
})
