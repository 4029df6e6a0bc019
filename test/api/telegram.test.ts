/** The example gateway between Telegram and a bot, with a stand-in of Telegram's Bot API. */
import { createHmac } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest"
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

/** Has blocked the bot. */
const whoBlocks = 13

/** What people see in Telegram. */
const shown: Shown[] = []
const telegram = await addressOf(
  createServer(async (request, response) => {
    expect(request.url).toBe("/sendMessage")
    const message: Shown = JSON.parse(await text(request))
    if (message.chat_id === whoBlocks) response.statusCode = 403
    else shown.push(message)
    response.end(JSON.stringify({ ok: response.statusCode === 200 }))
  }),
)
beforeEach(() => {
  shown.length = 0
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const secrets = { telegramSecret: "told to Telegram", eventSecret: "whsec_c2VjcmV0" }
const settings = {
  bot: botId,
  service: server.address,
  token: server.token,
  telegram,
  ...secrets,
}
const gateway = await addressOf(createGateway(settings))

async function deliver(body: string, { to = gateway, secret = secrets.telegramSecret } = {}) {
  const headers = { "x-telegram-bot-api-secret-token": secret }
  return (await fetch(`${to}/telegram`, { method: "POST", headers, body })).status
}

let updates = 0
const update = (body: object, id = ++updates) => deliver(JSON.stringify({ update_id: id, ...body }))
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

test("a command that needs a chat is answered with a sentence when there is none", async () => {
  expect(await write(10, "/human")).toBe(200)
  expect(await write(10, "/bot@shop_bot")).toBe(200)
  const sentence = "There is no chat yet: write something to start one."
  expect(shown.map((each) => each.text)).toEqual([sentence, sentence])
})

test("/start begins anew, once for each time that it is written", async () => {
  const path = `/api/v1/bots/${botId}/conversations/telegram:11`
  const found = async () => (await server.send("GET", path)).body.conversation as object
  await write(11, "/start ad")
  await press(11, "i0")
  const message = { chat: { id: 11 }, text: "/start", date: Date.now() / 1_000 }
  const before = await found()
  await update({ message }, 1_000)
  const after = await found()
  expect(after).not.toEqual(before)
  await update({ message }, 1_000)
  expect(await found()).toEqual(after)
  expect(shown.map((each) => each.text)).toEqual([
    "Which size?",
    "Small it is",
    "Which size?",
    "Which size?",
  ])
})

test("a sticker starts a chat, and is asked about again when it answers a question", async () => {
  const sticker = { message: { chat: { id: 12 }, sticker: { emoji: "👍" } } }
  expect(await update(sticker)).toBe(200)
  expect(await update(sticker)).toBe(200)
  expect(shown.map((each) => each.text)).toEqual([
    "Which size?",
    "That answer is not valid. Please try again.",
  ])
})

test("the first words of a person answer the first question if that accepts them", async () => {
  await write(14, "Large")
  expect(shown.map((each) => each.text)).toEqual(["Which size?", "Large it is"])
})

test("updates that say nothing to the bot are accepted silently", async () => {
  expect(await update({ my_chat_member: { chat: { id: 15 } } })).toBe(200)
  expect(await update({ callback_query: { data: "i0" } })).toBe(200)
  expect(shown).toEqual([])
})

test("what can never be taken is logged and acknowledged at once", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {})
  expect(await write(whoBlocks, "Hi")).toBe(200)
  expect(await deliver("no JSON")).toBe(200)
  expect(await update({ message: { chat: null } })).toBe(200)
  const elsewhere = await addressOf(createGateway({ ...settings, bot: "nobody" }))
  const message = { chat: { id: 16 }, text: "Hi" }
  expect(await deliver(JSON.stringify({ update_id: 1, message }), { to: elsewhere })).toBe(200)
  expect(log).toHaveBeenCalledTimes(4)
})

test("what fails because a service is down is delivered again for an hour, and then acknowledged", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ["Date"] })
  const to = await addressOf(createGateway({ ...settings, service: "http://127.0.0.1:1" }))
  const sent = (id: number) =>
    deliver(JSON.stringify({ update_id: id, message: { chat: { id: 17 }, text: "Hi" } }), { to })
  expect(await sent(1)).toBe(500)
  vi.setSystemTime(Date.now() + 3_599_000)
  expect([await sent(1), await sent(2)]).toEqual([500, 500])
  vi.setSystemTime(Date.now() + 2_000)
  expect([await sent(1), await sent(2)]).toEqual([200, 500])
  expect(log).toHaveBeenCalledTimes(5)
  expect(String(log.mock.lastCall)).not.toContain(secrets.telegramSecret)
})

test("what the bot says to silence is sent on, if the service has signed it", async () => {
  const idle = { afterSeconds: 60, messages: [{ content: { markdown: "Still there?" } }] }
  const body = JSON.stringify({
    type: "conversation.idle",
    data: { conversationKey: "telegram:9", idle },
  })
  const tell = async (signed: string) => {
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
  expect(await tell("something else")).toBe(403)
  expect(shown).toEqual([])
  expect(await tell(body)).toBe(200)
  expect(shown).toMatchObject([{ chat_id: "9", text: "Still there?" }])
})

test("only Telegram may send updates", async () => {
  const message = { chat: { id: 1 }, text: "Hi" }
  expect(await deliver(JSON.stringify({ update_id: 1, message }), { secret: "guessed" })).toBe(403)
  expect(shown).toEqual([])
})
