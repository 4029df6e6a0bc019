/** What becomes of the message that starts a chat under a key, and what is known of the chat afterwards. */
import { describe, expect, test } from "vitest"
import { timeOfUuid } from "../../src/lib/ids.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabase } from "../support/database.ts"
import { type PublishedBot, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })

const greets = bot(
  { variables: { Plan: null } },
  group("A", say("Hello"), ask.email({ saves: "Mail", id: "mail" }), say("Thanks"), ask.text()),
)

async function answersOf(resultId: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    "select content from answers where result_id = $1 order by idx",
    [resultId],
  )
  return rows.map(({ content }) => content)
}

const linesOf = async ({ botId }: PublishedBot, resultId: string) => {
  const path = `/api/v1/bots/${botId}/results/${resultId}/transcript`
  const { lines } = (await server.send("GET", path)).body as { lines: TranscriptLine[] }
  return lines.map(({ from, text, wasPaused }) => `${from}: ${text}${wasPaused ? " (paused)" : ""}`)
}
type TranscriptLine = { from: string; text: string; wasPaused?: true }

describe("3.8 a first message before which something is shown", () => {
  test("answers the first question if that accepts it", async () => {
    const published = await publishBot(server, greets)
    const ann = conversationOf(server, published, "ann")
    const { body } = await ann.send("ann@example.com")
    expect(textsOf(body)).toEqual(["Hello", "Thanks"])
    expect(await answersOf(body.resultId)).toEqual(["ann@example.com"])
    expect(await linesOf(published, body.resultId)).toEqual([
      "bot: Hello",
      "person: ann@example.com",
      "bot: Thanks",
    ])
  })

  test("is in the transcript if not, also where the caller says so or nothing is asked", async () => {
    const published = await publishBot(server, greets)
    const ann = conversationOf(server, published, "ann")
    const { body } = await ann.send("Hi")
    expect(body).toMatchObject({ input: { id: "mail" }, conversation: { state: "active" } })
    expect(textsOf(body)).toEqual(["Hello"])
    await ann.change({ state: "paused" })
    await ann.send("Anybody?")
    const lines = ["person: Hi", "bot: Hello", "person: Anybody? (paused)"]
    expect(await linesOf(published, body.resultId)).toEqual(lines)
    const bob = conversationOf(server, published, "bob")
    const greeted = await bob.send("bob@example.com", { startsWithMessage: false })
    expect(textsOf(greeted.body)).toEqual(["Hello"])
    expect(await linesOf(published, greeted.body.resultId)).toEqual([
      "person: bob@example.com",
      "bot: Hello",
    ])
    const silent = await conversationOf(server, published, "eve").send("")
    expect(await linesOf(published, silent.body.resultId)).toEqual(["bot: Hello"])
    const parrot = await publishBot(server, bot(group("A", say("Hello"))))
    const over = await conversationOf(server, parrot, "ann").send("Hi")
    expect(await linesOf(parrot, over.body.resultId)).toEqual(["person: Hi", "bot: Hello"])
  })

  test("may be refused like any reply where the caller says so", async () => {
    const published = await publishBot(server, greets)
    const ann = conversationOf(server, published, "ann")
    const { body } = await ann.send("Hi", { startsWithMessage: true })
    expect(textsOf(body)).toEqual([
      "Hello",
      "This does not look like an email address. Could you type it again?",
    ])
    // Only the first message starts the chat.
    expect(await ann.say("a@b.co", { startsWithMessage: false })).toEqual(["Thanks"])
  })

  test("redelivered, gets the same answer and is kept once", async () => {
    const published = await publishBot(server, greets)
    const ann = conversationOf(server, published, "ann")
    const headers = { "idempotency-key": "1" }
    const first = await ann.send("Hi", { headers })
    expect((await ann.send("Hi", { headers })).body).toEqual(first.body)
    const lines = ["person: Hi", "bot: Hello"]
    expect(await linesOf(published, first.body.resultId)).toEqual(lines)
  })

  test("variables without a value stay visible, and the start the same, when the chat is over", async () => {
    const published = await publishBot(server, greets)
    const ann = conversationOf(server, published, "ann")
    await ann.send("ann@example.com")
    await ann.change({ variables: { Plan: null } })
    const open = await ann.get()
    expect(open.variables).toEqual([
      { name: "Plan", value: null },
      { name: "Mail", value: "ann@example.com" },
    ])
    const { body } = await ann.change({ state: "ended" })
    expect(body.conversation).toMatchObject({
      state: "ended",
      startedAt: open.startedAt,
      variables: open.variables,
    })
  })
})

test("a message call of which nothing is known says so in its logs", async () => {
  const { send } = conversationOf(server, await publishBot(server, greets), "ann")
  const { body } = await send(undefined, { textBubbleContentFormat: undefined, text: "Ann" })
  expect(body.logs).toContainEqual({
    status: "info",
    description:
      "Nothing in the request is known to this call: `text`. What the user says goes into `message`",
  })
})

test("the start of a chat is that of its result, also while an upstream delays its first turn", async () => {
  const { body } = await conversationOf(server, await publishBot(server, greets), "ann").send("Ann")
  const startedAt = new Date(timeOfUuid(body.resultId)).toISOString()
  await database.pool.query(
    "update chat_sessions set created_at = '2020-01-01T00:00:00Z' where result_id = $1",
    [body.resultId],
  )
  const { body: shown } = await server.send("GET", `/api/v1/sessions/${body.sessionId}`)
  expect(shown.conversation).toMatchObject({ startedAt })
})
