/** Walks through a chat and a bot with the client of hey-api. */

import { continueChat, getBot, listResults, startChat, updateBot } from "./client"
import { client } from "./client/client.gen"

const [address = "", publicId = "", botId = "", token = ""] = process.argv.slice(2)
client.setConfig({ baseUrl: address, auth: token })

const started = await startChat({
  path: { publicId },
  body: { textBubbleContentFormat: "markdown" },
  throwOnError: true,
})
const { sessionId, input } = started.data
if (input?.type !== "choice input") throw new Error("No choice")
const labels = input.items?.map((item) => item.content) ?? []

const continued = await continueChat({
  path: { sessionId },
  body: { message: { type: "text", text: String(labels[1]) }, textBubbleContentFormat: "markdown" },
  throwOnError: true,
})
const [said] = continued.data.messages

const path = { botId }
const listed = await listResults({ path, throwOnError: true })
const answers = listed.data.results[0]?.answers.map((answer) => answer.content)

const read = await getBot({ path, throwOnError: true })
const updated = await updateBot({ path, body: { bot: read.data.bot }, throwOnError: true })

const text = said?.type === "text" && said.content.type === "markdown" ? said.content.markdown : ""
console.log(JSON.stringify({ labels, text, answers, name: updated.data.bot.name }))
