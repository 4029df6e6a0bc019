/** The language of what the service says over the API, and on pages without a chat. */
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()

const flow = (general: object = {}) =>
  bot({ settings: { general } }, group("A", say("Hi"), ask.email()))

const german = "Das sieht nicht nach einer E-Mail-Adresse aus."

async function start(publicId: string, body: object = {}) {
  const path = `/api/v1/bots/${publicId}/startChat`
  return await server.send("POST", path, { token: null, body })
}

/** What is said to a reply that is not valid. */
async function retryOf(publicId: string, body: object = {}): Promise<string> {
  return await retryIn(String((await start(publicId, body)).body.sessionId))
}

async function retryIn(sessionId: string): Promise<string> {
  const path = `/api/v1/sessions/${sessionId}/continueChat`
  const message = { message: "nonsense", textBubbleContentFormat: "markdown" }
  const step = await server.send("POST", path, { token: null, body: message })
  const [retry] = step.body.messages as { content: { markdown: string } }[]
  return retry?.content.markdown ?? ""
}

describe("2.10 the language of a chat", () => {
  test("is that of the bot, else that of the start, else English", async () => {
    const { publicId } = await publishBot(server, flow())
    expect(await retryOf(publicId)).toMatch(/^This does not look like an email/)
    expect(await retryOf(publicId, { language: null })).toMatch(/^This does not look/)
    expect(await retryOf(publicId, { language: "de-CH" })).toContain(german)
    const own = await publishBot(server, flow({ language: "de" }))
    expect(await retryOf(own.publicId, { language: "ja" })).toContain(german)
  })

  test("is that of the start of a preview, too", async () => {
    const { body } = await server.send("POST", "/api/v1/bots/b/preview/startChat", {
      token: null,
      body: { bot: flow(), language: "de-CH" },
    })
    expect(await retryIn(String(body.sessionId))).toContain(german)
  })

  test("is a short tag, of a start and of a bot", async () => {
    const { publicId } = await publishBot(server, flow())
    for (const language of ["x".repeat(36), "de_DE", "", 7]) {
      expect((await start(publicId, { language })).status, String(language)).toBe(400)
    }
    const settings = { general: { language: "{{Language}}" } }
    const { status, body } = await server.send("POST", "/api/v1/bots/b/preview/startChat", {
      token: null,
      body: { bot: { ...flow(), settings } },
    })
    expect([status, body.message]).toEqual([400, expect.stringContaining("such as de or pt-BR")])
  })

  test("is that in which closed bots refuse, and pages without a chat speak", async () => {
    const { botId, publicId } = await publishBot(server, flow())
    const own = await publishBot(server, flow({ language: "he" }))
    for (const id of [botId, own.botId]) {
      await server.send("PATCH", `/api/v1/bots/${id}`, { body: { bot: { isClosed: true } } })
    }
    expect((await start(publicId)).body.message).toBe("This bot is closed.")
    expect((await start(publicId, { language: "fr" })).body.message).toBe("Ce bot est fermé.")
    expect(await pageOf(publicId, "sv, fr;q=0.8, en;q=0.5")).toMatchObject({
      lang: "fr",
      dir: "ltr",
      html: expect.stringContaining("<p>Ce bot est fermé.</p>"),
    })
    expect(await pageOf(own.publicId, "fr")).toMatchObject({
      lang: "he",
      dir: "rtl",
      html: expect.stringContaining("<p>הבוט הזה סגור.</p>"),
    })
    expect(await pageOf("nobody", "zh-TW")).toMatchObject({
      lang: "zh",
      html: expect.stringContaining("<h1>此聊天不存在</h1>"),
    })
    expect(await pageOf("nobody", "sv")).toMatchObject({ lang: "en", dir: "ltr" })
  })

  test("is that of a page before anything runs", async () => {
    const { publicId } = await publishBot(server, flow())
    expect(await pageOf(publicId, "ar-EG,en;q=0.9")).toMatchObject({
      lang: "ar",
      dir: "rtl",
      html: expect.stringContaining("تتطلب هذه الدردشة JavaScript."),
    })
  })
})

async function pageOf(publicId: string, accepted: string) {
  const response = await fetch(`${server.address}/chat/${publicId}`, {
    headers: { "accept-language": accepted },
  })
  expect(response.headers.get("vary")?.toLowerCase()).toContain("accept-language")
  const html = await response.text()
  const [, lang, dir] = /<html lang="([^"]*)" dir="([^"]*)">/.exec(html) ?? []
  return { lang, dir, html }
}
