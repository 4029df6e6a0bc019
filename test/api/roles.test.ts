/** The two sides of the service in processes of their own, on one database. */
import { expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const flow = bot(group("Hello", say("Name?"), ask.text({ saves: "Name" }), say("Bye {{Name}}")))
const DATABASE_URL = await testDatabaseUrl()
const management = await testServer({ DATABASE_URL, PARLEY_ROLE: "management" })
const chatSide = await testServer({ DATABASE_URL, PARLEY_ROLE: "chat" })
const another = await testServer({ DATABASE_URL, PARLEY_ROLE: "chat" })
const { botId, publicId } = await publishBot(management, flow)
const { token } = management

test("a chat is started and continued on any process of its side, its result read on the other", async () => {
  const chat = await chatOver(chatSide, publicId)
  const reply = await another.send("POST", chat.path, {
    token: null,
    body: { message: "Ann", textBubbleContentFormat: "markdown" },
  })
  expect(reply.status).toBe(200)
  const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}`
  const { body } = await management.send("GET", path)
  expect(body).toMatchObject({ result: { isCompleted: true, answers: [{ content: "Ann" }] } })
})

test("a side does not serve the other's operations, by REST or by tRPC", async () => {
  const start = `/api/v1/bots/${publicId}/startChat`
  expect((await management.send("POST", start)).status).toBe(404)
  expect((await chatSide.send("GET", "/api/v1/workspaces", { token })).status).toBe(404)
  // No tool, which only the chat side knows.
  const tool = `/mcp/bots/${publicId}`
  expect((await management.send("POST", tool)).body.message).not.toBe("Tool not found")
  expect((await chatSide.send("POST", tool)).body.message).toBe("Tool not found")
  const preview = `/api/v1/bots/${botId}/preview/startChat`
  expect((await management.send("POST", preview)).status).toBe(404)
  expect((await chatSide.send("POST", preview, { token })).status).toBe(200)

  const body = { json: { publicId } }
  const rpc = "/api/trpc/chat.start"
  expect((await management.send("POST", rpc, { body })).status).toBe(404)
  expect((await chatSide.send("POST", rpc, { body })).status).toBe(200)
  expect((await chatSide.send("GET", "/api/trpc/workspace.list", { token })).status).toBe(404)
  expect((await management.send("GET", "/api/trpc/workspace.list")).status).toBe(200)
  const batch = "/api/trpc/workspace.list,chat.start?batch=1"
  expect((await management.send("GET", batch)).status).toBe(404)
})

test("pages of health and metrics are on both sides", async () => {
  for (const side of [management, chatSide]) {
    for (const page of ["/healthz", "/readyz"]) {
      expect((await side.send("GET", page)).status).toBe(200)
    }
    expect((await fetch(`${side.address}/metrics`)).status).toBe(200)
  }
})

test("the docs have all that they show and link on the management side", async () => {
  const pages = ["/docs", "/docs/errors", "/problems/not-found"]
  const links = pages.map(async (page) => {
    const accept = "text/html"
    const text = await (await fetch(management.address + page, { headers: { accept } })).text()
    return [...text.matchAll(/ (?:href|src)="(\/[^"#]*)/g)].map(([, link = ""]) => link)
  })
  const found = new Set((await Promise.all(links)).flat())
  expect([...found]).toEqual(expect.arrayContaining(["/embed/icon.svg", "/docs/reference"]))
  for (const link of found) expect((await fetch(management.address + link)).status, link).toBe(200)
})
