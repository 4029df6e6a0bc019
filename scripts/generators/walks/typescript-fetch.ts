/** Walks through a chat and a bot with the typescript-fetch client of OpenAPI Generator. */
import { BotsApi, ChatApi, Configuration, ResultsApi } from "./client"

const [address = "", publicId = "", botId = "", token = ""] = process.argv.slice(2)
const configuration = new Configuration({ basePath: address, accessToken: token })
const [chat, bots] = [new ChatApi(configuration), new BotsApi(configuration)]
const textBubbleContentFormat = "markdown"

const { sessionId, input } = await chat.startChat({
  publicId,
  startChatRequest: { textBubbleContentFormat },
})
if (input?.type !== "choice input") throw new Error("No choice")
const labels = input.items?.map((item) => item.content) ?? []

const message = { type: "text", text: String(labels[1]) } as const
const { messages } = await chat.continueChat({
  sessionId,
  continueChatRequest: { message, textBubbleContentFormat },
})
const [said] = messages

const { results } = await new ResultsApi(configuration).listResults({ botId })
const answers = results[0]?.answers.map((answer) => answer.content)

const read = await bots.getBot({ botId })
const updated = await bots.updateBot({ botId, updateBotRequest: { bot: read.bot } })

const text = said?.type === "text" && said.content.type === "markdown" ? said.content.markdown : ""
console.log(JSON.stringify({ labels, text, answers, name: updated.bot.name }))
