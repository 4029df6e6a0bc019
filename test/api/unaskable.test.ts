/** Questions that cannot be asked: what was accepted before them is kept. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()

const { botId, publicId } = await publishBot(
  server,
  bot(
    group(
      "Order",
      ask.text({ saves: "Address" }),
      ask.payment({ amount: "5", currency: "EUR", id: "pay" }),
    ),
  ),
)

const refused = { status: 400, body: { message: "The payment has no account to be paid to" } }

test("a payment that cannot start keeps the reply before it, and is asked again", async () => {
  const chat = await chatOver(server, publicId)
  expect(await chat.say("Harbour Street 5")).toMatchObject(refused)
  expect(await chat.say("Hello?")).toMatchObject(refused)
  const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}`
  const { body } = await server.send("GET", path)
  expect(body).toMatchObject({ result: { answers: [{ content: "Harbour Street 5" }] } })
})

test("a chat that would begin with such a question does not begin", async () => {
  const first = await publishBot(server, bot(group("Pay", ask.payment({ amount: "5" }))))
  const start = server.send("POST", `/api/v1/bots/${first.publicId}/startChat`, { token: null })
  expect(await start).toMatchObject(refused)
  const { body } = await server.send("GET", `/api/v1/bots/${first.botId}/results`)
  expect(body).toMatchObject({ results: [] })
})
