/** Walks with the client that @hey-api/openapi-ts makes. */
import { client } from "./generated/client.gen.ts"
import { continueChat, getBot, startChat, updateBot } from "./generated/sdk.gen.ts"

const [baseUrl = "", token = "", publicId = "", botId = ""] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: () => token })
const started = await startChat({
  path: { publicId },
  body: { textBubbleContentFormat: "markdown" },
  throwOnError: true,
})
const step = await continueChat({
  path: { sessionId: started.data.sessionId },
  body: { message: { type: "text", text: "Ann@Example.com" } },
  throwOnError: true,
})
const { groups, edges, variables, events, theme, settings } = (
  await getBot({ path: { botId }, throwOnError: true })
).data.bot
await updateBot({
  path: { botId },
  body: { bot: { groups, edges, variables, events, theme, settings } },
  throwOnError: true,
})
const refused = await continueChat({ path: { sessionId: "nobody0" }, body: {} })
console.log(
  JSON.stringify({
    asked: started.data.input?.type,
    saved: step.data.lastMessageNewFormat,
    code: refused.error?.code,
  }),
)
