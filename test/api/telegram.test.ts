/** The example gateway between Telegram and a bot, with a stand-in of Telegram's Bot API. */
import { createHmac } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, beforeEach, expect, test } from "vitest"
import { createGateway } from "../../scripts/examples/telegram.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const { botId } = await publishBot(
  server,
  bot(
    group(
      "Order",
      say("Which size?"),
      ask.choice(["Small", "Large"], { saves: "Size" }),
      say("{{Size}} it is"),
      ask.text({ saves: "Name" }),
      say("Thanks, {{Name}}"),
    ),
  ),
)

async function addressOf(listening: Server): Promise<string> {
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
  afterAll(() => listening.close())
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

type Button = { text: string; callback_data: string }
type Shown = { chat_id: number; text: string; reply_markup?: { inline_keyboard: Button[][] } }

/** What people see in Telegram. */
const shown: Shown[] = []
const telegram = await addressOf(
  createServer(async (request, response) => {
    expect(request.url).toBe("/sendMessage")
    shown.push(JSON.parse(await text(request)))
    response.end(JSON.stringify({ ok: true }))
  }),
)
beforeEach(() => {
  shown.length = 0
})

const secrets = { telegramSecret: "told to Telegram", eventSecret: "whsec_c2VjcmV0" }
const gateway = await addressOf(
  createGateway({ bot: botId, service: server.address, token: server.token, telegram, ...secrets }),
)

let updates = 0
async function update(body: object, id = ++updates, secret = secrets.telegramSecret) {
  const headers = { "x-telegram-bot-api-secret-token": secret }
  const sent = { method: "POST", headers, body: JSON.stringify({ update_id: id, ...body }) }
  return (await fetch(`${gateway}/telegram`, sent)).status
}
const write = (chatId: number, words: string, id?: number) =>
  update({ message: { chat: { id: chatId }, text: words } }, id)
const press = (chatId: number, data: string) =>
  update({ callback_query: { data, message: { chat: { id: chatId } } } })

test("a chat in Telegram is one with the bot: texts, buttons, answers", async () => {
  await write(7, "/start")
  expect(shown).toEqual([
    {
      chat_id: 7,
      text: "Which size?",
      reply_markup: {
        inline_keyboard: [
          [{ text: "Small", callback_data: "i0" }],
          [{ text: "Large", callback_data: "i1" }],
        ],
      },
    },
  ])
  await press(7, "i1")
  await write(7, "Ann")
  expect(shown.slice(1).map((each) => each.text)).toEqual(["Large it is", "Thanks, Ann"])
})

test("an update that Telegram delivers again is answered with the same words, and counts once", async () => {
  await write(8, "/start")
  await press(8, "i0")
  const id = ++updates
  await write(8, "Ann", id)
  await write(8, "Ann", id)
  expect(shown.map((each) => each.text).slice(2)).toEqual(["Thanks, Ann", "Thanks, Ann"])
  const { body } = await server.send("GET", `/api/v1/bots/${botId}/conversations/telegram:8`)
  expect(body.conversation).toMatchObject({ state: "ended" })
})

test("a person takes over by /human, and gives back by /bot", async () => {
  await write(9, "/start")
  await write(9, "/human")
  await write(9, "Are you there?")
  expect(shown.map((each) => each.text)).toEqual(["Which size?"])
  await write(9, "/bot")
  await press(9, "i0")
  expect(shown.at(-1)?.text).toBe("Small it is")
})

test("what the bot says to silence is sent on, if the service has signed it", async () => {
  const idle = { afterSeconds: 60, messages: [{ content: { markdown: "Still there?" } }] }
  const body = JSON.stringify({
    type: "conversation.idle",
    data: { conversationKey: "telegram:9", idle },
  })
  const deliver = async (signed: string) => {
    const at = String(Math.floor(Date.now() / 1_000))
    const key = Buffer.from("c2VjcmV0", "base64")
    const signature = createHmac("sha256", key).update(`e1.${at}.${signed}`).digest("base64")
    const headers = {
      "webhook-id": "e1",
      "webhook-timestamp": at,
      "webhook-signature": `v1,older v1,${signature}`,
    }
    return (await fetch(`${gateway}/events`, { method: "POST", headers, body })).status
  }
  expect(await deliver("something else")).toBe(403)
  expect(shown).toEqual([])
  expect(await deliver(body)).toBe(200)
  expect(shown).toMatchObject([{ chat_id: "9", text: "Still there?" }])
})

test("nobody but Telegram may send updates", async () => {
  const message = { chat: { id: 1 }, text: "Hi" }
  expect(await update({ message }, 1, "guessed")).toBe(403)
  expect(shown).toEqual([])
})
