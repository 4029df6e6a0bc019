/** Clients of Typebot call its paths with its names for members, and need no change. */
import { describe, expect, it, test } from "vitest"
import { ask, block, bot, group, idOf, link, say } from "../support/bots.ts"
import { publishBot, type Step, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const contact = bot(
  group("Contact", say("Hello {{Name}}"), ask.text({ saves: "City" }), say("{{City}} it is")),
)
const { publicId, botId } = await publishBot(server, contact)

const format = { textBubbleContentFormat: "markdown" }
const post = (path: string, body: object, token: string | null = null) =>
  server.send("POST", path, { token, body })

describe("a chat", () => {
  it("starts under the public id, answers with `typebot`, and continues", async () => {
    const prefilledVariables = { Name: "Ann" }
    const { status, body } = await post(`/api/v1/typebots/${publicId}/startChat`, {
      ...format,
      prefilledVariables,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ typebot: { id: botId, theme: {}, settings: {} } })
    expect(body).not.toHaveProperty("bot")
    const step = body as Step
    expect(textsOf(step)).toEqual(["Hello Ann"])
    const said = await post(`/api/v1/sessions/${step.sessionId}/continueChat`, {
      ...format,
      message: "Oslo",
    })
    expect(textsOf(said.body as Step)).toEqual(["Oslo it is"])
  })

  it("previews the flow in `typebot`", async () => {
    const path = "/api/v1/typebots/none/preview/startChat"
    const { status, body } = await post(path, { ...format, typebot: contact })
    expect([status, textsOf(body as Step)]).toEqual([200, ["Hello "]])
    expect(body).toHaveProperty("typebot.settings")
    expect(body).not.toHaveProperty("bot")
  })

  it("is refused with group and block of what is wrong in `typebot`", async () => {
    const groups = contact.groups.map((each) => ({ ...each, blocks: [{ id: "b1" }] }))
    const { status, body } = await post("/api/v1/typebots/none/preview/startChat", {
      typebot: { ...contact, groups },
    })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([
      { place: expect.stringContaining("Contact"), pointer: "/typebot/groups/0/blocks/0/type" },
    ])
    expect(body.message).toContain("`typebot.groups[0].blocks[0].type`")
  })

  it("may be asked for by pages of every origin", async () => {
    const { status, headers } = await server.send(
      "OPTIONS",
      `/api/v1/typebots/${publicId}/startChat`,
      { token: null, headers: { "access-control-request-headers": "content-type" } },
    )
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "*"])
  })

  it.each([
    ["v1", "publicId"],
    ["v2", "typebot"],
  ])("starts and continues at one path, as older gateways do (%s, %s)", async (version, name) => {
    const path = `/api/${version}/sendMessage`
    const startParams = { [name]: publicId, prefilledVariables: { Name: "Ann" }, ...format }
    const { status, body } = await post(path, { startParams })
    expect([status, textsOf(body as Step)]).toEqual([200, ["Hello Ann"]])
    expect(body).toHaveProperty("typebot")
    const { sessionId } = body as Step
    const said = await post(path, { sessionId, message: "Oslo", ...format })
    expect(textsOf(said.body as Step)).toEqual(["Oslo it is"])
    const lost = await post(path, { sessionId: "gone", message: "Oslo" })
    expect([lost.status, lost.body.message]).toEqual([
      404,
      expect.stringContaining("Session not found"),
    ])
    expect((await post(path, { startParams: {} })).status).toBe(400)
  })
})

