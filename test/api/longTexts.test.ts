/** Texts that are too long: an import cuts them and says so, a change is refused, stored ones go on. */
import { afterAll, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { maxLengths } from "../../src/engine/schema/bounds.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const url = await testDatabaseUrl()
const database = await openDatabase({ url, poolSize: 1 })
afterAll(() => database.close())
const server = await testServer({ DATABASE_URL: url })
const { workspaceId } = server

const longName = "N".repeat(200_000)

type Imported = {
  bot: { id: string; name: string; variables: { name: string }[]; groups: { title: string }[] }
  warnings?: { pointer: string; place: string; rule: string }[]
}

async function importBot(flow: object): Promise<Imported> {
  const reply = await server.send("POST", "/api/v1/bots/import", {
    body: { workspaceId, bot: flow },
  })
  expect(reply.status, JSON.stringify(reply.body).slice(0, 300)).toBe(200)
  return reply.body as Imported
}

/** Asks for a name of 200,000 characters, and says it twice. */
const longBot = () => {
  const flow = bot(
    group("A", ask.text({ saves: "Name" }), say("Hi {{Name}}"), say("Bye {{Other}}"), ask.text()),
  )
  const text = JSON.stringify({ ...flow, name: "B".repeat(300) })
    .replaceAll("{{Name}}", `{{${longName}}}`)
    .replaceAll('"name":"Name"', `"name":"${longName}"`)
    .replaceAll("{{Other}}", `{{${longName}!}}`)
    .replaceAll('"name":"Other"', `"name":"${longName}!"`)
  return JSON.parse(text) as { groups: { title: string }[]; variables: object[] }
}

test("an import cuts what is too long, says where, and the bot goes on meaning the same", async () => {
  const flow = longBot()
  const titled = flow.groups.map((each) => ({ ...each, title: "T".repeat(maxLengths.name + 1) }))
  const { bot: made, warnings } = await importBot({ ...flow, groups: titled })
  expect(warnings?.map(({ pointer, rule }) => `${rule} ${pointer}`)).toEqual([
    "long-text /groups/0/blocks/1/content/richText/0/children/0/text",
    "long-text /groups/0/blocks/2/content/richText/0/children/0/text",
    "long-text /groups/0/title",
    "long-text /name",
    "long-text /variables/0/name",
    "long-text /variables/1/name",
  ])
  expect(warnings?.[0]?.place).toContain("› block 2")
  expect(made.name).toBe(`${"B".repeat(254)}…`)
  expect(made.groups[0]?.title.length).toBe(maxLengths.name)
  const names = made.variables.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name.length).toBeLessThanOrEqual(maxLengths.name)
  await server.send("PATCH", `/api/v1/bots/${made.id}`, { body: { bot: { publicId: "cut" } } })
  expect((await server.send("POST", `/api/v1/bots/${made.id}/publish`)).status).toBe(200)
  const chat = await chatOver(server, "cut")
  expect(textsOf((await chat.say("Ann")).body)).toEqual(["Hi Ann", "Bye "])
})

test("a bot without long texts is imported without a warning", async () => {
  expect(await importBot(bot(group("A", say("Hi"), ask.text())))).not.toHaveProperty("warnings")
})

test.each([
  [
    "a title",
    { groups: [{ id: "g", graphCoordinates: { x: 0, y: 0 }, blocks: [], title: longName }] },
    ["bot", "groups", 0, "title"],
  ],
  ["a variable", { variables: [{ id: "v", name: longName }] }, ["bot", "variables", 0, "name"]],
  [
    "a page's description",
    { settings: { metadata: { description: longName } } },
    ["bot", "settings", "metadata", "description"],
  ],
])("a change is refused for %s that is too long, with its place", async (_, changes, path) => {
  const { bot: made } = await importBot(bot(group("A", say("Hi"), ask.text())))
  const body = { bot: changes }
  const reply = await server.send("PATCH", `/api/v1/bots/${made.id}`, { body })
  expect(reply.status).toBe(400)
  expect((reply.body.issues as { path: unknown[] }[])[0]?.path).toEqual(path)
  expect(String(reply.body.message).length).toBeLessThan(1_000)
})

test("a new bot is refused for a title that is too long", async () => {
  const body = { workspaceId, bot: { settings: { metadata: { title: longName } } } }
  expect((await server.send("POST", "/api/v1/bots", { body })).status).toBe(400)
})

test("a stored bot with long texts is read, changed elsewhere, published and run", async () => {
  const { bot: made } = await importBot(bot(group("A", say("Hi"), ask.text())))
  const groups = made.groups.map((each) => ({ ...each, title: longName }))
  const values = { groups: JSON.stringify(groups) as never, publicId: "stored" }
  await database.kysely.updateTable("bots").set(values).where("id", "=", made.id).execute()
  const path = `/api/v1/bots/${made.id}`
  const read = await server.send("GET", path)
  expect((read.body.bot as Imported["bot"]).groups[0]?.title).toBe(longName)
  expect((await server.send("PATCH", path, { body: { bot: { name: "New" } } })).status).toBe(200)
  expect((await server.send("POST", `${path}/publish`)).status).toBe(200)
  expect(textsOf((await chatOver(server, "stored")).step)).toEqual(["Hi"])
})
