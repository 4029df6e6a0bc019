/** POST /bots/{botId}/replay: recorded conversations with another version. */
import { expect, test } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import type { ReplayReport } from "../../src/results/replay/difference.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say, set } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ PARLEY_ALLOW_HOSTS: "127.0.0.1" })
const peer = await startPeer()

const colours = ({ red = "Red", sea = "Blue like the sea" } = {}) =>
  bot(
    group(
      "Start",
      set("Half", "'a' + 1"),
      say("{{Half}} Which colour?"),
      ask.choice([
        { content: red, to: "Red" },
        { content: "Blue", to: "Blue" },
        { content: "Green", to: "Green" },
      ]),
    ),
    group("Red", say("Whose?"), ask.text({ saves: "Name" }), say("Thanks {{Name}}")),
    group("Blue", say(sea)),
    group("Green", say("Green")),
  )

const { botId, publicId } = await publishBot(server, colours())

async function talk(...texts: string[]): Promise<string> {
  const chat = await chatOver(server, publicId)
  for (const text of texts) expect((await chat.say(text)).status).toBe(200)
  return chat.step.resultId
}

const ann = await talk("Red", "Ann")
const ben = await talk("no colour", "Red", "Ben")
const cleo = await talk("Green")

async function draft(flow: Flow): Promise<void> {
  const { groups, edges, variables, events } = flow
  const body = { bot: { groups, edges, variables, events } }
  const { status } = await server.send("PATCH", `/api/v1/bots/${botId}`, { body })
  expect(status).toBe(200)
}

async function replay(body: object = {}) {
  const sent = await server.send("POST", `/api/v1/bots/${botId}/replay`, { body })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return sent.body as ReplayReport & { nextCursor?: string }
}

test("an unchanged draft changes nothing, and neither do unreached texts", async () => {
  const silent = { conversations: 3, unchanged: 3, differences: [], notReplayed: [] }
  expect(await replay()).toEqual(silent)
  await draft(colours({ sea: "Blue like the sky" }))
  expect(await replay()).toEqual(silent)
  expect(await replay({ against: "live" })).toEqual(silent)
})

test("a renamed choice shows to all who were asked, and changes the answers of those who chose it", async () => {
  await draft(colours({ red: "Crimson" }))
  const { differences, ...counts } = await replay()
  expect(counts).toEqual({ conversations: 3, unchanged: 0, notReplayed: [] })
  expect(differences).toEqual([
    {
      kind: "question",
      before: { groupTitle: "Start", blockId: "b3", excerpt: "choice input | Red | Blue | Green" },
      after: {
        groupTitle: "Start",
        blockId: "b3",
        excerpt: "choice input | Crimson | Blue | Green",
      },
      conversations: 3,
      answersChanged: 2,
      examples: [cleo, ben, ann],
    },
  ])
})

test("pages go on where the last one ended", async () => {
  const first = await replay({ limit: 2 })
  expect(first).toMatchObject({ conversations: 2, nextCursor: expect.any(String) })
  const second = await replay({ limit: 2, cursor: first.nextCursor })
  expect(second).toMatchObject({ conversations: 1, differences: [{ examples: [ann] }] })
  expect(second).not.toHaveProperty("nextCursor")
})

test("a bot may come with the request, as an import takes it; one that is none is refused", async () => {
  expect(await replay({ bot: { name: "Sent", ...colours() } })).toMatchObject({ unchanged: 3 })
  const { theme, settings, ...flow } = colours()
  const groups = flow.groups.map(({ graphCoordinates, ...written }) => written)
  const byHand = { ...flow, version: 6.1, groups }
  expect(await replay({ bot: byHand })).toMatchObject({ unchanged: 3 })
  const path = `/api/v1/bots/${botId}/replay`
  const { status, body } = await server.send("POST", path, { body: { bot: { groups: 5 } } })
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { issues: [{ pointer: "/bot/groups" }] },
  })
})

test("a period without conversations has none", async () => {
  expect(await replay({ to: "2020-01-01" })).toMatchObject({ conversations: 0 })
})

test("a token that may not read drafts gets no excerpts", async () => {
  const made = await server.send("POST", "/api/v1/users/me/api-tokens", {
    body: { name: "Reader", scopes: ["results:read"] },
  })
  const { token } = made.body.apiToken as { token: string }
  const sent = await server.send("POST", `/api/v1/bots/${botId}/replay`, { body: {}, token })
  expect(sent.body).toMatchObject({ differences: [{ kind: "question", conversations: 3 }] })
  expect(JSON.stringify(sent.body)).not.toContain("Crimson")
})

test("other systems are not asked again, neither by blocks nor by scripts", async () => {
  peer.answers(json({ city: "Paris" }))
  const mapping = [{ id: "m", variableId: idOf("City"), bodyPath: "data.city" }]
  const script = `setVariable("Land", (await fetch("${peer.url}/script")).length > 5 ? "France" : "")`
  const asking = (last: string) =>
    bot(
      group(
        "A",
        say("Where?"),
        ask.text({ saves: "Place" }),
        block("Webhook", {
          webhook: { url: `${peer.url}/block`, method: "GET" },
          responseVariableMapping: mapping,
          isExecutedOnClient: false,
        }),
        block("Code", { content: script, isExecutedOnClient: false }),
        say(last),
      ),
    )
  const city = await publishBot(server, asking("{{City}}, {{Land}}"))
  const chat = await chatOver(server, city.publicId)
  expect((await chat.say("Here")).status).toBe(200)
  expect(peer.received.map(({ path }) => path)).toEqual(["/block", "/script"])
  const path = `/api/v1/bots/${city.botId}/replay`
  const sent = { body: { bot: { name: "New", ...asking("In {{City}}, {{Land}}") } } }
  expect((await server.send("POST", path, sent)).body).toMatchObject({
    differences: [{ before: { excerpt: "Paris, France" }, after: { excerpt: "In Paris, France" } }],
  })
  expect(peer.received).toHaveLength(2)
})
