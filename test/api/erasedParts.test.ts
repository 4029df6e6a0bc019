/** Erasing what only contains a value: where it is looked for, and that it is counted first. */
import { afterEach, describe, expect, test, vi } from "vitest"
import { appRouter } from "../../src/routers/app.ts"
import { createCallerFactory } from "../../src/routers/trpc.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { contextBy, insertDraft, insertPerson, insertTeam } from "../support/people.ts"
import { chatOver, type PublishedBot, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { tablesWith } from "../support/tablesWith.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
const { workspaceId } = server
afterEach(() => {
  vi.useRealTimers()
})

const erase = (asked: object) =>
  server.send("POST", `/api/v1/workspaces/${workspaceId}/erase`, {
    body: { match: "contains", ...asked },
  })

const flow = bot(
  { variables: { Note: null, Secret: null }, sessionVariables: ["Secret"] },
  group("A", say("Annual plans {{Note}}"), ask.text({ saves: "Name" }), ask.number(), ask.text()),
)

/** How many results of a bot contain a value. */
async function count({ botId }: PublishedBot, value: string): Promise<number> {
  const reply = await erase({ value, botIds: [botId] })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  const [found] = reply.body.bots as { results: number }[]
  return found?.results ?? 0
}

describe("what contains a value", () => {
  test("is counted and then erased, with any text around it", async () => {
    const published = await publishBot(server, flow)
    const chat = await chatOver(server, published.publicId)
    await chat.say("Write to Ann.Lee@Example.com, please", { "idempotency-key": "1" })
    const other = await chatOver(server, published.publicId)
    await other.say("bob@example.com")
    const asked = { value: "ann.lee@example.com", botIds: [published.botId] }
    const counted = await erase(asked)
    const bots = [{ botId: published.botId, results: 1 }]
    expect(counted.body).toEqual({ bots, confirmation: expect.any(String) })
    expect(await tablesWith(database, "ann.lee@example.com")).not.toEqual([])
    const { confirmation } = counted.body
    const erased = await erase({ ...asked, dryRun: false, confirmation })
    expect(erased.body).toEqual({ bots })
    expect(await tablesWith(database, "ann.lee@example.com")).toEqual([])
    expect((await chat.say("again")).status).toBe(404)
    expect((await other.say("5")).status).toBe(200)
  })

  test("is an answer, a variable, a message or a key, and no line of the bot and no id", async () => {
    const published = await publishBot(server, flow)
    const keyed = conversationOf(server, published, "telegram:4711-x")
    const { body: step } = await keyed.send("Ask for Annegret")
    await keyed.change({ variables: { Note: "calls on Monday" } })
    await keyed.change({ variables: { Note: null } })
    await keyed.change({ state: "paused" })
    await keyed.send("I wait in vain")
    for (const value of ["ANNEG", "on mon", "wait in", "4711"]) {
      expect([value, await count(published, value)]).toEqual([value, 1])
    }
    const over = conversationOf(server, published, "telegram:0815-y")
    await over.send("Good evening")
    await over.change({ state: "ended" })
    expect(await count(published, "0815")).toBe(1)
    for (const value of ["annual", step.resultId.slice(0, 8), "text", published.botId, "nothing"]) {
      expect([value, await count(published, value)]).toEqual([value, 0])
    }
  })

  test("may be a prefilled value of an unanswered chat", async () => {
    const published = await publishBot(server, flow)
    await chatOver(server, published.publicId, { prefilledVariables: { Note: "from Eve's site" } })
    expect(await count(published, "eve's")).toBe(1)
  })

  test("may be a value that only the running chat has", async () => {
    const published = await publishBot(server, flow)
    await chatOver(server, published.publicId, { prefilledVariables: { Secret: "Zoe's code" } })
    expect(await count(published, "zoe's")).toBe(1)
  })

  test("is erased from previews, too, which are not counted", async () => {
    const { botId } = await publishBot(server, flow)
    await server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, {
      body: { prefilledVariables: { Note: "from Kim's site" } },
    })
    expect(await tablesWith(database, "Kim's site")).toContain("preview_sessions")
    const asked = { value: "kim's", botIds: [botId] }
    const { bots, confirmation } = (await erase(asked)).body
    expect(bots).toEqual([])
    expect((await erase({ ...asked, dryRun: false, confirmation })).status).toBe(200)
    expect(await tablesWith(database, "Kim's site")).toEqual([])
  })

  test("is taken word for word", async () => {
    const published = await publishBot(server, flow)
    const chat = await chatOver(server, published.publicId)
    await chat.say("100% a_b \\ and ÄRGER")
    for (const value of ["00% a_", "b \\ a", "ärger"]) expect(await count(published, value)).toBe(1)
    for (const value of ["1%0", "a%b", "a.b", "100_"]) expect(await count(published, value)).toBe(0)
  })
})

describe("nothing that contains a value is erased", () => {
  const refusal = async (asked: object) => {
    const { status, body: told } = await erase(asked)
    return [status, (told.issues as { path: string[] }[] | undefined)?.[0]?.path[0]]
  }

  test("unless it was counted before, by the same criteria, within a day", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const chat = await chatOver(server, publicId)
    await chat.say("Ann Lee")
    const asked = { value: "ann", botIds: [botId] }
    const { confirmation } = (await erase(asked)).body
    const refused = [400, "confirmation"]
    const now = { ...asked, dryRun: false }
    expect(await refusal(now)).toEqual(refused)
    expect(await refusal({ ...now, confirmation: "guessed" })).toEqual(refused)
    expect(await refusal({ ...now, value: "lee", confirmation })).toEqual(refused)
    expect(await refusal({ value: "ann", dryRun: false, confirmation })).toEqual(refused)
    const ofKey = { ...now, conversationKey: "telegram:1", confirmation }
    expect(await refusal(ofKey)).toEqual(refused)
    expect(await count({ botId, publicId }, "ann")).toBe(1)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_401_000 })
    expect(await refusal({ ...now, confirmation })).toEqual(refused)
    vi.useRealTimers()
    expect((await erase({ ...now, confirmation })).status).toBe(200)
  })

  test("when only a part was counted so far", async () => {
    const owner = await insertPerson(database)
    const team = await insertTeam(database, [[owner, "ADMIN"]])
    await insertDraft(database, { workspaceId: team })
    const countOn = (isLeaving: boolean, cursor?: string) => {
      const context = { ...contextBy(database, owner), hasLeft: () => isLeaving }
      const asked = { workspaceId: team, value: "ann", match: "contains", cursor } as const
      return createCallerFactory(appRouter)(context).workspace.erase(asked)
    }
    const begun = await countOn(true)
    expect(begun).toEqual({ bots: [], nextCursor: expect.any(String) })
    const done = await countOn(false, begun.nextCursor)
    expect(done).toEqual({ bots: [], confirmation: expect.any(String) })
  })

  test("when the value is short or missing", async () => {
    expect(await refusal({ value: "an" })).toEqual([400, "value"])
    expect(await refusal({ value: " a  " })).toEqual([400, "value"])
    expect(await refusal({ conversationKey: "telegram:1" })).toEqual([400, "value"])
  })
})
