/** Walks through a chat and a bot with the types of openapi-typescript and the client openapi-fetch. */
import createClient from "openapi-fetch"
import type { paths } from "./schema"

const [address = "", publicId = "", botId = "", token = ""] = process.argv.slice(2)
const client = createClient<paths>({
  baseUrl: address,
  headers: { authorization: `Bearer ${token}` },
})

const started = await client.POST("/api/v1/bots/{publicId}/startChat", {
  params: { path: { publicId } },
  body: { textBubbleContentFormat: "markdown" },
})
if (!started.data) throw new Error(started.error.message)
const { sessionId, input } = started.data
if (input?.type !== "choice input") throw new Error("No choice")
const labels = input.items?.map((item) => item.content) ?? []

const continued = await client.POST("/api/v1/sessions/{sessionId}/continueChat", {
  params: { path: { sessionId } },
  body: { message: { type: "text", text: String(labels[1]) }, textBubbleContentFormat: "markdown" },
})
if (!continued.data) throw new Error(continued.error.message)
const [said] = continued.data.messages

const path = { botId }
const listed = await client.GET("/api/v1/bots/{botId}/results", { params: { path } })
if (!listed.data) throw new Error(listed.error.message)
const answers = listed.data.results[0]?.answers.map((answer) => answer.content)

const read = await client.GET("/api/v1/bots/{botId}", { params: { path } })
if (!read.data) throw new Error(read.error.message)
const updated = await client.PATCH("/api/v1/bots/{botId}", {
  params: { path },
  body: { bot: read.data.bot },
})
if (!updated.data) throw new Error(updated.error.message)

const text = said?.type === "text" && said.content.type === "markdown" ? said.content.markdown : ""
console.log(JSON.stringify({ labels, text, answers, name: updated.data.bot.name }))
