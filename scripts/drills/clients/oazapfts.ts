/** Walks with the client that oazapfts makes. */
import { continueChat, defaults, getBot, startChat, updateBot } from "./generated.ts"

const [baseUrl = "", token = "", publicId = "", botId = ""] = process.argv.slice(2)
defaults.baseUrl = baseUrl
const options = { headers: { authorization: `Bearer ${token}` } }

const started = await startChat(publicId, { textBubbleContentFormat: "markdown" })
if (started.status !== 200) throw new Error(started.data.message)
const message = { type: "text" as const, text: "Ann@Example.com" }
const step = await continueChat(started.data.sessionId, { message })
if (step.status !== 200) throw new Error(step.data.message)

const read = await getBot(botId, {}, options)
if (read.status !== 200) throw new Error(read.data.message)
const { groups, edges, variables, events, theme, settings } = read.data.bot
const same = { groups, edges, variables, events, theme, settings }
const updated = await updateBot(botId, { bot: same }, {}, options)
if (updated.status !== 200) throw new Error(updated.data.message)

const refused = await continueChat("nobody0", {})
if (refused.status === 200) throw new Error("The chat must not exist")
const { code } = refused.data
const asked = started.data.input?.type
console.log(JSON.stringify({ asked, saved: step.data.lastMessageNewFormat, code }))
