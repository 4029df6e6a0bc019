/** Tests what chats do besides talking: authors' code, other pages, models, webhook calls. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import { events, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, groupIdOf, idOf, onCommand, say, set } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { openLatch } from "../support/waiting.ts"
import { conversationOf, expectNoComplaints, openViewer, says, type } from "./browser.ts"
import { read, stylesOf } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a chat in a browser", async () => {
  if (!viewer) return
  const provider = await startPeer()
  const server = await pageServer({ PARLEY_ALLOW_HOSTS: "127.0.0.1" })

  async function open(flow: Flow, prepare?: (page: Page) => Promise<void>) {
    const settings = { ...flow.settings, ...swift }
    const { botId, publicId } = await publishBot(server, { ...flow, settings })
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    await prepare?.(page)
    const started = page.waitForResponse("**/startChat")
    await page.goto(`${server.address}/chat/${publicId}`)
    type Started = { resultId: string; sessionId: string }
    const { resultId, sessionId } = (await (await started).json()) as Started
    return { page, botId, resultId, sessionId }
  }

  test("runs code of authors where it reaches neither the page nor what the browser stores", async () => {
    const seen = `return [typeof parent.document.body, typeof localStorage, document.cookie,
      location.pathname.split("/")[1], 6 * 7].join("|")`
    const { page } = await open(
      bot(
        group(
          "A",
          ask.text(),
          set("Seen", seen, { isExecutedOnClient: true }),
          say("Saw {{Seen}}"),
        ),
      ),
    )
    await type(page, "go")
    await says(page, "Saw undefined|undefined||chat|42")
    expectNoComplaints(page)
  })

  test("continues after code that fails, and code that never ends", async () => {
    const run = (content: string) => block("Code", { content, isExecutedOnClient: true })
    const { page } = await open(
      bot(group("A", ask.text(), run("throw new Error('no')"), run("for (;;) {}"), say("Here"))),
      (page) => page.clock.install(),
    )
    let workers = 0
    const endless = page.waitForEvent("worker", () => ++workers === 2)
    await type(page, "go")
    await endless
    // The time limit for code.
    await page.clock.fastForward(10_000)
    await says(page, "Here")
  })

  test("leads to another page when the person answers, in a new tab or in this one", async () => {
    const to = (isNewTab: boolean) => block("Redirect", { url: `${server.address}/docs`, isNewTab })
    const { page } = await open(bot(group("A", ask.text(), to(true), ask.text(), to(false))))
    const opening = page.waitForEvent("popup")
    await type(page, "one")
    expect((await opening).url()).toBe(`${server.address}/docs`)
    await type(page, "two")
    await page.waitForURL("**/docs")
  })

  test("offers a tab as a link where the browser opens none", async () => {
    const url = `${server.address}/docs`
    const flow = bot(group("A", block("Redirect", { url, isNewTab: true }), say("Hi")))
    const { page } = await open(flow, (page) => page.addInitScript("window.open = () => null"))
    const link = page.getByRole("link", { name: "Continue in new tab" })
    expect(await link.getAttribute("href")).toBe(url)
    expect(await link.getAttribute("rel")).toContain("noopener")
  })

  test("never leads to an address that would run code", async () => {
    const flow = bot(
      group("A", block("Redirect", { url: "javascript:document.title='x'" }), say("Hi")),
    )
    const { page } = await open(flow)
    await says(page, "Hi")
    expect(await page.title()).toBe("Test")
  })

  test("shows the answer of a model while it comes, once", async () => {
    provider.answers(events(delta("It is **sunny**"), delta(" in Rome."), "[DONE]"))
    const { page } = await open(modelBot(await accountAt(provider.url)))
    await type(page, "Rome")
    await says(page, "It is sunny in Rome.")
    await says(page, "Anything else?")
    expect(await conversationOf(page)).toEqual(["Rome", "It is sunny in Rome.", "Anything else?"])
    expect(await page.locator(".bubble strong").allTextContents()).toEqual(["sunny"])
    expect(provider.received).toHaveLength(1)
  })

  test("keeps typing while a model pauses, and announces the message once whole", async () => {
    const goesOn = openLatch()
    provider.answers(async (response) => {
      const write = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`)
      response.writeHead(200, { "content-type": "text/event-stream" })
      write(delta("It is "))
      await goesOn.isOpen
      write(delta("sunny"))
      response.end("data: [DONE]\n\n")
    })
    const { page } = await open(modelBot(await accountAt(provider.url)))
    await page.evaluate(`heard = []
      document.querySelector("parley-chat").listen(({ type, message }) => {
        if (type === "message") heard.push(message.content.richText[0].children[0].text)
      })`)
    await type(page, "Rome")
    await says(page, "It is")
    // Screen readers wait for busy regions.
    expect(await page.getByRole("log").getAttribute("aria-busy")).toBe("true")
    expect(await page.locator(".typing").count()).toBe(1)
    goesOn.open()
    await says(page, "Anything else?")
    expect(await page.evaluate(read, "heard")).toEqual(["It is sunny", "Anything else?"])
    expect(await page.getByRole("log").getAttribute("aria-busy")).toBe("false")
  })

  test("continues after a call from outside", async () => {
    const hook = block("webhook", {}, { id: "hook" })
    const { page, botId, resultId } = await open(bot(group("A", say("Wait"), hook, say("Called"))))
    await says(page, "Wait")
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${resultId}/executeWebhook`
    await server.send("POST", path, { body: {} })
    await says(page, "Called")
  })

  test("continues after a call longer than a message", async () => {
    const hook = block("webhook", {}, { id: "hook" })
    const { page, botId, resultId } = await open(bot(group("A", say("Wait"), hook, say("Called"))))
    await says(page, "Wait")
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${resultId}/executeWebhook`
    await server.send("POST", path, { body: { order: "x".repeat(100_000) } })
    await says(page, "Called")
  })

  test("receives events of a chat that waits for a call, and mistakes none for the call", async () => {
    const again = block("webhook", {}, { id: "again" })
    const flow = bot(
      group("A", say("Wait"), block("webhook", {}, { id: "hook" })),
      group("B", say("Still waiting"), again, say("Your name?"), ask.text({ saves: "Name" })),
    )
    const { page, botId, resultId, sessionId } = await open(flow)
    await says(page, "Wait")
    const sent: string[] = []
    page.on("request", (request) => {
      if (request.url().endsWith("/continueChat")) sent.push(request.postData() ?? "")
    })
    const steer = (body: object) => server.send("PATCH", `/api/v1/sessions/${sessionId}`, { body })
    await steer({ state: "paused" })
    await steer({ state: "active" })
    await steer({ continueAt: { groupId: groupIdOf("B") } })
    await says(page, "Still waiting")
    const path = `/api/v1/bots/${botId}/blocks/again/results/${resultId}/executeWebhook`
    await server.send("POST", path, { body: { a: 1 } })
    await says(page, "Your name?")
    await type(page, "Ann")
    await page.waitForResponse("**/continueChat")
    expect(await conversationOf(page)).toEqual(["Wait", "Still waiting", "Your name?", "Ann"])
    expect(sent.map((body) => JSON.parse(body).message.text)).toEqual(['{"data":{"a":1}}', "Ann"])
  })

  test("says so when a chat that waits for a call is ended", async () => {
    const { page, sessionId } = await open(bot(group("A", say("Wait"), block("webhook", {}))))
    await says(page, "Wait")
    await server.send("PATCH", `/api/v1/sessions/${sessionId}`, { body: { state: "ended" } })
    await page.getByRole("alert").getByText("This conversation has expired.").waitFor()
  })

  test("a command interrupts a wait for a call, and one that is unknown does not end it", async () => {
    const hook = block("webhook", {}, { id: "hook" })
    const { page, botId, resultId } = await open(
      bot(
        { events: [onCommand("hurry", "Hurry", { resumeAfter: true })] },
        group("A", say("Wait"), hook, say("Called")),
        group("Hurry", say("It takes a while.")),
      ),
    )
    await says(page, "Wait")
    const command = (name: string) =>
      page.evaluate(`document.querySelector("parley-chat").sendCommand("${name}")`)
    const refused = page.waitForResponse((response) => response.status() === 400)
    await command("nonsense")
    await refused
    await command("hurry")
    await says(page, "It takes a while.")
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${resultId}/executeWebhook`
    await server.send("POST", path, { body: {} })
    await says(page, "Called")
  })

  test("passes on reports only of the page within the chat", async () => {
    const waitForEvent = { isEnabled: true, name: "done", saveDataInVariableId: idOf("Data") }
    const embed = { type: "embed", content: { url: "https://page.example/", waitForEvent } }
    const { page } = await open(bot(group("A", embed, say("Got {{Data}}"))), (page) =>
      page.route("https://page.example/", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<button onclick="parent.postMessage({ name: 'done', data: 'it' }, '*')">Go</button>`,
        }),
      ),
    )
    const button = page.frameLocator("iframe").getByRole("button")
    await button.waitFor()
    await page.evaluate("postMessage({ name: 'done', data: 'forged' }, '*')")
    await button.click()
    await says(page, "Got it")
  })

  test("continues where the awaited page has no address", async () => {
    const waitForEvent = { isEnabled: true, name: "done" }
    const embed = { type: "embed", content: { url: "{{Nowhere}}", waitForEvent } }
    // A chat that is over may be gone before its page hears of that.
    const { page } = await open(bot(group("A", say("A page:"), embed, say("No page"), ask.text())))
    await says(page, "No page")
    expectNoComplaints(page)
  })

  test("sends a request of the author's from the browser, and saves the answer", async () => {
    const call = block("Webhook", {
      isExecutedOnClient: true,
      webhook: { url: "https://shop.example/stock", method: "POST", body: `{"of":"tea"}` },
      isCustomBody: true,
      responseVariableMapping: [{ id: "m", bodyPath: "data.left", variableId: idOf("Left") }],
    })
    const sent: (string | null)[] = []
    const { page } = await open(bot(group("A", call, say("{{Left}} left"))), (page) =>
      page.route("https://shop.example/stock", async (route) => {
        if (route.request().method() === "POST") sent.push(route.request().postData())
        const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
        await route.fulfill({ json: { left: 7 }, headers })
      }),
    )
    await says(page, "7 left")
    expect(sent).toEqual([`{"of":"tea"}`])
    expectNoComplaints(page)
  })

  test("continues without an answer that exceeds a message", async () => {
    provider.answers((response) => {
      response.writeHead(200, { "access-control-allow-origin": "*" })
      response.end(JSON.stringify({ left: 7, all: "x".repeat(100_000) }))
    })
    const call = block("Webhook", {
      isExecutedOnClient: true,
      webhook: { url: provider.url, method: "GET" },
      responseVariableMapping: [{ id: "m", bodyPath: "data.left", variableId: idOf("Left") }],
    })
    const { page } = await open(bot(group("A", call, say("What is left: {{Left}}"))))
    await says(page, "What is left:")
  })

  test("saves that a request of the author's broke in the middle of the answer", async () => {
    provider.answers((response) => {
      response.writeHead(200, { "access-control-allow-origin": "*", "content-length": 99 })
      response.write("half", () => response.destroy())
    })
    const call = block("Webhook", {
      isExecutedOnClient: true,
      webhook: { url: provider.url, method: "GET" },
      responseVariableMapping: [{ id: "m", bodyPath: "statusCode", variableId: idOf("Code") }],
    })
    const { page } = await open(bot(group("A", call, say("Status {{Code}}"))))
    await says(page, "Status 500")
  })

  test("loads no font unless the theme says from where", async () => {
    const fonts: string[] = []
    const watchFonts = async (page: Page) => {
      await page.route("https://fonts.googleapis.com/**", async (route) => {
        const family = new URL(route.request().url()).searchParams.get("family") ?? ""
        fonts.push(family)
        // As Google answers about weights that a font does not have.
        const status = family.includes("Lobster:") ? 400 : 200
        await route.fulfill({ status, contentType: "text/css", body: "" })
      })
    }
    const dressed = (font: unknown) =>
      bot({ theme: { general: { font } } }, group("A", say("Hi"), ask.text()))
    const named = await open(dressed("Lato"), watchFonts)
    await says(named.page, "Hi")
    const { fontFamily } = await named.page.locator(".chat").evaluate(stylesOf)
    expect(fontFamily).toContain("Lato")
    expect(fonts).toEqual([])
    const asked = await open(dressed({ type: "Google", family: "Lato" }), watchFonts)
    await says(asked.page, "Hi")
    await expect.poll(() => fonts).toEqual(["Lato:wght@400;600;700"])
    await open(dressed({ type: "Google", family: "Lobster" }), watchFonts)
    await expect.poll(() => fonts.slice(1)).toEqual(["Lobster:wght@400;600;700", "Lobster"])
  })

  async function accountAt(url: string): Promise<string> {
    const { body } = await server.send("GET", "/api/v1/workspaces")
    const [workspace] = body.workspaces as { id: string }[]
    const data = { apiKey: "sk-none", baseUrl: `${url}/v1` }
    const credentials = { type: "openai", name: "AI", data }
    const sent = { body: { workspaceId: workspace?.id, credentials } }
    const made = await server.send("POST", "/api/v1/credentials", sent)
    return String(made.body.credentialsId)
  }
})

const delta = (content: string) => ({ choices: [{ delta: { content } }] })

function modelBot(credentialsId: string): Flow {
  const model = block("openai", {
    credentialsId,
    action: "Create chat completion",
    model: "any",
    messages: [{ role: "user", content: "How is {{Town}}?" }],
    responseMapping: [{ item: "Message content", variableId: idOf("Reply") }],
  })
  return bot(
    group(
      "A",
      ask.text({ saves: "Town" }),
      model,
      say("{{Reply}}"),
      say("Anything else?"),
      ask.text(),
    ),
  )
}
