/** Domains and public ids of bots name one bot each, however they are spelt. */
import { expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ PARLEY_DEFAULT_PLAN: "UNLIMITED" })
const flow = bot(group("A", say("Hi"), ask.text()))
const one = await publishBot(server, flow)
const other = await publishBot(server, flow)

const patch = (botId: string, change: object) =>
  server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: change } })

test("a domain is kept in its plain form, and taken in every spelling", async () => {
  const made = await patch(one.botId, { customDomain: "X.EXAMPLE./help//" })
  expect(made.body.bot).toMatchObject({ customDomain: "x.example/help" })
  for (const customDomain of ["x.example/help", "X.example//help/", "x.example./help//"]) {
    expectRefusal(await patch(other.botId, { customDomain }), 409, "DOMAIN_TAKEN")
    expect((await patch(one.botId, { customDomain })).status).toBe(200)
  }
  expect((await patch(other.botId, { customDomain: "\u00c4.example" })).status).toBe(200)
  expectRefusal(await patch(one.botId, { customDomain: "xn--4ca.example" }), 409, "DOMAIN_TAKEN")
})

test("a public id is not the id of another bot, when it is set, made or restored", async () => {
  const publicId = other.botId
  expectRefusal(await patch(one.botId, { publicId }), 409, "PUBLIC_ID_TAKEN")
  const { body } = await server.send("GET", "/api/v1/workspaces")
  const [{ id: workspaceId = "" } = {}] = body.workspaces as { id: string }[]
  const create = { body: { workspaceId, bot: { name: "A", publicId } } }
  expectRefusal(await server.send("POST", "/api/v1/bots", create), 409, "PUBLIC_ID_TAKEN")
  const path = `/api/v1/bots/publicIdAvailability?publicId=${publicId}`
  expect((await server.send("GET", path)).body).toEqual({ isAvailable: false })
  const { body: read } = await server.send("GET", `/api/v1/bots/${one.botId}`)
  const { revision } = read.bot as { revision: number }
  const edits = { revision, edits: [{ type: "bot.set", publicId }] }
  const edited = await server.send("POST", `/api/v1/bots/${one.botId}/edits`, { body: edits })
  expectRefusal(edited, 409, "PUBLIC_ID_TAKEN")
  expect((await patch(one.botId, { publicId: one.botId })).status).toBe(200)
})

test("a page is admitted by its origin, however the author spelt it", async () => {
  const security = { allowedOrigins: ["https://Shop.EXAMPLE:443/path/"] }
  const { publicId } = await publishBot(server, { ...flow, settings: { security } })
  const start = (origin: string) =>
    server.send("POST", `/api/v1/bots/${publicId}/startChat`, {
      token: null,
      headers: { origin },
      body: {},
    })
  expect((await start("https://shop.example")).status).toBe(200)
  expect((await start("https://shop.example.evil.example")).status).toBe(403)
})
