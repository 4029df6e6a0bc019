/** Walks with the client that openapi-generator makes for fetch. */
import { BotsApi, ChatApi, Configuration, ResponseError } from "./generated/index.ts"

const [basePath = "", accessToken = "", publicId = "", botId = ""] = process.argv.slice(2)
const configuration = new Configuration({ basePath, accessToken })
const chat = new ChatApi(configuration)
const bots = new BotsApi(configuration)
const started = await chat.startChat({
  publicId,
  startChatRequest: { textBubbleContentFormat: "markdown" },
})
const step = await chat.continueChat({
  sessionId: started.sessionId,
  continueChatRequest: { message: { type: "text", text: "Ann@Example.com" } },
})
const { bot } = await bots.getBot({ botId })
const { groups, edges, variables, events, theme, settings } = bot
await bots.updateBot({
  botId,
  updateBotRequest: { bot: { groups, edges, variables, events, theme, settings } },
})
let code: unknown
try {
  await chat.continueChat({ sessionId: "nobody0" })
} catch (e) {
  if (e instanceof ResponseError) code = (await e.response.json()).code
}
console.log(JSON.stringify({ asked: started.input?.type, saved: step.lastMessageNewFormat, code }))
