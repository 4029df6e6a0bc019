/** A gateway between Telegram and a bot that stores nothing; a person takes over by /human until /bot. */
import { createHash, createHmac } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { argv, env } from "node:process"
import { pathToFileURL } from "node:url"

/** The secrets are that of Telegram's `setWebhook` and that of a webhook endpoint of the service. */
export type GatewaySettings = Record<"bot" | "service" | "token" | "telegram", string> &
  Record<"telegramSecret" | "eventSecret", string>

/** `date`: in seconds. Stickers and the like have neither text nor caption. */
type Message = { chat: { id: number }; date?: number; text?: string; caption?: string }
type Update = {
  update_id: number
  message?: Message
  callback_query?: { data?: string; message?: Message }
}
type Step = {
  messages?: { content: { markdown?: string; url?: string } }[]
  input?: { items?: { id: string; content?: string; title?: string }[] }
}
type Conversation = { conversation: { state: string; startedAt: string } }

/** Telegram calls `/telegram`; the service sends `conversation.idle` to `/events`. */
export function createGateway(settings: GatewaySettings) {
  const isWorthRepeating = openPatience()
  return createServer(async (request, response) => {
    let body = ""
    try {
      body = await read(request)
      const { "x-telegram-bot-api-secret-token": secret } = request.headers
      const isUpdate = request.url === "/telegram" && secret === settings.telegramSecret
      if (isUpdate) await takeUpdate(settings, JSON.parse(body))
      else if (isSigned(request, body, settings.eventSecret)) {
        await takeEvent(settings, JSON.parse(body).data)
      } else response.statusCode = 403
    } catch (error) {
      console.error(error)
      // Both deliver again what gets a 500, Telegram before anything else.
      if (isPassing(error) && isWorthRepeating(body)) response.statusCode = 500
    }
    response.end()
  })
}

async function takeUpdate(settings: GatewaySettings, update: Update): Promise<void> {
  const { message, callback_query: pressed, update_id: id } = update
  const chatId = (message ?? pressed?.message)?.chat.id
  // Updates about edits or members have no message.
  if (chatId === undefined) return
  const { bot, service, token } = settings
  const url = `${service}/api/v1/bots/${bot}/conversations/telegram:${chatId}`
  const headers = { authorization: `Bearer ${token}` }
  const reply = async (sent: object) => {
    const request = {
      method: "POST",
      headers: { ...headers, "idempotency-key": `update ${id}` },
      body: { ...sent, textBubbleContentFormat: "markdown" },
    }
    await show(settings, chatId, await call<Step>(`${url}/messages`, request))
  }
  const change = (state: string) =>
    ifThere(call(url, { method: "PATCH", headers, body: { state } }))
  const text = message?.text ?? message?.caption
  // In groups a command names its bot: /human@shop_bot.
  const [, command, payload] = text?.match(/^(\/\w+)(?:@\w+)?(?: (.+))?$/) ?? []
  if (command === "/human" || command === "/bot") {
    const changed = await change(command === "/human" ? "paused" : "active")
    if (!changed) await say(settings, chatId, "There is no chat yet: write something to start one.")
  } else if (command === "/start") {
    const found = await ifThere(call<Conversation>(url, { method: "GET", headers }))
    // One that is newer was started when this update was delivered before.
    const startedAt = Date.parse(found?.conversation.startedAt ?? "")
    if (startedAt < (message?.date ?? 0) * 1_000) await change("ended")
    await reply(payload ? { prefilledVariables: { Referral: payload } } : {})
  } else {
    // Without a message, as for a sticker, the bot asks again.
    const item = pressed?.data
    await reply({ message: item ?? text, metadata: { replyId: item } })
  }
}

type Event = { conversationKey?: string; idle?: Step }

async function takeEvent(settings: GatewaySettings, { conversationKey, idle }: Event) {
  const [, chatId] = conversationKey?.match(/^telegram:(.+)$/) ?? []
  if (chatId !== undefined && idle) await show(settings, chatId, idle)
}

async function show(settings: GatewaySettings, chatId: string | number, step: Step) {
  // Telegram takes 4,096 characters, and counts some of them twice.
  const texts = (step.messages ?? []).flatMap(
    ({ content }) => (content.markdown ?? content.url)?.match(/.{1,2048}/gsu) ?? [],
  )
  const items = step.input?.items?.map(({ id, content, title }) => [
    { text: content || title || id, callback_data: id },
  ])
  const last = texts.pop() ?? (items && "…")
  for (const text of texts) await say(settings, chatId, text)
  const markup = items && { reply_markup: { inline_keyboard: items } }
  if (last) await say(settings, chatId, last, markup)
}

async function say(
  { telegram }: GatewaySettings,
  chatId: string | number,
  text: string,
  more = {},
) {
  const body = { chat_id: chatId, text, ...more }
  await call(`${telegram}/sendMessage`, { method: "POST", body })
}

/** `status`: 0 if there is no answer. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Request = { method: string; headers?: Record<string, string>; body?: object }

async function call<Answer>(url: string, { method, headers, body }: Request): Promise<Answer> {
  const json = { "content-type": "application/json", ...headers }
  const sent = { method, headers: json, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(url, sent).catch((error: Error) => {
    throw new Refusal(0, `${method} ${new URL(url).host}: ${error.message}`)
  })
  if (response.ok) return (await response.json()) as Answer
  // The address of Telegram's API holds the bot's token.
  const reason = `${method} ${new URL(url).host}: ${response.status} ${await response.text()}`
  throw new Refusal(response.status, reason)
}

/** Undefined: there is no such chat, or it is over. */
async function ifThere<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}

/** What the same request would get again, as from a person who has blocked the bot. */
const finalStatuses = [400, 403, 404, 413, 422]

function isPassing(error: unknown): boolean {
  return error instanceof Refusal && !finalStatuses.includes(error.status)
}

const patienceMs = 3_600_000

/** Whether what fails is still to be delivered again: for an hour after it first failed. */
function openPatience(): (body: string) => boolean {
  const failedAt = new Map<string, number>()
  return (body) => {
    const now = Date.now()
    for (const [each, at] of failedAt) if (at < now - 2 * patienceMs) failedAt.delete(each)
    const name = createHash("sha256").update(body).digest("base64")
    const first = failedAt.get(name) ?? now
    failedAt.set(name, first)
    return now < first + patienceMs
  }
}

const maxBodyLength = 4_000_000

async function read(request: IncomingMessage): Promise<string> {
  let body = ""
  for await (const part of request.setEncoding("utf8")) {
    body += part
    if (body.length > maxBodyLength) throw new Error("The body is too long")
  }
  return body
}

/** Standard Webhooks: while a secret is replaced, there are two signatures. */
function isSigned({ headers, url }: IncomingMessage, body: string, secret: string): boolean {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": given = "" } = headers
  const key = Buffer.from(secret.replace("whsec_", ""), "base64")
  const own = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")
  const isFresh = Math.abs(Date.now() / 1_000 - Number(at)) < 300
  return url === "/events" && isFresh && String(given).split(" ").includes(`v1,${own}`)
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const { TELEGRAM_TOKEN, PARLEY_URL: service = "http://localhost:3000", PORT = "8080" } = env
  const { PARLEY_TOKEN: token = "", PARLEY_BOT: bot = "" } = env
  const { TELEGRAM_SECRET: telegramSecret = "", PARLEY_EVENT_SECRET: eventSecret = "" } = env
  const telegram = `https://api.telegram.org/bot${TELEGRAM_TOKEN}`
  createGateway({ bot, service, token, telegram, telegramSecret, eventSecret }).listen(PORT)
}
