/** Walks with the client that orval makes. */
import { continueChat, getBot, startChat, updateBot } from "./generated.ts"

const [baseUrl = "", token = "", publicId = "", botId = ""] = process.argv.slice(2)
const real = globalThis.fetch
globalThis.fetch = (input, init) => real(new URL(String(input), baseUrl), init)
const options = { headers: { authorization: `Bearer ${token}` } }
const started = await startChat(publicId, { textBubbleContentFormat: "markdown" })
if (started.status !== 200) throw new Error(started.data.message)
const step = await continueChat(started.data.sessionId, {
  message: { type: "text", text: "Ann@Example.com" },
})
if (step.status !== 200) throw new Error(step.data.message)
const read = await getBot(botId, undefined, options)
if (read.status !== 200) throw new Error(read.data.message)
const { groups, edges, variables, events, theme, settings } = read.data.bot
const updated = await updateBot(
  botId,
  { bot: { groups, edges, variables, events, theme, settings } },
  options,
)
if (updated.status !== 200) throw new Error(updated.data.message)
const refused = await continueChat("nobody0", {})
if (refused.status === 200) throw new Error("It must be gone")
console.log(
  JSON.stringify({
    asked: started.data.input?.type,
    saved: step.data.lastMessageNewFormat,
    code: refused.data.code,
  }),
)
