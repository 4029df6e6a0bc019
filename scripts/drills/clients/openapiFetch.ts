/** Walks with the types that openapi-typescript makes, and openapi-fetch. */
import createClient from "openapi-fetch"
import type { paths } from "./generated.ts"

const [baseUrl = "", token = "", publicId = "", botId = ""] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })
const started = await client.POST("/api/v1/bots/{publicId}/startChat", {
  params: { path: { publicId } },
  body: { textBubbleContentFormat: "markdown" },
})
const path = { sessionId: started.data?.sessionId ?? "" }
const step = await client.POST("/api/v1/sessions/{sessionId}/continueChat", {
  params: { path },
  body: { message: { type: "text", text: "Ann@Example.com" } },
})
const read = await client.GET("/api/v1/bots/{botId}", { params: { path: { botId } } })
if (!read.data) throw new Error(read.error.message)
const { groups, edges, variables, events, theme, settings } = read.data.bot
const updated = await client.PATCH("/api/v1/bots/{botId}", {
  params: { path: { botId } },
  body: { bot: { groups, edges, variables, events, theme, settings } },
})
if (updated.error) throw new Error(updated.error.message)
const refused = await client.POST("/api/v1/sessions/{sessionId}/continueChat", {
  params: { path: { sessionId: "nobody0" } },
  body: {},
})
console.log(
  JSON.stringify({
    asked: started.data?.input?.type,
    saved: step.data?.lastMessageNewFormat,
    code: refused.error?.code,
  }),
)