describe("a management client", () => {
  it("lists, creates, reads, changes, publishes and deletes bots", async () => {
    const { body: listed } = await server.send("GET", "/api/v1/workspaces")
    const [workspace] = listed.workspaces as { id: string }[]
    const query = `workspaceId=${workspace?.id}`
    const typebots = (path = "", body?: object, method = body ? "POST" : "GET") =>
      server.send(method, `/api/v1/typebots${path}`, { body })
    const idOfAnswer = (body: object) => (body as { typebot: { id: string } }).typebot.id

    const created = await typebots("", { workspaceId: workspace?.id, typebot: { name: "New" } })
    expect(created.body).toMatchObject({ typebot: { name: "New" } })
    const imported = await typebots("/import", { workspaceId: workspace?.id, typebot: contact })
    const id = idOfAnswer(imported.body)
    expect((await typebots(`/${id}`)).body).toMatchObject({ typebot: { id, groups: [{}] } })
    const changes = { version: "6.1", name: "Other", publicId: "other" }
    const changed = await typebots(`/${id}`, { typebot: changes, overwrite: true }, "PATCH")
    expect(changed.body).toMatchObject({ typebot: { name: "Other" } })
    expect((await typebots(`/${id}/publish`, {})).status).toBe(200)
    expect((await typebots(`/${id}/publishedTypebot`)).body).toMatchObject({
      publishedTypebot: { typebotId: id, groups: [{ title: "Contact" }] },
    })
    expect((await typebots(`?${query}`)).body.typebots).toContainEqual(
      expect.objectContaining({ id, name: "Other", publishedTypebotId: expect.any(String) }),
    )
    expect((await typebots(`/${id}/unpublish`, {})).status).toBe(200)
    expect((await typebots(`/${id}`, undefined, "DELETE")).status).toBe(200)
    const left = (await typebots(`?${query}`)).body.typebots as { id: string }[]
    expect(left.map((each) => each.id)).not.toContain(id)
  })

  it("reads results", async () => {
    const started = await post(`/api/v1/typebots/${publicId}/startChat`, {})
    const { sessionId, resultId } = started.body as Step
    await post(`/api/v1/sessions/${sessionId}/continueChat`, { message: "Rome" })
    const path = `/api/v1/typebots/${botId}/results`
    const answers = [expect.objectContaining({ content: "Rome" })]
    const result = { id: resultId, typebotId: botId, answers }
    const { body: listed } = await server.send("GET", `${path}?limit=100&timeFilter=allTime`)
    expect(listed.results).toContainEqual(expect.objectContaining(result))
    const { body: read } = await server.send("GET", `${path}/${resultId}`)
    expect(read.result).toMatchObject(result)
    expect(read.result).not.toHaveProperty("botId")
    expect((await server.send("GET", `${path}/${resultId}/logs`)).status).toBe(200)
    const headers = { authorization: `Bearer ${server.token}` }
    const exported = await fetch(`${server.address}${path}/export`, { headers })
    expect([exported.status, await exported.text()]).toEqual([200, expect.stringContaining("Rome")])
  })

  it("calls a waiting chat, whose body belongs to the flow", async () => {
    const listening = bot(
      group(
        "A",
        ask.text(),
        block(
          "webhook",
          { responseVariableMapping: [{ bodyPath: "data.typebot", variableId: idOf("Name") }] },
          { id: "hook" },
        ),
        say("Called by {{Name}}"),
      ),
    )
    const waiting = await publishBot(server, listening)
    const started = await post(`/api/v1/typebots/${waiting.publicId}/startChat`, format)
    const { sessionId, resultId } = started.body as Step
    const next = `/api/v1/sessions/${sessionId}/continueChat`
    await post(next, { message: "go", ...format })
    const hook = `/api/v1/typebots/${waiting.botId}/blocks/hook/results/${resultId}/executeWebhook`
    const called = await post(hook, { typebot: "Bob" }, server.token)
    expect([called.status, called.body]).toEqual([200, { message: "OK" }])
    const { body } = await post(next, { message: "{}", ...format })
    expect(textsOf(body as Step)).toEqual(["Called by Bob"])
  })

  it("gets flows as their authors wrote them", async () => {
    const linking = await publishBot(server, bot(group("A", say("Hi"), link(botId))))
    const { body } = await server.send("GET", `/api/v1/typebots/${linking.botId}`)
    expect(body).toMatchObject({
      typebot: { groups: [{ blocks: [{}, { type: "Bot link", options: { botId } }] }] },
    })
  })
})

describe("a refusal", () => {
  const wrong = { name: 5 }
  const none = "/api/v1/typebots"

  it.each([
    [none, { workspaceId: "w", typebot: wrong }, "`typebot.name`"],
    [none, { workspaceId: "w", bot: wrong }, "`bot.name`"],
    [`${none}/import`, { workspaceId: "w" }, "`typebot`"],
    ["/api/v1/bots/import", { workspaceId: "w", typebot: wrong }, "`typebot.name`"],
    ["/api/v1/sendMessage", {}, "`sessionId` is missing (body)"],
    ["/api/v1/sendMessage", { startParams: {} }, "`startParams.publicId` is missing (body)"],
    ["/api/v2/sendMessage", { startParams: { typebot: 5 } }, "`startParams.typebot`"],
    [
      "/api/v2/sendMessage",
      { startParams: { typebot: publicId, prefilledVariables: [] } },
      "`startParams.prefilledVariables`",
    ],
  ])("of %s with %j names what was sent: %s", async (path, body, name) => {
    const reply = await post(path, body, server.token)
    expect([reply.status, String(reply.body.message).slice(0, name.length)]).toEqual([400, name])
    const [issue] = reply.body.issues as { path: string[] }[]
    expect(name).toContain(`\`${issue?.path.join(".")}\``)
  })
})

test("an operator may switch it off", async () => {
  const off = await testServer({ PARLEY_COMPAT: "off" })
  for (const path of ["/api/v1/typebots/demo/startChat", "/api/v1/sendMessage"]) {
    expect((await off.send("POST", path, { body: {} })).status, path).toBe(404)
  }
  expect((await off.send("POST", "/api/v1/bots/demo/startChat", { body: {} })).status).toBe(200)
  for (const path of ["?workspaceId=a", "/a/results/export"]) {
    const { message } = (await off.send("GET", `/api/v1/typebots${path}`)).body
    expect(message, path).toContain("Unknown path")
  }
})
