/** The numbers of a bot whose questions and answers have names that mean something to JavaScript, SQL or JSON. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ DATABASE_URL: await testDatabaseUrl() })

test("answers may be called anything", async () => {
  const words = ["__proto__", "constructor", "a, b", "{}'\"\\", "💥"]
  const questions = ["__proto__", "constructor"].map((id) => ask.choice(words, { id }))
  const { botId, publicId } = await publishBot(server, bot(group("g", ...questions)))
  for (const word of words) {
    const chat = await chatOver(server, publicId)
    await chat.say(word)
    await chat.say(word)
  }
  const { body } = await server.send("GET", `/api/v1/bots/${botId}/analytics?timeFilter=allTime`)
  const { blocks, totals, answers } = body as Record<string, Record<string, unknown>>
  expect(totals).toMatchObject({ starts: 5, completions: 5 })
  expect(blocks).toMatchObject([
    { blockId: "__proto__", shown: 5, answered: 5 },
    { blockId: "constructor", shown: 5, answered: 5 },
  ])
  expect(answers?.constructor).toEqual(words.toSorted().map((value) => ({ value, count: 1 })))
})
