/** Links enter what is published in a live chat, and drafts in previews by those who may see them. */
import { expect, test } from "vitest"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot, type Step, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { columnsWith } from "../support/tablesWith.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
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

test("a preview by another user skips the link", async () => {
  expect(textsOf(await preview(null))).toEqual(["back"])
})

test("a preview enters the drafts that its caller may see, and passes the others", async () => {
  const email = "will@example.com"
  const { token } = await createAccount(database, { email })
  const share = (botId: string, type: string) =>
    database.pool.query(
      "insert into bot_collaborators (bot_id, user_id, type) select $1, id, $3 from users where email = $2",
      [botId, email, type],
    )
  await share(parent.botId, "WRITE")
  expect(textsOf(await preview(token))).toEqual(["back"])
  const path = `/api/v1/bots/${parent.botId}/preview/startChat`
  const body = { textBubbleContentFormat: "markdown" }
  const stored = () => server.send("POST", path, { token, body })
  expect(textsOf((await stored()).body as Step)).toEqual(["back"])
  const setShare = (isEnabled: boolean) =>
    server.send("PATCH", `/api/v1/bots/${child.botId}`, {
      body: { bot: { settings: { publicShare: { isEnabled } } } },
    })
  await setShare(true)
  expect(textsOf(await preview(token))).toEqual(["draft"])
  await setShare(false)
  expect(textsOf(await preview(token))).toEqual(["back"])
  await share(child.botId, "READ")
  expect(textsOf(await preview(token))).toEqual(["draft"])
  expect(textsOf((await stored()).body as Step)).toEqual(["draft"])
})

test("a link that is reached later in a preview asks for the rights of whoever began it", async () => {
  const later = bot(group("P", ask.text(), link(child.botId), say("back"), ask.text()))
  const { botId } = await publishBot(server, later)
  const email = "wanda@example.com"
  const { token } = await createAccount(database, { email })
  await database.pool.query(
    "insert into bot_collaborators (bot_id, user_id, type) select $1, id, 'WRITE' from users where email = $2",
    [botId, email],
  )
  const body = { textBubbleContentFormat: "markdown", bot: later }
  const goOn = async (by: string) => {
    const started = await server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, {
      token: by,
      body,
    })
    const path = `/api/v1/sessions/${started.body.sessionId}/continueChat`
    const message = { textBubbleContentFormat: "markdown", message: "Hi" }
    const { body: next } = await server.send("POST", path, { token: server.token, body: message })
    return textsOf(next as Step)
  }
  expect(await goOn(token)).toEqual(["back"])
  expect(await goOn(server.token)).toEqual(["draft"])
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

test.each([
  "/results?all=true",
  "?permanently=true",
])("a chat is over once the result is gone that a linked bot records of it (%s)", async (gone) => {
  const kid = await publishBot(server, bot(group("K", ask.text({ saves: "N" }), ask.text())))
  const flow = bot(group("P", say("Hi"), link(kid.botId, { mergeResults: false }), ask.text()))
  const { say: reply } = await chatOver(server, (await publishBot(server, flow)).publicId)
  await reply("said before", { "idempotency-key": "k" })
  const { status } = await server.send("DELETE", `/api/v1/bots/${kid.botId}${gone}`)
  expect(status).toBe(200)
  expect((await reply("said after")).status).toBe(404)
  for (const words of ["said before", "said after"]) {
    expect(await columnsWith(database, words)).toEqual([])
  }
})

test("a chat holds as many linked bots at once as memory allows, and reports an error at the next one", async () => {
  const kids: string[] = []
  for (let n = 0; n < 3; n++) {
    const { botId } = await publishBot(server, bot(group("K", say(`kid ${n}`))))
    kids.push(botId)
  }
  // As large as flows of many small parts are in memory.
  await database.pool.query(
    `update bot_versions set payload = jsonb_set(payload, '{theme,customCss}',
      to_jsonb(repeat('x', 12000000))) where bot_id = any($1)`,
    [kids],
  )
  const links = kids.map((botId) => link(botId))
  const two = await publishBot(server, bot(group("P", ...links.slice(1), say("back"))))
  expect(textsOf((await chatOver(server, two.publicId)).step)).toEqual(["kid 1", "kid 2", "back"])
  const three = await publishBot(server, bot(group("P", ...links, say("back"))))
  const start = `/api/v1/bots/${three.publicId}/startChat`
  const refused = await server.send("POST", start, { token: null, body: {} })
  expect([refused.status, refused.body.reason]).toEqual([422, "FLOW_TOO_EXPENSIVE"])
  const asking = links.flatMap((each) => [each, ask.text()])
  const each = await publishBot(server, bot(group("P", ...asking, say("back"))))
  const chat = await chatOver(server, each.publicId)
  await chat.say("one")
  await chat.say("two")
  expect(textsOf((await chat.say("three")).body)).toEqual(["back"])
  const path = `/api/v1/bots/${each.botId}/results/${chat.step.resultId}/transcript`
  const told = await server.send("GET", path)
  expect([told.status, told.body.reason]).toEqual([422, "TRANSCRIPT_TOO_LONG"])
})
