/** Bots that come with the service, and bots made of them. */
import { describe, expect, it } from "vitest"
import { testServer } from "../support/server.ts"

const server = await testServer()
const found = await server.send("GET", "/api/v1/workspaces")
const [{ id: workspaceId } = { id: "" }] = found.body.workspaces as { id: string }[]

type Template = { id: string; name: string; picture: string }
type Bot = { id: string; groups: { id: string }[] }

async function list() {
  const { status, body } = await server.send("GET", "/api/v1/templates")
  expect(status).toBe(200)
  return body.templates as Template[]
}

const importBot = (body: object) =>
  server.send("POST", "/api/v1/bots/import", { body: { workspaceId, ...body } })

async function targetOfImport() {
  const { body } = await server.send("GET", `/api/v1/workspaces/${workspaceId}/auditLog`)
  const [{ target } = { target: {} }] = body.entries as { target: object }[]
  return target
}

describe("a template", () => {
  it("makes a bot that is published as it is and starts its chat", async () => {
    const templates = await list()
    expect(templates).toHaveLength(12)
    for (const { id, name } of templates) {
      const made = await importBot({ fromTemplate: id })
      expect(made.body).toMatchObject({ bot: { name } })
      expect(made.body).not.toHaveProperty("warnings")
      const { id: botId } = made.body.bot as Bot
      const publicId = `starter-${id}`
      await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { publicId } } })
      const published = await server.send("POST", `/api/v1/bots/${botId}/publish`, { body: {} })
      expect(published.status, id).toBe(200)
      const chat = await server.send("POST", `/api/v1/bots/${publicId}/startChat`, { body: {} })
      const input = { id: expect.any(String) }
      expect(chat.body).toMatchObject({ messages: expect.any(Array), input })
    }
  })

  it("gives the parts of each bot new ids", async () => {
    const made = await Promise.all(["quiz", "quiz"].map((id) => importBot({ fromTemplate: id })))
    const ids = made.flatMap(({ body }) => (body.bot as Bot).groups.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("that does not exist is refused with the ids of those that do", async () => {
    const { status, body } = await importBot({ fromTemplate: "quizz", bot: null })
    expect(status).toBe(404)
    expect(body).toMatchObject({ reason: "TEMPLATE_UNKNOWN" })
    for (const { id } of await list()) expect(body.message).toContain(id)
  })

  it("is noted in the audit log, also beside a bot of the caller", async () => {
    await importBot({ fromTemplate: "faq" })
    expect(await targetOfImport()).toMatchObject({ fromTemplate: "faq" })
    const bot = { version: "6.1", events: [{ id: "s", type: "start" }] }
    const made = await importBot({ fromTemplate: "my-own", bot })
    expect(made.body).toMatchObject({ bot: { groups: [] } })
    expect(await targetOfImport()).toMatchObject({ fromTemplate: "my-own" })
  })

  it("is needed where no bot is sent", async () => {
    const { status, body } = await importBot({})
    expect(status).toBe(400)
    expect(JSON.stringify(body.issues)).toContain('"bot"')
  })
})

it("lists one template by its id, with a picture in its address", async () => {
  const { body } = await server.send("GET", "/api/v1/templates?id=quiz")
  expect(body.templates).toMatchObject([{ id: "quiz", category: "Learning" }])
  const [{ picture } = { picture: "" }] = body.templates as Template[]
  expect(picture).toMatch(/^data:image\/svg\+xml,/)
})
