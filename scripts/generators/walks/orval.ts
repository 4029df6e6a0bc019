/** Walks through a chat and a bot with the client of orval. */
import { continueChat, getBot, listResults, startChat, updateBot } from "./client"

const [, publicId = "", botId = "", token = ""] = process.argv.slice(2)
const options = { headers: { authorization: `Bearer ${token}` } }

const started = await startChat(publicId, { textBubbleContentFormat: "markdown" })
if (started.status !== 200) throw new Error(started.data.message)
const { sessionId, input } = started.data
if (input?.type !== "choice input") throw new Error("No choice")
const labels = input.items?.map((item) => item.content) ?? []

const message = { type: "text", text: String(labels[1]) } as const
const continued = await continueChat(sessionId, { message, textBubbleContentFormat: "markdown" })
if (continued.status !== 200) throw new Error(continued.data.message)
const [said] = continued.data.messages

const listed = await listResults(botId, undefined, options)
if (listed.status !== 200) throw new Error(listed.data.message)
const answers = listed.data.results[0]?.answers.map((answer) => answer.content)

const read = await getBot(botId, undefined, options)
if (read.status !== 200) throw new Error(read.data.message)
const updated = await updateBot(botId, { bot: read.data.bot }, options)
if (updated.status !== 200) throw new Error(updated.data.message)

const text = said?.type === "text" && said.content.type === "markdown" ? said.content.markdown : ""
console.log(JSON.stringify({ labels, text, answers, name: updated.data.bot.name }))
