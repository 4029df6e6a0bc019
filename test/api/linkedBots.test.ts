/** Links enter what is published in a live chat, and drafts in previews by those who may see them. */
import { expect, test } from "vitest"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { chatOver, publishBot, type Step, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const childFlow = (words: string) =>
  bot(group("C", say(words), ask.text({ saves: "N" }), say("Child hears {{N}}")))

const child = await publishBot(server, childFlow("published"))
const { groups, edges, variables } = childFlow("draft")
await server.send("PATCH", `/api/v1/bots/${child.botId}`, {
  body: { bot: { groups, edges, variables } },
})
const parentFlow = bot(group("P", link(child.botId), say("back"), ask.text()))
const parent = await publishBot(server, parentFlow)

const preview = async (token: string | null) => {
  const path = `/api/v1/bots/${parent.botId}/preview/startChat`
  const body = { textBubbleContentFormat: "markdown", bot: parentFlow }
  return (await server.send("POST", path, { token, body })).body as Step
}

test("a live chat enters the published version and comes back", async () => {
  const { step, say: reply } = await chatOver(server, parent.publicId)
  expect(textsOf(step)).toEqual(["published"])
  expect(textsOf((await reply("Ann")).body)).toEqual(["Child hears Ann", "back"])
})

test("a preview by the author enters the draft and comes back", async () => {
  const step = await preview(server.token)
  expect(textsOf(step)).toEqual(["draft"])
  const path = `/api/v1/sessions/${step.sessionId}/continueChat`
  const body = { textBubbleContentFormat: "markdown", message: "Ann" }
  const next = await server.send("POST", path, { token: null, body })
  expect(textsOf(next.body as Step)).toEqual(["Child hears Ann", "back"])
})

test("a preview by somebody else passes the link", async () => {
  expect(textsOf(await preview(null))).toEqual(["back"])
})

test("neither enters a bot of another workspace", async () => {
  const made = await server.send("POST", "/api/v1/workspaces", { body: { name: "Other" } })
  const { id: workspaceId } = made.body.workspace as { id: string }
  const imported = await server.send("POST", "/api/v1/bots/import", {
    body: { workspaceId, bot: { name: "P", ...parentFlow } },
  })
  const { id: botId } = imported.body.bot as { id: string }
  const body = { textBubbleContentFormat: "markdown" }
  const path = `/api/v1/bots/${botId}/preview/startChat`
  const started = await server.send("POST", path, { body })
  expect(textsOf(started.body as Step)).toEqual(["back"])
  const publicId = "other-parent"
  await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { publicId } } })
  await server.send("POST", `/api/v1/bots/${botId}/publish`)
  const { step } = await chatOver(server, publicId)
  expect(textsOf(step)).toEqual(["back"])
})
