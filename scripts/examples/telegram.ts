/** A gateway between Telegram and a bot that stores nothing; a person takes over by /human until /bot. */
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { argv, env } from "node:process"
import { text as readText } from "node:stream/consumers"
import { pathToFileURL } from "node:url"

/** The secrets are that of Telegram's `setWebhook` and that of a webhook endpoint of the service. */
export type GatewaySettings = Record<"bot" | "service" | "token" | "telegram", string> &
  Record<"telegramSecret" | "eventSecret", string>

type Update = {
  update_id: number
  message?: { chat: { id: number }; text?: string }
  callback_query?: { data: string; message: { chat: { id: number } } }
}
type Step = {
  messages?: { content: { markdown?: string; url?: string } }[]
  input?: { items?: { id: string; content?: string }[] }
}

/** Telegram calls `/telegram`; the service tells `conversation.idle` at `/events`. */
export function createGateway(settings: GatewaySettings) {
  return createServer(async (request, response) => {
    try {
      const body = await readText(request)
      const { "x-telegram-bot-api-secret-token": secret } = request.headers
      const isUpdate = request.url === "/telegram" && secret === settings.telegramSecret
      if (isUpdate) await takeUpdate(settings, JSON.parse(body))
      else if (isSigned(request, body, settings.eventSecret)) {
        const { conversationKey = "", idle } = JSON.parse(body).data
        await show(settings, conversationKey.replace("telegram:", ""), idle)
      } else response.statusCode = 403
    } catch (error) {
      // Both deliver again what was not taken.
      console.error(error)
      response.statusCode = 500
    }
    response.end()
  })
}

async function takeUpdate(settings: GatewaySettings, update: Update): Promise<void> {
  const { message, callback_query: pressed, update_id: id } = update
  const chatId = (message ?? pressed?.message)?.chat.id
  if (chatId === undefined) return
  const { bot, service, token } = settings
  const url = `${service}/api/v1/bots/${bot}/conversations/telegram:${chatId}`
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": `update ${id}` }
  const state = { "/human": "paused", "/bot": "active" }[message?.text ?? ""]
  if (state) {
    await post(url, { state }, headers, "PATCH")
    return
  }
  const item = pressed?.data
  const sent = { message: item ?? message?.text ?? "", metadata: { replyId: item } }
  const format = { textBubbleContentFormat: "markdown" }
  await show(settings, chatId, await post(`${url}/messages`, { ...sent, ...format }, headers))
}

async function show({ telegram }: GatewaySettings, chatId: string | number, step: Step) {
  const texts = (step.messages ?? []).map(({ content }) => content.markdown ?? content.url ?? "")
  const items = step.input?.items?.map((each) => [{ text: each.content, callback_data: each.id }])
  const last = texts.pop() ?? (items && "…")
  for (const text of texts) await post(`${telegram}/sendMessage`, { chat_id: chatId, text })
  const markup = items && { reply_markup: { inline_keyboard: items } }
  if (last) await post(`${telegram}/sendMessage`, { chat_id: chatId, text: last, ...markup })
}

async function post(url: string, body: object, headers = {}, method = "POST"): Promise<Step> {
  const json = { "content-type": "application/json", ...headers }
  const response = await fetch(url, { method, headers: json, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Step
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
  const { TELEGRAM_TOKEN, PARLEY_URL: service = "http://127.0.0.1:3000", PORT = "8080" } = env
  const { PARLEY_TOKEN: token = "", PARLEY_BOT: bot = "" } = env
  const { TELEGRAM_SECRET: telegramSecret = "", PARLEY_EVENT_SECRET: eventSecret = "" } = env
  const telegram = `https://api.telegram.org/bot${TELEGRAM_TOKEN}`
  createGateway({ bot, service, token, telegram, telegramSecret, eventSecret }).listen(PORT)
}
