/** Payments that cannot be asked for: people see what comes before them, and all that they have answered is kept. */
import { expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()

const payment = ask.payment({ amount: "5", currency: "EUR", id: "pay" })

const words = "Payment is not possible right now."

const impossible = {
  messages: [{ id: "pay", content: { markdown: words } }],
  input: { id: "pay", type: "choice input", items: [{ content: "Try again" }] },
  logs: [{ status: "error", description: "The payment has no account to be paid to" }],
}

test("a payment without an account shows what comes before it, and is asked for again", async () => {
  const order = bot(group("Order", ask.text({ saves: "Address" }), say("That makes €5."), payment))
  const { botId, publicId } = await publishBot(server, order)
  const chat = await chatOver(server, publicId)
  const { status, body } = await chat.say("Harbour Street 5")
  expect(status).toBe(200)
  expect(body.messages).toHaveLength(2)
  expect(body).toMatchObject({ ...impossible, messages: [{}, ...impossible.messages] })
  expect(await chat.say("Hello?")).toMatchObject({ status: 200, body: impossible })
  const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}`
  const { body: stored } = await server.send("GET", path)
  expect(stored).toMatchObject({ result: { answers: [{ content: "Harbour Street 5" }] } })
  const { body: read } = await server.send("GET", `${path}/transcript`)
  expect(read).toMatchObject({ isExact: true })
})

test("a chat that begins with such a payment begins", async () => {
  const { publicId } = await publishBot(server, bot(group("Pay", say("Welcome"), payment)))
  const path = `/api/v1/bots/${publicId}/startChat`
  const { status, body } = await server.send("POST", path, { token: null })
  expect(status).toBe(200)
  expect(body.messages).toMatchObject([{}, { id: "pay" }])
  expect(JSON.stringify(body.messages)).toContain(words)
})
